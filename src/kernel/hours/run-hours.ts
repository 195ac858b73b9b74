/** When a run may work: its own end, and the hours of the user's settings where nobody is there. Pure. */
import type { Config } from '../../config/schema.ts';
import { clockTime, hoursAt, localZone, nextTime, type Hours } from '../../domain/hours.ts';
import { itemAt } from '../../domain/items.ts';

export interface RunHours {
  at(now: number): Hours;
  /** A moment, for people. */
  say(moment: number): string;
}

/** `until`: a time of day on the command line. Null: at any hour. */
export function runHours(
  { schedule }: Pick<Config, 'schedule'>,
  { until, unattended, now }: { until: string | null; unattended: boolean; now: number },
): RunHours | null {
  const window = unattended && schedule !== null && schedule !== false ? schedule : null;
  if (until === null && window === null) return null;
  const zone = window?.timezone ?? localZone();
  const end = until === null ? null : nextTime(until, now, zone);
  return {
    say: (moment) => clockTime(moment, zone),
    at: (moment) => {
      if (end !== null && moment >= end) return { open: false, opens: null };
      const hours: Hours = window === null ? { open: true, until: null } : hoursAt(window, moment);
      if (!hours.open) return hours.opens !== null && end !== null && hours.opens >= end ? { open: false, opens: null } : hours;
      return { open: true, until: end === null || (hours.until !== null && hours.until < end) ? hours.until : end };
    },
  };
}

/** Until when the session that begins now may last; null: its own limit is all. */
export function endsBy(hours: RunHours | null | undefined, now: number): number | null {
  const at = hours?.at(now);
  return at?.open === true ? at.until : null;
}

const TYPICAL_MS = 5 * 60_000;
const LOOKED_BACK = 10;

/** What a session takes here, by the last ones that came to a claim; a session that has less time is not begun. */
export function neededMs(pastSeconds: readonly number[], timeoutMs: number): number {
  const last = pastSeconds.slice(-LOOKED_BACK).toSorted((a, b) => a - b);
  const median = last.length === 0 ? TYPICAL_MS : itemAt(last, Math.floor((last.length - 1) / 2)) * 1_000;
  return Math.min(median, timeoutMs);
}
