/** Where the project stands: what was asked for meanwhile, the trusted list, and what is next. */
import type { ProjectState } from '../../../domain/session.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { lastRoleSession } from '../../../kernel/books/session-number.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { requirePrice } from '../../../kernel/flight/project-agent.ts';
import { carryOut } from '../people/carry-out.ts';
import { cycleEscalation, raise } from '../people/escalate.ts';
import type { ProjectEvent } from '../machine/document.ts';
import type { Running } from '../machine/run.ts';
import { planSession } from '../machine/plan-session.ts';
import { InvalidListError, type LoadedList, type Project } from '../project.ts';
import { closeConditions } from '../people/questions.ts';
import { ended } from '../machine/run-report.ts';
import { readTrusted } from '../list/trusted.ts';
import type { ProjectProgress } from './contract.ts';
import { answeredPage } from './follow.ts';

export async function look(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  if (project.signal.aborted && run.last !== null) return { rest: { ...run.last, reasons: ['interrupted'], exitCode: EXIT.interrupted } };
  const changes: ProjectEvent[] = (await project.documents.requests.has('pause')) ? [{ type: 'paused' }] : [];
  const trusted = await readList(project, state);
  if (!('loaded' in trusted)) return trusted;
  const { loaded, head } = trusted;
  await closeConditions(project, ['project.cycle']);
  const paused = state.paused || changes.length > 0;
  const after = await lastRoleSession(project, { writer: true });
  const plan = planSession({ ...state, paused }, loaded.list, { cleanup: run.cleanup, after, later: run.outage?.features ?? [] });
  if (plan.kind === 'session') requirePrice(project, plan.prompt);
  return { event: { type: 'looked', plan, head, changes } };
}

/** A circle in the list is a question first, and an error where nobody answers. */
async function readList(project: Project, state: ProjectState): Promise<{ loaded: LoadedList; head: Head } | ProjectProgress> {
  try {
    return await readTrusted(project, state, { present: true });
  } catch (error) {
    const escalated = error instanceof InvalidListError ? cycleEscalation(error.cycles) : null;
    if (escalated === null) throw error;
    const answer = await raise(project, escalated, (error as InvalidListError).details, project.asker, 'if_expected');
    const followed = answer === 'pending' ? null : await carryOut(project, state, escalated, answer);
    if (followed !== null) await answeredPage(project, escalated, followed);
    if (followed?.kind === 'go_on') return { event: { type: 'done', changes: followed.changes, next: { kind: 'again' } } };
    if (followed?.kind === 'aborted') return { rest: ended('escalated', ['features.invalid'], followed.message) };
    throw error;
  }
}
