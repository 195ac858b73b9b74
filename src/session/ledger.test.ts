import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../agents/contract.ts';
import { costOf, NO_USAGE } from '../domain/money.ts';
import type { BudgetSettings } from './budget-monitor.ts';
import { openLedger, type Ledger } from './ledger.ts';

const PRICE = { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 };
const NONE: BudgetSettings = { perSession: null, perFeature: null, perProject: null, featureSpent: 0, projectSpent: 0 };

describe('the ledger', () => {
  test('adds up what is reported, at its reported or its listed price', () => {
    const step = fc.record({ tokens: fc.nat({ max: 100_000 }), output: fc.nat({ max: 5_000 }), cost: fc.option(fc.nat({ max: 100 })) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const { ledger, warnings } = open({ budget: NONE });
        for (const { tokens, output, cost } of steps) ledger.account(usage(tokens, output, cost));
        const expected = steps.reduce(
          (sum, { tokens, output, cost }) => sum + (cost ?? costOf({ ...NO_USAGE, input_tokens: tokens, output_tokens: output }, PRICE)),
          0,
        );
        expect(ledger.totals().cost_usd ?? 0).toBeCloseTo(expected, 6);
        expect(ledger.totals().usage.input_tokens).toBe(steps.reduce((sum, { tokens }) => sum + tokens, 0));
        expect(ledger.totals().context_tokens).toBe(steps.at(-1)?.tokens ?? 0);
        expect(warnings).toEqual([]);
      }),
    );
  });

  test('books no estimate', () => {
    const { ledger } = open({ budget: NONE });
    ledger.beforeRequest({ input_tokens: 1_000_000 });
    expect(ledger.totals()).toEqual({ usage: NO_USAGE, cost_usd: null, context_tokens: 0 });
  });

  test('lets no request go that would pass a budget by its estimate, and says which and why', () => {
    const { ledger } = open({ budget: { ...NONE, perSession: 100, perProject: 2, projectSpent: 1 } });
    expect(ledger.beforeRequest({ input_tokens: 100_000 })).toBe('go');
    expect(ledger.refusal()).toBeNull();
    expect(ledger.beforeRequest({ input_tokens: 1_000_000 })).toBe('stop');
    expect(ledger.refusal()).toMatchObject({ reason: 'budget.project', message: expect.stringContaining('next request') });
    ledger.account(usage(10, 0, 5));
    expect(ledger.beforeRequest({ input_tokens: 0 })).toBe('stop');
    expect(ledger.refusal()?.message).not.toContain('next request');
  });

  test('expects the cheap price for what was just sent, and the full one once the provider forgot it', () => {
    const budget = { ...NONE, perSession: 4 };
    const { ledger, clock } = open({ budget });
    ledger.account(usage(1_000_000, 0, null));
    expect(ledger.beforeRequest({ input_tokens: 1_000_000 })).toBe('go');
    clock.now += 5 * 60_000;
    expect(ledger.beforeRequest({ input_tokens: 1_000_000 })).toBe('stop');
  });

  test('says once that a cost is unknown, and does not call it zero', () => {
    const { ledger, warnings } = open({ budget: NONE, price: null });
    expect(ledger.account(usage(10, 10, null))).toMatchObject({ cost_usd: null });
    ledger.account(usage(10, 10, null));
    ledger.close();
    expect(ledger.totals().cost_usd).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('"model-x"')]);
  });

  test('says at the end that nothing was reported at all', () => {
    const { ledger, warnings } = open({ budget: NONE });
    ledger.close();
    ledger.close();
    expect(warnings).toEqual([expect.stringContaining('no usage')]);
  });
});

function usage(tokens: number, output: number, cost_usd: number | null): AgentEvent {
  return {
    type: 'usage',
    usage: { ...NO_USAGE, input_tokens: tokens, output_tokens: output },
    context_tokens: tokens,
    cost_usd,
    estimated: false,
  };
}

function open(given: { budget: BudgetSettings; price?: null }): { ledger: Ledger; warnings: string[]; clock: { now: number } } {
  const warnings: string[] = [];
  const clock = { now: 0 };
  const price = given.price === null ? null : PRICE;
  return {
    ledger: openLedger({ price, model: 'model-x', budget: given.budget, now: () => clock.now, warn: (message) => warnings.push(message) }),
    warnings,
    clock,
  };
}
