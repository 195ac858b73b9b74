/** Where the project stands: what was asked for meanwhile, the trusted list, and what is next. */
import type { ProjectState } from '../../../domain/session.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { lastRoleSession } from '../../../kernel/books/session-number.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { requireFallbackPrices } from '../../../kernel/fallback/flight-agent.ts';
import { requirePrice } from '../../../kernel/flight/project-agent.ts';
import { carryOut } from '../people/carry-out.ts';
import { cycleEscalation, raise } from '../people/escalate.ts';
import type { ProjectEvent } from '../machine/document.ts';
import { flightsOf } from '../machine/lanes.ts';
import { parkedId, recall } from '../machine/parked.ts';
import type { Running } from '../machine/running.ts';
import { isUnattended } from '../machine/run.ts';
import { planSession, type SessionPlan } from '../machine/plan-session.ts';
import { InvalidListError, type LoadedList, type Project } from '../project.ts';
import { closeConditions } from '../people/questions.ts';
import { ended } from '../machine/run-report.ts';
import { readTrusted } from '../list/trusted.ts';
import type { ProjectProgress } from './contract.ts';
import { answeredPage } from './follow.ts';
import { keepHours } from './hours.ts';
import { guardLate } from './unattended.ts';

export async function look(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  if (project.signal.aborted && run.last !== null) return { rest: { ...run.last, reasons: ['interrupted'], exitCode: EXIT.interrupted } };
  const isFirst = run.done === 0 && flightsOf(state).length === 0;
  const refused = isFirst ? null : await guardLate(project, project.asker);
  if (refused !== null) return { rest: ended(refused.outcome, refused.reasons, refused.message) };
  const changes: ProjectEvent[] = (await project.documents.requests.has('pause')) ? [{ type: 'paused' }] : [];
  const trusted = await readList(project, state);
  if (!('loaded' in trusted)) return trusted;
  const { loaded, head } = trusted;
  await closeConditions(project, ['project.cycle']);
  const after = await lastRoleSession(project, { writer: true });
  const unattended = isUnattended(run);
  const asked =
    flightsOf(state).length > 0 &&
    (await project.documents.requests.waiting()).some(({ wish }) => !['stop', 'grant', 'say'].includes(wish.kind));
  if (asked) return { event: { type: 'looked', plan: { kind: 'holding' }, head, changes } };
  const planned = (document: ProjectState): SessionPlan =>
    planSession(document, loaded.list, { cleanup: run.cleanup, unattended, after, later: run.outage?.features ?? [], beside: true });
  const paused = { ...state, paused: state.paused || changes.length > 0 };
  const recalled = await toRecall(project, paused, !unattended ? 'one session' : planned(paused).kind === 'waiting' ? 'idle' : 'busy');
  if (recalled !== null) changes.push({ type: 'recalled', id: recalled });
  const plan = planned(recalled === null ? paused : { ...paused, ...recall(paused, recalled, paused.timestamp) });
  if (plan.kind === 'session') requirePrice(project, plan.prompt);
  if (plan.kind === 'session') requireFallbackPrices(project);
  const closed = plan.kind === 'session' ? await keepHours(project, state, run) : null;
  return closed ?? { event: { type: 'looked', plan, head, changes } };
}

/**
 * Which of the questions that were left for later is asked about now: one that is answered, or, where there is nothing better to do, the first
 * that somebody can answer. A run of one session asks about the first in any case.
 */
async function toRecall(project: Project, state: ProjectState, run: 'one session' | 'busy' | 'idle'): Promise<string | null> {
  if (state.paused || state.handoff !== null || state.pending !== null || state.escalation !== null) return null;
  const ids = state.parked.map(parkedId);
  for (const id of ids) if ((await project.asker.answered?.(id)) === true) return id;
  const [first] = ids;
  if (first === undefined || run === 'busy') return null;
  return run === 'one session' || (await project.asker.expects?.(first)) === true ? first : null;
}

/** A circle in the list is a question first, and an error where nobody answers. */
async function readList(project: Project, state: ProjectState): Promise<{ loaded: LoadedList; head: Head } | ProjectProgress> {
  try {
    return await readTrusted(project, state, { present: true });
  } catch (error) {
    const escalated = error instanceof InvalidListError ? cycleEscalation(error.cycles) : null;
    if (escalated === null) throw error;
    const answer = await raise(project, escalated, {
      findings: (error as InvalidListError).details,
      asker: project.asker,
      when: 'if_expected',
    });
    const followed = answer === 'pending' ? null : await carryOut(project, state, { escalated, answer });
    if (followed !== null) await answeredPage(project, escalated, followed);
    if (followed?.kind === 'go_on') return { event: { type: 'done', changes: followed.changes, next: { kind: 'again' } } };
    if (followed?.kind === 'aborted') return { rest: ended('escalated', ['features.invalid'], followed.message) };
    throw error;
  }
}
