/**
 * A run keeps its hours.
 *
 * 1. Before its first session it waits for them to begin; once they are over it ends.
 * 2. A session that could not end in time is not begun.
 */
import type { ProjectState } from '../../../domain/session.ts';
import { hoursObstacle, limitBeyondHours as limitBeyond, waitForHours } from '../../../kernel/hours/keep-hours.ts';
import { flightsOf } from '../machine/lanes.ts';
import { ended, type RunReport } from '../machine/run-report.ts';
import type { Run, Running } from '../machine/running.ts';
import { mostUrgent } from '../machine/urgency.ts';
import type { Project } from '../project.ts';
import type { ProjectProgress } from './contract.ts';
import { sitOut } from './outage.ts';
import { mustHave } from '../../../domain/must-have.ts';
import { waitUntil } from '../../../kernel/wait-until.ts';

const CONTINUE = 'Continue with: harness run --until-done';

/** Null: a session may begin. */
export async function keepHours(project: Project, state: ProjectState, run: Run): Promise<ProjectProgress | null> {
  const obstacle = await hoursObstacle(project, ({ role }) => role === undefined);
  if (obstacle === null) return null;
  const isFirst = run.done === 0 && flightsOf(state).length === 0;
  if (obstacle.kind === 'closed' && obstacle.opens !== null && isFirst) {
    await waitForHours(project, obstacle.opens);
    return { event: { type: 'done', changes: [], next: { kind: 'again' } } };
  }
  return { rest: mostUrgent(ended('partial', ['hours.over'], `${obstacle.message} ${CONTINUE}`), run.left, state) };
}

/** A usage limit that ends only after the hours do ends the run; null: it can be waited out. */
export function limitBeyondHours(project: Project, until: number | null): RunReport | null {
  const message = limitBeyond(project, until);
  return message === null ? null : ended('partial', ['usage_limit'], `${message} ${CONTINUE}`);
}

/** The pause between two sessions of a run whose agent has no allowance left, or cannot work at all. */
export async function wait(project: Project, { run }: Running): Promise<ProjectProgress> {
  const { outage, until } = mustHave(run.wait, 'this step is due only while the run waits');
  if (outage)
    return { event: { type: 'waited', outage: await sitOut(project, run.outage, mustHave(run.last, 'an outage ended a session')) } };
  const beyond = limitBeyondHours(project, until);
  if (beyond !== null) return { rest: beyond };
  await waitForAllowance(project, until);
  return { event: { type: 'waited', outage: null } };
}

/** The pause between two sessions of a run whose agent has no allowance left. */
const ASK_AGAIN_MS = 15 * 60_000;

/** Until the time that was named; where none was, or it is over, the agent is tried again after a while. */
async function waitForAllowance(project: Project, retryAt: number | null): Promise<void> {
  const now = project.platform.clock.now();
  const until = retryAt !== null && retryAt > now ? retryAt : now + ASK_AGAIN_MS;
  project.emit({
    type: 'session.limit',
    session: 0,
    kind: 'usage',
    level: 'warn',
    message: 'waiting before the next session, because the usage limit is reached',
    until: new Date(until).toISOString(),
  });
  await waitUntil(project, until);
}
