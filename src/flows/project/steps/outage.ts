/**
 * What a repeated run does while its provider is away, or its agent's program dies at once.
 *
 * 1. Such a session says nothing about its feature: it is tried again, after a pause that grows from one try to the next.
 * 2. Features that have not met the outage yet come before those that have.
 * 3. An outage that lasts is told once; after six hours of nothing else the run ends, and the next one goes on.
 */
import { waitUntil } from '../../../kernel/wait-until.ts';
import type { Project } from '../project.ts';

export interface Outage {
  /** Epoch milliseconds of the first session that it ended. */
  since: number;
  sessions: number;
  /** Features whose sessions it ended. */
  features: readonly number[];
  told: boolean;
}

export type NextTry = { kind: 'pause'; ms: number; tell: boolean; outage: Outage } | { kind: 'give_up' };

const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
const TOLD_AFTER_MS = 15 * 60_000;
const GIVEN_UP_AFTER_MS = 6 * 60 * 60_000;

/** After a session that an outage ended. Pure. */
export function afterOutage(before: Outage | null, feature: number | null, now: number): NextTry {
  const since = before?.since ?? now;
  if (now - since >= GIVEN_UP_AFTER_MS) return { kind: 'give_up' };
  const sessions = (before?.sessions ?? 0) + 1;
  const features = new Set(before?.features);
  if (feature !== null) features.add(feature);
  const ms = Math.min(FIRST_PAUSE_MS * 2 ** (sessions - 1), LONGEST_PAUSE_MS, since + GIVEN_UP_AFTER_MS - now);
  const told = before?.told === true || now - since >= TOLD_AFTER_MS;
  return { kind: 'pause', ms, tell: told && before?.told !== true, outage: { since, sessions, features: [...features], told } };
}

/** Waits before the next session; null when the run is to end. */
export async function sitOut(
  project: Project,
  before: Outage | null,
  ended: { feature: number | null; message: string },
): Promise<Outage | null> {
  const now = project.platform.clock.now();
  const next = afterOutage(before, ended.feature, now);
  if (next.kind === 'give_up') {
    project.emit({ type: 'warning', message: 'The agent could not work for six hours, so this run ends. Continue with: harness run' });
    return null;
  }
  if (next.tell) project.emit({ type: 'warning', message: lasting(next.outage, ended.message) });
  const until = now + next.ms;
  project.emit({
    type: 'session.limit',
    session: 0,
    kind: 'outage',
    level: 'warn',
    message: 'waiting before the next try, because the agent could not work',
    until: new Date(until).toISOString(),
  });
  await waitUntil(project, until);
  return next.outage;
}

function lasting(outage: Outage, message: string): string {
  return [
    `The agent has not been able to work since ${new Date(outage.since).toISOString()}, after ${outage.sessions} tries: ${message}.`,
    'This counts against no feature. The harness keeps trying for six hours.',
    "Look at the provider's status page, or try the agent by hand.",
  ].join(' ');
}
