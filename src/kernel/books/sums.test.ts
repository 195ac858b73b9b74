import { expect, test } from 'vitest';
import { sumOfKnown } from '../../domain/known-money.ts';
import { emptyCosts, recordSession, type Costs } from '../../store/costs.ts';
import { projectCost, shownTotal } from './sums.ts';

const NOTHING = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const START = emptyCosts('0.1.0', { per_session_usd: 1, per_feature_usd: 2, total_project_usd: 3 });
const after = (...costs: (number | null)[]): Costs =>
  costs.reduce<Costs>(
    (before, cost_usd, at) => recordSession(before, { session: at + 1, feature: 1, started: 's', usage: NOTHING, cost_usd }),
    START,
  );

test.each<[(number | null)[], number | null, number]>([
  [[], 0, 0],
  [[null], null, 0],
  [[null, null], null, 0],
  [[null, 0.25], 0.25, 0.25],
  [[0.25, null], 0.25, 0.25],
  [[0], 0, 0],
])('sessions of %j come to %s for people and %s for budgets', (costs, shown, counted) => {
  expect(shownTotal(after(...costs))).toBe(shown);
  expect(projectCost(after(...costs))).toBe(counted);
  expect(sumOfKnown(costs)).toBe(shown);
});

test('what an earlier version wrote as 0 is unknown as well', () => {
  const written = after(null);
  expect(shownTotal({ ...written, cumulative: { ...written.cumulative, total_cost_usd: 0 } })).toBeNull();
});
