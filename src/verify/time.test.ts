import { expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import type { Clock } from '../platform/platform.ts';
import { consult } from './instruments.ts';
import { startStopwatch, watchTime } from './time.ts';

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
