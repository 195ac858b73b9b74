/** A session has ended: what waits for a person is asked now, where somebody is there. */
import { EXIT, exitCodeFor } from '../../../domain/reasons.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { REPAIRABLE } from '../../../kernel/flight/preflight.ts';
import { MOST_REPAIRS } from '../machine/plan-session.ts';
import { raise } from '../people/escalate.ts';
import type { ProjectEvent } from '../machine/document.ts';
import { parkedId, recall, waitingEntries, type Parked } from '../machine/parked.ts';
import type { Running, SessionReport } from '../machine/running.ts';
import { isUnattended } from '../machine/run.ts';
import { withoutWaiting } from '../people/asker.ts';
import { decideCandidate } from '../people/pending.ts';
import type { Project } from '../project.ts';
import { closeConditions } from '../people/questions.ts';
import type { RunReport } from '../machine/run-report.ts';
import { questionAfter } from '../people/session-question.ts';
import type { ProjectProgress } from './contract.ts';
import { follow } from './follow.ts';
import { beforeFirst } from '../../../domain/text-parts.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function talk(project: Project, { project: before, run }: Running): Promise<ProjectProgress> {
  const session = mustHave(run.session, 'this step is due only after a session');
  const recalled = questionOf(before, session);
  const state = recalled === null ? before : { ...before, ...recall(before, recalled, before.timestamp) };
  const report = told(session);
  if (session.session !== null) await closeConditions(project);
  const changes: ProjectEvent[] = [
    ...(recalled === null ? [] : [{ type: 'recalled' as const, id: recalled }]),
    ...((await project.documents.requests.has('pause')) ? [{ type: 'paused' as const }] : []),
  ];
  const asker = isUnattended(run) ? withoutWaiting(project.asker) : project.asker;
  const nothing = { kind: 'session' as const, report, retryAt: session.retryAt, outage: session.outage };
  if (session.outcome === 'needs_human' && state.pending?.session === session.session) {
    const decided = await decideCandidate(project, state, state.pending, asker);
    if (decided !== null && decided.accepted)
      return { event: { type: 'done', changes: [...changes, decided.change], next: { kind: 'deciding', report } } };
    if (decided !== null) {
      const rejected = { ...report, outcome: 'rejected' as const, exitCode: EXIT.rejected };
      return { event: { type: 'done', changes: [...changes, decided.change], next: { kind: 'session', report: rejected, retryAt: null } } };
    }
  }
  if (session.session === null && isUnattended(run) && canRepair(state, session)) {
    project.emit({
      type: 'progress',
      message: `The branch does not pass its own checks: a session repairs that first (${beforeFirst(session.message, '\n')})`,
    });
    return { event: { type: 'done', changes: [...changes, { type: 'repairing', detail: session.message }], next: { kind: 'again' } } };
  }
  const question = project.signal.aborted ? null : await questionAfter(project, session, ofItsOwn(state, session));
  if (question === null) return { event: { type: 'done', changes, next: nothing } };
  // A repeated run is the retry itself, and what waits for a person does not hold it up: nobody has to sit there for it.
  const held = session.session === null || session.reasons.some((code) => code.startsWith('budget.'));
  return await follow(project, state, {
    escalated: question.escalated,
    answer: await raise(project, question.escalated, {
      findings: question.findings,
      asker: held ? project.asker : asker,
      when: question.when,
    }),
    candidate: question.candidate,
    changes,
    report,
    pending: nothing,
    goOn: session.session === null ? { kind: 'again' } : { kind: 'session', report, retryAt: null, again: true },
    leave: (left) => ({ kind: 'session', report: left, retryAt: null }),
  });
}

/** What a session beside others has raised may have been left for later by the next one that ended: its id; null: it stands at hand. */
function questionOf(state: ProjectState, { session, feature }: SessionReport): string | null {
  const isOwn = ({ pending, escalation }: Parked): boolean =>
    pending === null ? escalation?.feature === feature && feature !== null : pending.session === session;
  if (session === null || waitingEntries({ ...state, parked: [] }).some(isOwn)) return null;
  const parked = state.parked.find(isOwn);
  return parked === undefined ? null : parkedId(parked);
}

/** Without what another session has raised. */
function ofItsOwn(state: ProjectState, { feature }: SessionReport): ProjectState {
  return state.escalation === null || state.escalation.feature === feature ? state : { ...state, escalation: null };
}

/** Given to an agent a few times; then a person is asked. */
function canRepair({ repair }: ProjectState, { reasons }: SessionReport): boolean {
  return reasons.some((reason) => REPAIRABLE.has(reason)) && (repair?.tries ?? 0) < MOST_REPAIRS;
}

function told({ outcome, reasons, session, feature, commit, message }: SessionReport): RunReport {
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session, feature, commit, message };
}
