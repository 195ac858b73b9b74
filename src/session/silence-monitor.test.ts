import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Directive, WatchInput } from './monitor.ts';
import { silenceMonitor } from './silence-monitor.ts';

const LIMIT = 600_000;
const tick = (at: number): WatchInput => ({ kind: 'tick', at });
const text = (at: number): WatchInput => ({ kind: 'event', event: { type: 'text', text: 'x' }, at });

describe('silence', () => {
  test('is measured from the last sign of life and ends the wait exactly at the limit', () => {
    expect(times([tick(0), text(100), tick(LIMIT + 99), tick(LIMIT + 100)])).toEqual([LIMIT + 100]);
  });

  test('names what happened', () => {
    expect(run([tick(0), tick(LIMIT)])[1]).toEqual([
      { kind: 'stop', limit: 'silence', reason: 'stalled', message: 'nothing heard from the agent for 600 seconds' },
    ]);
  });

  test('does not count the time before the agent had the word', () => {
    expect(times([text(0), { kind: 'turn', fresh: false, at: 2 * LIMIT }, tick(2 * LIMIT + 250)])).toEqual([]);
    expect(times([tick(LIMIT * 5), tick(LIMIT * 5 + 1)])).toEqual([]);
  });

  test('is not broken by changed files, which an agent did not tell', () => {
    expect(times([tick(0), { kind: 'files', changed: 1, at: LIMIT - 1 }, tick(LIMIT)])).toEqual([LIMIT]);
  });

  test('is no silence while a tool is at work, though not for ever', () => {
    const call = (at: number): WatchInput => ({ kind: 'event', event: { type: 'tool', id: 'a', name: 'shell', input: {} }, at });
    const result = (at: number): WatchInput => ({
      kind: 'event',
      event: { type: 'tool_result', id: 'a', name: 'shell', ok: true, output: '' },
      at,
    });
    const long = 25 * 60_000;
    expect(times([call(0), tick(long), result(long), tick(long + LIMIT - 1)])).toEqual([]);
    expect(times([call(0), result(1), tick(LIMIT + 1)])).toEqual([LIMIT + 1]);
    expect(times([call(0), text(1), tick(LIMIT + 1)])).toEqual([LIMIT + 1]);
    expect(times([call(0), tick(30 * 60_000)])).toEqual([30 * 60_000]);
  });

  test('fires only, and always, when the limit has passed since the last sign or the last alarm', () => {
    const step = fc.record({ after: fc.nat({ max: LIMIT }), kind: fc.constantFrom('tick', 'text') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        let now = 0;
        const inputs = steps.map(({ after, kind }) => (kind === 'tick' ? tick((now += after)) : text((now += after))));
        const expected: number[] = [];
        let last: number | null = null;
        for (const input of inputs) {
          const over = input.kind === 'tick' && last !== null && input.at - last >= LIMIT;
          if (over) expected.push(input.at);
          if (over || input.kind === 'event' || last === null) last = input.at;
        }
        expect(times(inputs)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

function times(inputs: readonly WatchInput[]): number[] {
  return run(inputs).flatMap((directives, index) => (directives.length > 0 ? [inputs[index]!.at] : []));
}

function run(inputs: readonly WatchInput[]): (readonly Directive[])[] {
  const monitor = silenceMonitor(LIMIT);
  let state = monitor.initial;
  return inputs.map((input) => {
    const [next, directives] = monitor.step(state, input);
    state = next;
    return directives;
  });
}
