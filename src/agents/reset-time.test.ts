import { describe, expect, test } from 'vitest';
import { resetTime, speaksOfUsageLimit } from './reset-time.ts';

const NOW = Date.parse('2026-11-15T13:20:00Z');
const at = (text: string, now = NOW): string | null => {
  const found = resetTime(text, now);
  return found === null ? null : new Date(found).toISOString();
};

describe('the reset time is read from', () => {
  test.each([
    ['Claude AI usage limit reached|1794750000', '2026-11-15T13:40:00.000Z'],
    ['Claude AI usage limit reached|1794750000000', '2026-11-15T13:40:00.000Z'],
    ["You've hit your limit · resets 3pm (UTC)", '2026-11-15T15:01:00.000Z'],
    ["You've hit your session limit · resets 3:30am (Europe/Berlin)", '2026-11-16T02:31:00.000Z'],
    ['5-hour limit reached ∙ resets 12am (UTC)', '2026-11-16T00:01:00.000Z'],
    ['5-hour limit reached ∙ resets 12pm (UTC)', '2026-11-16T12:01:00.000Z'],
    ['Weekly limit reached ∙ resets Nov 18 at 5:15pm (America/New_York)', '2026-11-18T22:16:00.000Z'],
    ['Weekly limit reached ∙ resets Jan 2, 9am (UTC)', '2027-01-02T09:01:00.000Z'],
    ["You've hit your usage limit. Try again in 4 days 23 hours 5 minutes.", '2026-11-20T12:26:00.000Z'],
    ['usage limit reached, resets in 2h 15m', '2026-11-15T15:36:00.000Z'],
    ["You've hit your usage limit. Try again at Nov 16th, 2026 3:04 PM (UTC).", '2026-11-16T15:05:00.000Z'],
    ["You've hit your usage limit, resets at 2026-11-16T15:04:05Z", '2026-11-16T15:04:05.000Z'],
    ['usage limit reached. Try again after 2026-11-16 15:04 UTC', '2026-11-16T15:05:00.000Z'],
    ['usage limit reached, available at 2026-11-16T15:04:05.250+02:00.', '2026-11-16T13:04:05.250Z'],
    ["You've hit your usage limit. Try again in 40 seconds.", '2026-11-15T13:20:40.000Z'],
    ["You've hit your usage limit. Try again in less than a minute.", '2026-11-15T13:21:00.000Z'],
  ])('%s', (text, expected) => expect(at(text)).toBe(expected));
});

test.each([
  ['in the minute that the clock names', '2026-11-15T14:29:00.000Z', '2026-11-15T14:30:00.000Z'],
  ['in its last second', '2026-11-15T14:29:59.900Z', '2026-11-15T14:30:00.000Z'],
  ['at its end', '2026-11-15T14:30:00.000Z', '2026-11-15T14:30:00.000Z'],
  ['a few minutes after it', '2026-11-15T14:36:00.000Z', '2026-11-15T14:30:00.000Z'],
  ['hours after it', '2026-11-15T18:00:00.000Z', '2026-11-16T14:30:00.000Z'],
])('a clock that is read %s', (_, now, expected) => expect(at('resets 2:29pm (UTC)', Date.parse(now))).toBe(expected));

test('a clock of before midnight that is read just after it is not the next evening', () => {
  expect(at('resets 11:58pm (UTC)', Date.parse('2026-11-16T00:01:00Z'))).toBe('2026-11-15T23:59:00.000Z');
});

test('a clock across a change of summer time is the hour that the wall will show', () => {
  expect(at('resets 9am (Europe/Berlin)', Date.parse('2026-10-24T20:00:00Z'))).toBe('2026-10-25T08:01:00.000Z');
  expect(at('resets 9am (Europe/Berlin)', Date.parse('2026-03-28T20:00:00Z'))).toBe('2026-03-29T07:01:00.000Z');
});

test('a zone that nobody knows is taken as the zone of the machine', () => {
  expect(at('resets 3pm (Middle_Earth/Shire)')).toBe(at('resets 3pm'));
});

test('text without a time has none', () => {
  for (const text of [
    'usage limit reached',
    'resets soon',
    'resets at 2026-13-45T99:99:00Z',
    'Try again later.',
    'It resets 7 counters',
    'resets 25:00',
    'port 1794750000 is used',
  ])
    expect(at(text)).toBe(null);
});

test('a used-up allowance is told from a busy provider', () => {
  for (const text of [
    'Claude AI usage limit reached|1',
    "You've hit your limit · resets 3am",
    "You've hit your usage limit.",
    '5-hour limit reached ∙ resets 3pm',
    "You've reached your weekly limit",
  ]) {
    expect(speaksOfUsageLimit(text), text).toBe(true);
  }
  for (const text of ['API Error: 529 overloaded', 'rate limit: slow down', 'the limit of ten files was reached'])
    expect(speaksOfUsageLimit(text), text).toBe(false);
});
