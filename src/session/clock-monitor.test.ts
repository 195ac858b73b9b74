import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockMonitor, type ClockSettings } from './clock-monitor.ts';
import type { Directive, WatchInput } from './monitor.ts';

const MINUTE = 60_000;
const SETTINGS: ClockSettings = { timeoutMs: 60 * MINUTE, warningMs: 50 * MINUTE };

describe('the clock of a session', () => {
  test('warns once and ends once, counted from the first sign of the session', () => {
    const said = run([1_000, 50 * MINUTE, 50 * MINUTE + 1_000, 55 * MINUTE, 60 * MINUTE, 60 * MINUTE + 1_000, 90 * MINUTE]);
    expect(said.map((directives) => directives.map((directive) => directive.kind).join())).toEqual(['', '', 'inject', '', '', 'stop', '']);
    expect(said[2]![0]).toMatchObject({ limit: 'time', text: expect.stringContaining('10 minutes left') });
    expect(said[5]).toEqual([{ kind: 'stop', limit: 'time', reason: 'timeout', message: expect.stringContaining('60 minutes') }]);
  });

  test('ends without a warning when nobody looked in between', () => {
    expect(run([0, 61 * MINUTE]).flat()).toMatchObject([{ kind: 'stop' }]);
  });

  test('never promises less than a minute', () => {
    expect(run([0, 60 * MINUTE - 1])[1]![0]).toMatchObject({ text: expect.stringContaining('1 minute left') });
  });

  test('fires each threshold once and in order, whatever the times are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 200 }), { maxLength: 40, size: 'max' }),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 300 }),
        (steps, warningMs, timeoutMs) => {
          let now = 5;
          const times = steps.map((step) => (now += step));
          const said = run(times, { warningMs, timeoutMs }).flat();
          const elapsed = times.map((time) => time - times[0]!);
          const warned = elapsed.some((time) => time >= warningMs && time < timeoutMs);
          const stopped = elapsed.some((time) => time >= timeoutMs);
          expect(said.map((directive) => directive.kind)).toEqual([...(warned ? ['inject'] : []), ...(stopped ? ['stop'] : [])]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function run(times: readonly number[], settings: ClockSettings = SETTINGS): (readonly Directive[])[] {
  const monitor = clockMonitor(settings);
  let state = monitor.initial;
  return times.map((at, index) => {
    const input: WatchInput = index % 2 === 0 ? { kind: 'tick', at } : { kind: 'event', event: { type: 'text', text: 'x' }, at };
    const [next, directives] = monitor.step(state, input);
    state = next;
    return directives;
  });
}
