import { expect, test } from 'vitest';
import { NO_USAGE } from '../../domain/money.ts';
import { emptyCosts, recordSession, type Costs } from '../../store/costs.ts';
import { budgetMarks } from './books.ts';

const none = emptyCosts('1', { per_session_usd: 10, per_feature_usd: 20, total_project_usd: 100 });
const spend = (costs: Costs, session: number, cost_usd: number | null): Costs =>
  recordSession(costs, { session, feature: 7, started: `s${session}`, usage: NO_USAGE, cost_usd });
const marks = (before: Costs, after: Costs, session: number): string[] =>
  budgetMarks(before, after, session, 7).map(({ scope, percent }) => `${scope} ${percent}`);

test('a mark is passed once, however often the session is recorded', () => {
  const first = spend(none, 1, 8.1);
  expect(marks(none, first, 1)).toEqual(['session 80']);
  const more = spend(first, 1, 9);
  expect(marks(first, more, 1)).toEqual([]);
  const second = spend(more, 2, 7.5);
  expect(marks(more, second, 2)).toEqual(['feature 80']);
  expect(marks(second, spend(second, 3, 84), 3)).toEqual(['session 100', 'feature 100', 'project 100']);
});

test('what nobody knows passes nothing, and a budget of nothing has no marks', () => {
  expect(marks(none, spend(none, 1, null), 1)).toEqual([]);
  const free = { ...none, budgets: { per_session_usd: 0, per_feature_usd: 0, total_project_usd: 0 } };
  expect(marks(free, spend(free, 1, 5), 1)).toEqual([]);
});
