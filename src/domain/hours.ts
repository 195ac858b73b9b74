/**
 * When runs may work: a window of the day, on some days, in a time zone. Pure.
 *
 * 1. A window over midnight belongs to the day on which it begins.
 * 2. Times are wall times of the zone. One that a clock change skips is taken an hour later, one that it repeats is taken the first time.
 * 3. Windows that touch are one: a schedule without times is open for all of its days.
 */
import { z } from './zod.ts';
import { itemAt } from './items.ts';
import { mustHave } from './must-have.ts';

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
export const TimeSchema = z.string().regex(TIME, 'must be a time of day such as 22:00');

export const ScheduleSchema = z.strictObject({
  not_before: TimeSchema.optional().describe('No session before this time of day. Left out: midnight.'),
  not_after: TimeSchema.optional().describe(
    'Nothing goes on after this time of day; earlier than not_before: of the next day. Left out: midnight.',
  ),
  days: z.array(z.enum(DAYS)).min(1).optional().describe('Days on which a window begins. Left out: every day.'),
  timezone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .optional()
    .describe('Time zone of the times. Left out: that of this machine.'),
});
export type Schedule = z.infer<typeof ScheduleSchema>;

/** Epoch milliseconds. `until` null: without end; `opens` null: never. */
export type Hours = { open: true; until: number | null } | { open: false; opens: number | null };

const DAY_MS = 24 * 60 * 60_000;
const LOOKED_AHEAD = 8;

export function hoursAt(schedule: Schedule, now: number): Hours {
  const zone = schedule.timezone ?? localZone();
  const today = dateIn(zone, now);
  const windows = Array.from({ length: LOOKED_AHEAD + 2 }, (_, at) => windowOf(schedule, zone, today + (at - 1) * DAY_MS)).filter(
    (window) => window !== null,
  );
  let until: number | null = null;
  for (const { begins, ends } of windows) if (begins <= (until ?? now) && ends > (until ?? now)) until = ends;
  if (until !== null) return { open: true, until: until - now > (LOOKED_AHEAD - 1) * DAY_MS ? null : until };
  return { open: false, opens: windows.find(({ begins }) => begins > now)?.begins ?? null };
}

/** The next time that clocks show this time of day. */
export function nextTime(time: string, now: number, zone = localZone()): number {
  const today = dateIn(zone, now);
  const at = [0, 1, 2].map((days) => wallTime(zone, today + days * DAY_MS, minutesOf(time)));
  return mustHave(
    at.find((one) => one > now),
    'that time of tomorrow or the day after is not past',
  );
}

export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `date`: midnight of the day as if it were in UTC. */
function windowOf(
  { not_before, not_after, days = [...DAYS] }: Schedule,
  zone: string,
  date: number,
): { begins: number; ends: number } | null {
  if (!days.includes(itemAt(DAYS, new Date(date).getUTCDay()))) return null;
  const [first, last] = [minutesOf(not_before ?? '00:00'), minutesOf(not_after ?? '00:00')];
  return { begins: wallTime(zone, date, first), ends: wallTime(zone, last > first ? date : date + DAY_MS, last) };
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** The moment at which clocks of the zone show this. */
function wallTime(zone: string, date: number, minutes: number): number {
  const wall = date + minutes * 60_000;
  const [before, after] = [offsetIn(zone, wall - DAY_MS), offsetIn(zone, wall + DAY_MS)];
  const real = [wall - before, wall - after].filter((moment) => moment + offsetIn(zone, moment) === wall);
  return real.length === 0 ? wall - before : Math.min(...real);
}

function dateIn(zone: string, moment: number): number {
  return Math.floor((moment + offsetIn(zone, moment)) / DAY_MS) * DAY_MS;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What clocks of the zone show, minus what those in UTC do. */
function offsetIn(zone: string, moment: number): number {
  const format = formats.get(zone) ?? newFormat(zone);
  formats.set(zone, format);
  const parts = format.formatToParts(moment);
  const part = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(moment / 1_000) * 1_000;
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  const number = '2-digit';
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
  });
}

function isTimeZone(name: string): boolean {
  try {
    newFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** A moment as clocks of the zone show it, for people. */
export function clockTime(moment: number, zone = localZone()): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return format.format(moment).replace(',', '');
}
