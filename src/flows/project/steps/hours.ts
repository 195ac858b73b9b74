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
import type { Run } from '../machine/running.ts';
import { mostUrgent } from '../machine/urgency.ts';
import type { Project } from '../project.ts';
import type { ProjectProgress } from './contract.ts';

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
