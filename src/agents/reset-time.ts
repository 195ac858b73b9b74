/**
 * When a usage limit ends, from the sentence that an agent prints.
 *
 * 1. Known forms: epoch seconds or milliseconds after a bar; an ISO date with its time ("resets at 2026-10-09T17:30:00Z"); a length of
 *    time ("try again in 2 hours 5 minutes"); a clock with or without a date and a zone ("resets 3am", "resets Oct 9 at 5:30pm
 *    (Europe/Berlin)", "try again at 15:04").
 * 2. A time that names no second is the end of its minute: the reset can be 59 seconds after the minute began, and asking earlier burns a call.
 * 3. A clock without a date means its next time, or the one that passed a few minutes ago; a clock without a zone is in the zone of this machine.
 * 4. Pure: the present comes in. null when no time can be read.
 */
import { mustHave } from '../domain/must-have.ts';

export function resetTime(text: string, now: number): number | null {
  return epochIn(text) ?? isoIn(text) ?? delayIn(text, now) ?? clockIn(text, now);
}

/** Whether a message says that an allowance is used up, rather than that the provider is busy. */
export function speaksOfUsageLimit(text: string): boolean {
  return /\b(usage|session|weekly|5-hour|daily|monthly|opus|sonnet|spend(ing)?)[ -]limit (was |has been |is )?(reached|exceeded|hit)|(hit|reached|exceeded) your (\S+ ){0,3}limit|usage_limit_reached|limit reached.{0,4}resets/i.test(
    text,
  );
}

function epochIn(text: string): number | null {
  const digits = /\|\s*(\d{10,13})\b/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits) * (digits.length > 10 ? 1 : 1_000);
}

const ISO =
  /\b(?:again|resets?|retry|available|until|after)(?:\s+(?:at|on|after))?:?\s+(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?/i;

function isoIn(text: string): number | null {
  const [, date, time = '', zone = ''] = ISO.exec(text) ?? [];
  const instant = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${/^[a-z]/i.test(zone) ? 'Z' : zone}`);
  if (Number.isNaN(instant)) return null;
  return time.length > 'hh:mm'.length ? instant : instant + MINUTE;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { d: DAY, h: 3_600_000, m: MINUTE, s: 1_000 };

function delayIn(text: string, now: number): number | null {
  if (/\b(?:again|resets?|retry|available)\s+in\s+(?:less than|under|about)\s+(?:a|one|1)\s+min/i.test(text)) return now + MINUTE;
  const phrase =
    /\b(?:again|resets?|retry|available)\s+in\s+((?:(?:about|and|,|\s)*\d+\s*(?:days?|hours?|hrs?|minutes?|mins?|seconds?|secs?|[dhms])\b)+)/i.exec(
      text,
    )?.[1];
  if (phrase === undefined) return null;
  let delay = 0;
  let smallest = Number.POSITIVE_INFINITY;
  for (const [, amount, letter] of phrase.matchAll(/(\d+)\s*([dhms])/gi)) {
    const unit = mustHave(UNITS[(letter ?? '').toLowerCase()], 'the pattern names every unit');
    delay += Number(amount) * unit;
    smallest = Math.min(smallest, unit);
  }
  return now + delay + (smallest < MINUTE ? 0 : MINUTE);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DATE = `(?:(${MONTHS.join('|')})[a-z]*\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?,?\\s+(?:at\\s+)?)?`;
const CLOCK = `(\\d{1,2})(?::(\\d{2}))?\\s*([ap]\\.?m\\.?)?`;
const CLOCK_PHRASE = new RegExp(`\\b(?:resets?|again)\\s+(?:at\\s+|on\\s+)?${DATE}${CLOCK}(?:\\s*\\(([A-Za-z_+\\-/0-9]+)\\))?`, 'i');

function clockIn(text: string, now: number): number | null {
  const match = CLOCK_PHRASE.exec(text);
  if (match === null) return null;
  const [, month, day, year, hourText, minuteText, half, zone] = match;
  if (minuteText === undefined && half === undefined) return null;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
  const minute = Number(minuteText ?? 0);
  if (hour > 23 || minute > 59) return null;
  const wall = wallClock(zone);
  const today = wall(now);
  if (month === undefined) {
    const near = [-1, 0, 1].map(
      (days) => instantOf(wall, { year: today.year, month: today.month, day: today.day + days, hour, minute }) + MINUTE,
    );
    return mustHave(
      near.find((end) => end > now - JUST_PAST),
      'that time of tomorrow is not past',
    );
  }
  const monthNumber = MONTHS.indexOf(month.toLowerCase());
  const endIn = (named: number): number => instantOf(wall, { year: named, month: monthNumber, day: Number(day), hour, minute }) + MINUTE;
  const end = endIn(Number(year ?? today.year));
  return year === undefined && end < now - DAY ? endIn(today.year + 1) : end;
}

/** A sentence is read some time after it was written, by a clock that may be ahead of the provider's: this much later is not tomorrow yet. */
const JUST_PAST = 15 * MINUTE;

interface Wall {
  year: number;
  month: number;
  day: number;
  /** The wall clock's reading, as if it were universal time. */
  reading: number;
}

function wallClock(zone: string | undefined): (instant: number) => Wall {
  const format = formatterFor(zone);
  return (instant) => {
    const parts = format.formatToParts(instant);
    const part = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
    const [year, month, day] = [part('year'), part('month') - 1, part('day')];
    return { year, month, day, reading: Date.UTC(year, month, day, part('hour'), part('minute'), part('second')) };
  };
}

function formatterFor(zone: string | undefined): Intl.DateTimeFormat {
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-US', fields);
  }
}

/** The instant at which the wall shows this; where clocks change on the way, the second look corrects the first. */
function instantOf(
  wall: (instant: number) => Wall,
  { year, month, day, hour, minute }: { year: number; month: number; day: number; hour: number; minute: number },
): number {
  const wanted = Date.UTC(year, month, day, hour, minute);
  const first = wanted - (wall(wanted).reading - wanted);
  return wanted - (wall(first).reading - first);
}
