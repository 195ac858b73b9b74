import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../domain/money.ts';
import { contextMonitor, type ContextSettings } from './context-monitor.ts';
import type { Directive, Monitor, WatchInput } from './monitor.ts';

const SETTINGS: ContextSettings = { windowTokens: 1_000, warnThreshold: 0.75, forceThreshold: 0.9 };

describe('the context window', () => {
  test('is noted at half, warned about, asked to be wrapped up, and ends the session', () => {
    const said = run(contextMonitor(SETTINGS), [499, 500, 749, 750, 899, 900, 999, 1_000].map(usage));
    expect(said.map((directives) => directives.map((directive) => directive.kind).join())).toEqual([
      '',
      'note',
      '',
      'inject',
      '',
      'inject',
      '',
      'stop',
    ]);
    expect(said.at(-1)).toEqual([{ kind: 'stop', limit: 'context', reason: 'context_limit', message: expect.stringContaining('1000') }]);
    expect(said[3]![0]).toMatchObject({ text: expect.stringContaining('75%') });
    expect(said[5]![0]).toMatchObject({ text: expect.stringContaining('90%') });
  });

  test('that fills in one leap says the last word only', () => {
    expect(run(contextMonitor(SETTINGS), [usage(950)]).flat()).toMatchObject([{ kind: 'inject', text: expect.stringContaining('90%') }]);
    expect(run(contextMonitor(SETTINGS), [usage(5_000)]).flat()).toMatchObject([{ kind: 'stop' }]);
  });

  test('is warned about at its own threshold even below half', () => {
    const said = run(contextMonitor({ windowTokens: 1_000, warnThreshold: 0.3, forceThreshold: 0.4 }), [300, 400, 500].map(usage));
    expect(said.map((directives) => directives.map((directive) => directive.kind).join())).toEqual(['inject', 'inject', '']);
  });

  test('of a new conversation is watched from the start again', () => {
    const monitor = contextMonitor(SETTINGS);
    expect(run(monitor, [usage(950), { kind: 'turn', fresh: true, at: 0 }, usage(760)]).flat()).toHaveLength(2);
    expect(run(monitor, [usage(950), { kind: 'turn', fresh: false, at: 0 }, usage(760)]).flat()).toHaveLength(1);
  });

  test('is told about once for each threshold, in order, whatever the sizes and whatever else happens', () => {
    const other: WatchInput[] = [
      { kind: 'tick', at: 1 },
      { kind: 'files', changed: 3, at: 1 },
      { kind: 'event', event: { type: 'text', text: '100% of the window' }, at: 1 },
    ];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 1_200 }).map(usage), fc.constantFrom(...other)), { maxLength: 40, size: 'max' }),
        (inputs) => {
          const expected: number[] = [];
          let highest = 0;
          for (const input of inputs) {
            const tokens = input.kind === 'event' && input.event.type === 'usage' ? input.event.context_tokens : 0;
            const level = [500, 750, 900, 1_000].filter((threshold) => tokens >= threshold).length;
            if (level > highest) expected.push((highest = level));
          }
          const said = run(contextMonitor(SETTINGS), inputs).flat();
          expect(said.map(levelOf)).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function levelOf(directive: Directive): number {
  if (directive.kind === 'note') return 1;
  if (directive.kind === 'stop') return 4;
  return directive.text.includes('75%') ? 2 : 3;
}

function usage(context_tokens: number): WatchInput {
  return { kind: 'event', at: 0, event: { type: 'usage', usage: NO_USAGE, context_tokens, cost_usd: null, estimated: false } };
}

function run<State>(monitor: Monitor<State>, inputs: readonly WatchInput[]): (readonly Directive[])[] {
  let state = monitor.initial;
  return inputs.map((input) => {
    const [next, directives] = monitor.step(state, input);
    state = next;
    return directives;
  });
}
