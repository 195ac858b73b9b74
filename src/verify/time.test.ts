import { expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import type { Clock } from '../platform/platform.ts';
import { consult } from './instruments.ts';
import { NO_FACTS, type Check, type Facts } from './check.ts';
import type { JudgeInput } from './contract.ts';
import { Proceeding } from './proceeding.ts';
import type { Platform } from '../platform/platform.ts';
import { endedAfter, startStopwatch, timeLeft, watchTime } from './time.ts';

/** A clock that stands still until somebody sleeps. */
function testClock(): Clock & { pass(ms: number): void } {
  let at = 0;
  return {
    now: () => at,
    monotonic: () => at,
    pass: (ms) => void (at += ms),
    sleep: async (ms, signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted === true) throw new Error('aborted');
      at += ms;
    },
  };
}

test('an optional check begins nothing new after four times the suite, and says what it left out', async () => {
  const clock = testClock();
  const time = startStopwatch(clock, () => 100_000);
  let ran = 0;
  const run = (): Promise<unknown> => consult({ time }, 'controls/copies', () => ((ran += 1), []));
  clock.pass(399_000);
  await run();
  clock.pass(2_000);
  await run();
  expect({ ran, left: time.leftOut() }).toEqual({ ran: 1, left: ['controls/copies'] });
});

test('it has two minutes at least, and all it needs while the suite runs', () => {
  const clock = testClock();
  let suite: number | null = null;
  const time = startStopwatch(clock, () => suite);
  clock.pass(10_000_000);
  expect(time.isUp('neutral/standalone-tests')).toBe(false);
  suite = 1_000;
  expect(time.isUp('neutral/standalone-tests')).toBe(true);
  const short = startStopwatch(clock, () => suite);
  clock.pass(119_000);
  expect(short.isUp('neutral/standalone-tests')).toBe(false);
});

test('there is a line each minute, and one warning that names what is waited for', async () => {
  const events: HarnessEvent[] = [];
  const done = new Promise<void>((resolve) => {
    const end = watchTime({
      clock: testClock(),
      minutes: 2,
      running: () => ['control tests', 'reruns'],
      emit: (event) => {
        events.push(event as HarnessEvent);
        if (events.length < 3) return;
        end();
        resolve();
      },
    });
  });
  await done;
  expect(events.map((event) => [event.type, 'message' in event ? event.message : ''])).toEqual([
    ['progress', 'judging for 1 min; running: control tests, reruns'],
    ['warning', 'judging takes longer than 2 min (verification.max_minutes); still running: control tests, reruns'],
    ['progress', 'judging for 3 min; running: control tests, reruns'],
  ]);
});

test.each([
  ['a short suite', 1_000, 0, 600_000],
  ['a long suite', 100_000, 0, 800_000],
  ['a suite that ended long ago', 100_000, 900_000, 60_000],
])('a check may take eight times the suite, and never less than ten minutes: %s', (_, suiteMs, passed, left) => {
  const clock = testClock();
  clock.pass(passed);
  expect(timeLeft(clock, { since: 0, suiteMs })).toBe(left);
});

const untilEnded = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(new Error('ended'));
    signal?.addEventListener('abort', () => reject(new Error('ended')), { once: true });
  });

test('what takes longer is ended, and only an end from outside is an error', async () => {
  const clock = testClock();
  expect(await endedAfter(clock, { ms: 1_000, signal: undefined }, async () => 'in time')).toBe('in time');
  expect(await endedAfter(clock, { ms: 1_000, signal: undefined }, untilEnded)).toBeNull();
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(endedAfter(clock, { ms: 1_000, signal: stopped }, untilEnded)).rejects.toThrow('ended');
});

test('a check that does not finish needs review, and the finding names it', async () => {
  const input = { settings: { verification: { harness_verify: true } }, candidate: { tree: '' } } as unknown as JudgeInput;
  const proceeding = new Proceeding({ clock: testClock() } as unknown as Platform, input);
  const suite = { suite: { duration_ms: 1_000 } } as unknown as Facts['suite'];
  const check: Check = {
    id: 'controls',
    title: 'control tests',
    weight: 'reject',
    cost: 'trial',
    ends: true,
    doc: '',
    run: ({ signal }) => untilEnded(signal),
  };
  const first = { check: { ...check, title: null }, isSwitchedOff: false, duration_ms: 0 };
  proceeding.enter({ ...first, result: { findings: [], detail: '', facts: { ...NO_FACTS, suite } } });
  const performed = await proceeding.perform(check);
  expect(performed?.result.findings).toMatchObject([
    {
      check: 'controls',
      reason: 'test.timeout',
      weight: 'ask',
      message: expect.stringMatching(/^control tests did not finish in 10 minutes, .* missing$/),
    },
  ]);
});
