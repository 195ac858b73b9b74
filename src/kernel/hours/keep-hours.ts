/**
 * What keeps a session from being begun: hours that are over or yet to come, or too little time until they end.
 *
 * A session that could not end in time is not begun: it would need what sessions here usually take.
 */
import type { PastRecord } from '../books/sums.ts';
import type { FlightPlace } from '../flight/contract.ts';
import { waitUntil } from '../wait-until.ts';
import { neededMs } from './run-hours.ts';

type Ground = Pick<FlightPlace, 'hours' | 'platform' | 'history' | 'config'>;

export type Obstacle =
  /** `opens`: when they begin again; null: not in this run. */
  { kind: 'closed'; opens: number | null; message: string } | { kind: 'too-late'; message: string };

/** Null: a session may begin. `counts`: the sessions that this one is compared with. */
export async function hoursObstacle(ground: Ground, counts: (record: PastRecord) => boolean): Promise<Obstacle | null> {
  const { hours, platform, config } = ground;
  if (hours === undefined) return null;
  const now = platform.clock.now();
  const at = hours.at(now);
  if (!at.open) return { kind: 'closed', opens: at.opens, message: `It is ${hours.say(now)}: the hours of this run are over.` };
  if (at.until === null) return null;
  const past = (await ground.history.all()).filter((record) => CLAIMED.has(record.outcome) && counts(record));
  const needed = neededMs(
    past.map(({ duration_seconds }) => duration_seconds),
    config.session.timeout_minutes * 60_000,
  );
  if (at.until - now >= needed) return null;
  const minutes = Math.max(1, Math.round(needed / 60_000));
  return {
    kind: 'too-late',
    message: `The next session would not end by ${hours.say(at.until)}: sessions here take about ${minutes} min.`,
  };
}

/** Those that came to a claim. */
const CLAIMED: ReadonlySet<string> = new Set(['verified', 'rejected']);

export async function waitForHours(
  place: Pick<FlightPlace, 'hours' | 'platform' | 'documents' | 'signal' | 'emit'>,
  opens: number,
): Promise<void> {
  place.emit({
    type: 'session.limit',
    session: 0,
    kind: 'hours',
    level: 'info',
    message: `waiting for the hours of this run: they begin ${place.hours?.say(opens) ?? ''}`,
    until: new Date(opens).toISOString(),
  });
  await waitUntil(place, opens);
}

/** A usage limit that ends only after the hours do, in words; null: it can be waited out. */
export function limitBeyondHours({ hours, platform }: Pick<Ground, 'hours' | 'platform'>, until: number | null): string | null {
  const now = platform.clock.now();
  const at = hours?.at(now);
  if (hours === undefined || at === undefined || until === null) return null;
  const end = at.open ? at.until : now;
  if (end === null || until <= end) return null;
  return `The usage limit ends ${hours.say(until)}, and the hours of this run end ${hours.say(end)}.`;
}
