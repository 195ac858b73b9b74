/** From the answer to a question that the run raised to how the run goes on. */
import type { GateAnswer } from '../../../domain/gate.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { removeEscalation } from '../../../gates/escalation.ts';
import { questionId } from '../../../gates/project-gates.ts';
import { carryOut } from '../people/carry-out.ts';
import type { Escalated, Followed } from '../people/followed.ts';
import { keepEscalation } from '../people/escalate.ts';
import type { ProjectEvent } from '../machine/document.ts';
import type { Next } from '../machine/running.ts';
import type { Pending } from '../people/pending.ts';
import type { Project } from '../project.ts';
import { endedBy, type RunReport } from '../machine/run-report.ts';
import type { ProjectProgress } from './contract.ts';

export interface Asked {
  escalated: Escalated;
  answer: GateAnswer | 'pending';
  candidate?: Pending | null;
  /** What changed before the question, whatever the answer. */
  changes?: ProjectEvent[];
  /** What the run comes to as things stand; where the answer ends it, and where it leaves what happened as it is. */
  report: RunReport;
  stopped?: RunReport;
  left?: RunReport;
  /** While nobody has answered. */
  pending: Next;
  goOn: Next;
  leave?: (report: RunReport) => Next;
}

export async function follow(project: Project, state: ProjectState, asked: Asked): Promise<ProjectProgress> {
  const { escalated, answer, report, stopped = report, left = report } = asked;
  const before = asked.changes ?? [];
  const done = (changes: ProjectEvent[], next: Next): ProjectProgress => ({
    event: { type: 'done', changes: [...before, ...changes], next },
  });
  if (answer === 'pending') return done([], asked.pending);
  const known = before.some((change) => change.type === 'escalated') ? { ...state, escalation: escalated } : state;
  const followed: Followed = await carryOut(project, known, { escalated, answer, candidate: asked.candidate ?? null });
  await answeredPage(project, escalated, followed);
  switch (followed.kind) {
    case 'go_on':
      return done(followed.changes, asked.goOn);
    case 'return':
      return done(followed.changes, { kind: 'returning', report: stopped });
    case 'leave':
      return done(followed.changes, asked.leave?.(endedBy(followed, left)) ?? { kind: 'end', report: endedBy(followed, left) });
    case 'stop':
      return done(followed.changes, { kind: 'end', report: endedBy(followed, stopped) });
    case 'kept':
      return done([], { kind: 'end', report: endedBy(followed, stopped) });
    case 'waiting':
      return done([], { kind: 'end', report: endedBy(followed, report) });
    case 'aborted':
      return { rest: endedBy(followed, left) };
  }
}

/**
 * `escalation.md` is gone with an answer that goes on. Where the run does not, what is wrong may be so still: the page stays until it is known to
 * be over. After an abort it is gone with everything else.
 */
export async function answeredPage(project: Project, escalated: Escalated, followed: Followed): Promise<void> {
  if (followed.kind === 'waiting') await keepEscalation(project, escalated);
  else if (followed.kind === 'go_on') await removeEscalation(project.shelf, [questionId(escalated.gate, escalated.feature)]);
}
