import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../domain/money.ts';
import { budgetMonitor, exhausted, type BudgetSettings } from './budget-monitor.ts';
import type { Directive, WatchInput } from './monitor.ts';

const NONE: BudgetSettings = { perSession: null, perFeature: null, perProject: null, featureSpent: 0, projectSpent: 0 };

describe('a budget', () => {
  test('warns at four fifths of the session and ends it when it is used up', () => {
    const said = run({ ...NONE, perSession: 10 }, [5, 2.9, 0.1, 1, 1, 1]);
    expect(said.map((directives) => directives.map((directive) => directive.kind).join())).toEqual(['', '', 'inject', '', 'stop', '']);
    expect(said[2]![0]).toMatchObject({ text: expect.stringContaining('$8.00 of $10.00') });
    expect(said[4]).toEqual([
      { kind: 'stop', limit: 'budget', reason: 'budget.session', message: expect.stringContaining('$10.00 of $10.00') },
    ]);
  });

  test('counts what feature and project had spent before', () => {
    expect(run({ ...NONE, perFeature: 10, featureSpent: 9 }, [1]).flat()).toMatchObject([{ kind: 'stop', reason: 'budget.feature' }]);
    expect(run({ ...NONE, perProject: 10, projectSpent: 9 }, [0.5, 0.5]).flat()).toMatchObject([
      { kind: 'stop', reason: 'budget.project' },
    ]);
  });

  test('that several reach at once is named by the narrowest', () => {
    const all = { ...NONE, perSession: 1, perFeature: 1, perProject: 1 };
    expect(exhausted(all, 1)?.reason).toBe('budget.session');
    expect(exhausted({ ...all, perSession: 2 }, 1)?.reason).toBe('budget.feature');
    expect(exhausted({ ...all, perSession: 2, perFeature: null }, 1)?.reason).toBe('budget.project');
  });

  test('of nothing allows nothing, and none at all allows everything', () => {
    expect(exhausted({ ...NONE, perSession: 0 }, 0)?.reason).toBe('budget.session');
    expect(exhausted(NONE, 1_000_000)).toBeNull();
  });

  test('is never passed without a word: exactly one stop, at the first event that reaches a limit', () => {
    const limit = fc.option(fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(
        fc.record({
          perSession: limit,
          perFeature: limit,
          perProject: limit,
          featureSpent: fc.nat({ max: 10 }),
          projectSpent: fc.nat({ max: 10 }),
        }),
        fc.array(fc.option(fc.nat({ max: 8 })), { maxLength: 30, size: 'max' }),
        (settings, costs) => {
          const said = run(settings, costs);
          let spent = 0;
          const reached = costs.findIndex((cost) => (spent += cost ?? 0) >= 0 && cost !== null && exhausted(settings, spent) !== null);
          const stops = said.flatMap((directives, index) => directives.filter((directive) => directive.kind === 'stop').map(() => index));
          expect(stops).toEqual(reached === -1 ? [] : [reached]);
          const warnings = said.flatMap((directives, index) =>
            directives.filter((directive) => directive.kind === 'inject').map(() => index),
          );
          expect(warnings.length).toBeLessThanOrEqual(1);
          if (reached !== -1) expect(warnings.every((index) => index < reached)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

function run(settings: BudgetSettings, costs: readonly (number | null)[]): (readonly Directive[])[] {
  const monitor = budgetMonitor(settings);
  let state = monitor.initial;
  return costs.map((cost_usd) => {
    const input: WatchInput = {
      kind: 'event',
      at: 0,
      event: { type: 'usage', usage: NO_USAGE, context_tokens: 0, cost_usd, estimated: false },
    };
    const [next, directives] = monitor.step(state, input);
    state = next;
    return directives;
  });
}
