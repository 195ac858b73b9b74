import { describe, expect, test } from 'vitest';
import { clockTime, DAYS, hoursAt, nextTime, ScheduleSchema, type Schedule } from './hours.ts';

const MINUTE = 60_000;
const STEP = 30 * MINUTE;
const DAY = 24 * 60 * MINUTE;

/** What a clock on the wall shows, read without the code under test. */
function wall(zone: string, moment: number): { day: number; minutes: number } {
  const text = new Date(moment).toLocaleString('sv-SE', { timeZone: zone });
  const [date, time] = text.split(' ') as [string, string];
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return { day: new Date(`${date}T00:00:00Z`).getUTCDay(), minutes: hours * 60 + minutes };
}

/** Open by the wall clock alone, for a window over midnight. */
function isNight(schedule: Required<Schedule>, moment: number): boolean {
  const at = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const { day, minutes } = wall(schedule.timezone, moment);
  const begins = (which: number): boolean => schedule.days.includes(DAYS[(which + 7) % 7]!);
  return (minutes >= at(schedule.not_before) && begins(day)) || (minutes < at(schedule.not_after) && begins(day - 1));
}

describe.each<[string, Required<Schedule>, string]>([
  [
    'a week in which clocks are set back, Berlin',
    { not_before: '22:00', not_after: '07:00', days: ['mon', 'tue', 'fri', 'sat'], timezone: 'Europe/Berlin' },
    '2026-10-19T00:00:00Z',
  ],
  [
    'a week in which clocks are set forward, New York',
    { not_before: '21:30', not_after: '06:30', days: ['sat', 'sun', 'wed'], timezone: 'America/New_York' },
    '2026-03-04T05:00:00Z',
  ],
  [
    'a week on the other side of the date line, half an hour off, set back',
    { not_before: '23:00', not_after: '05:00', days: ['sun', 'thu', 'fri'], timezone: 'Australia/Lord_Howe' },
    '2026-03-31T13:00:00Z',
  ],
])('%s', (_, schedule, start) => {
  const moments = Array.from({ length: (9 * DAY) / STEP }, (__, at) => Date.parse(start) + at * STEP);

  test('the window is open exactly when the clock on the wall says so', () => {
    const wrong = moments.filter((moment) => hoursAt(schedule, moment).open !== isNight(schedule, moment));
    expect(wrong.map((moment) => clockTime(moment, schedule.timezone))).toEqual([]);
  });

  test('what it says about its end and its next beginning comes true', () => {
    for (const moment of moments) {
      const hours = hoursAt(schedule, moment);
      const change = hours.open ? hours.until! : hours.opens!;
      expect(change).toBeGreaterThan(moment);
      expect(hoursAt(schedule, change).open).toBe(!hours.open);
      expect(hoursAt(schedule, change - 1).open).toBe(hours.open);
    }
  });
});

test('a simulated week of a run that works whenever it may: each night is as long as clocks make it', () => {
  const schedule: Schedule = { not_before: '22:00', not_after: '07:00', timezone: 'Europe/Berlin' };
  const nights: number[] = [];
  let now = Date.parse('2026-10-21T10:00:00Z');
  while (nights.length < 7) {
    const hours = hoursAt(schedule, now);
    if (hours.open) nights.push((hours.until! - now) / (60 * MINUTE));
    now = hours.open ? hours.until! : hours.opens!;
  }
  // Saturday's window begins before the clocks are set back, and belongs to Saturday.
  expect(nights).toEqual([9, 9, 9, 10, 9, 9, 9]);
});

test.each<[string, Schedule, string, string]>([
  ['within one day', { not_before: '09:00', not_after: '17:00', timezone: 'UTC' }, '2026-11-19T12:00:00Z', '2026-11-19T17:00:00.000Z'],
  ['only an end', { not_after: '06:00', timezone: 'UTC' }, '2026-11-19T03:00:00Z', '2026-11-19T06:00:00.000Z'],
  ['only a beginning', { not_before: '18:00', timezone: 'UTC' }, '2026-11-19T20:00:00Z', '2026-11-20T00:00:00.000Z'],
  ['whole days that touch', { days: ['thu', 'fri', 'sat'], timezone: 'UTC' }, '2026-11-19T20:00:00Z', '2026-11-22T00:00:00.000Z'],
  ['another zone', { not_before: '22:00', not_after: '07:00', timezone: 'Asia/Tokyo' }, '2026-11-19T14:00:00Z', '2026-11-19T22:00:00.000Z'],
])('a window %s ends when it says', (_, schedule, now, until) => {
  const hours = hoursAt(schedule, Date.parse(now));
  expect(hours.open && new Date(hours.until!).toISOString()).toBe(until);
});

test('every day without times has no end', () => {
  expect(hoursAt({ timezone: 'UTC' }, Date.parse('2026-11-19T20:00:00Z'))).toEqual({ open: true, until: null });
});

test('a time of day is the next one, also across a clock change', () => {
  const at = (time: string, now: string, zone: string): string => new Date(nextTime(time, Date.parse(now), zone)).toISOString();
  expect(at('07:00', '2026-11-19T20:00:00Z', 'Europe/Berlin')).toBe('2026-11-20T06:00:00.000Z');
  expect(at('07:00', '2026-10-24T20:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T06:00:00.000Z');
  expect(at('02:30', '2026-03-28T22:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  expect(at('02:30', '2026-10-24T22:00:00Z', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
});

test.each([{ not_before: '24:00' }, { not_after: '7:00' }, { days: [] }, { days: ['monday'] }, { timezone: 'Mars/Base' }])(
  'is refused: %j',
  (schedule) => {
    expect(ScheduleSchema.safeParse(schedule).success).toBe(false);
  },
);
