/**
 * A run keeps its hours.
 *
 * 1. Before its first session it waits for them to begin; once they are over it ends.
 * 2. A session that could not end in time is not begun: it would need what sessions here usually take.
 */
import type { ProjectState } from '../../../domain/session.ts';
import { neededMs, type RunHours } from '../../../kernel/hours/run-hours.ts';
import { waitUntil } from '../../../kernel/wait-until.ts';
import { flightsOf } from '../machine/lanes.ts';
import { ended, type RunReport } from '../machine/run-report.ts';
import type { Run } from '../machine/running.ts';
import { mostUrgent } from '../machine/urgency.ts';
import type { Project } from '../project.ts';
import type { ProjectProgress } from './contract.ts';

/** Null: a session may begin. */
export async function keepHours(project: Project, state: ProjectState, run: Run): Promise<ProjectProgress | null> {
  const { hours, platform } = project;
  if (hours === undefined) return null;
  const now = platform.clock.now();
  const at = hours.at(now);
  if (at.open) {
    if (at.until === null) return null;
    const needed = neededMs(await pastSeconds(project), project.config.session.timeout_minutes * 60_000);
    if (at.until - now >= needed) return null;
    const minutes = Math.max(1, Math.round(needed / 60_000));
    return { rest: over(state, run, `The next session would not end by ${hours.say(at.until)}: sessions here take about ${minutes} min.`) };
  }
  if (run.done > 0 || flightsOf(state).length > 0 || at.opens === null)
    return { rest: over(state, run, `It is ${hours.say(now)}: the hours of this run are over.`) };
  await waitForHours(project, hours, at.opens);
  return { event: { type: 'done', changes: [], next: { kind: 'again' } } };
}

async function waitForHours(project: Project, hours: RunHours, opens: number): Promise<void> {
  project.emit({
    type: 'session.limit',
    session: 0,
    kind: 'hours',
    level: 'info',
    message: `waiting for the hours of this run: they begin ${hours.say(opens)}`,
    until: new Date(opens).toISOString(),
  });
  await waitUntil(project, opens);
}

function over(state: ProjectState, run: Run, message: string): RunReport {
  return mostUrgent(ended('partial', ['hours.over'], `${message} Continue with: harness run --until-done`), run.left, state);
}

/** Of sessions that came to a claim, oldest first. */
async function pastSeconds({ history }: Project): Promise<number[]> {
  const records = await history.all();
  return records
    .filter(({ outcome, role }) => role === undefined && (outcome === 'verified' || outcome === 'rejected'))
    .map(({ duration_seconds }) => duration_seconds);
}

/** A usage limit that ends only after the hours do ends the run; null: it can be waited out. */
export function limitBeyondHours(project: Project, until: number | null): RunReport | null {
  const { hours } = project;
  if (hours === undefined || until === null) return null;
  const now = project.platform.clock.now();
  const at = hours.at(now);
  const end = at.open ? at.until : now;
  if (end === null || until <= end) return null;
  return ended(
    'partial',
    ['usage_limit'],
    `The usage limit ends ${hours.say(until)}, and the hours of this run end ${hours.say(end)}. Continue with: harness run --until-done`,
  );
}
