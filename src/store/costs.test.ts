import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CostsSchema, emptyCosts, featureCost, recordSession, type SessionCost } from './costs.ts';

const budgets = { per_session_usd: 10, per_feature_usd: 25, total_project_usd: 200 };
const start = emptyCosts('0.1.0', budgets);
const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 50, cache_creation_input_tokens: 10 };
const record = (session: number, feature: number | null, cost_usd: number | null): SessionCost => ({
  session,
  feature,
  started: '2026-01-01T00:00:00Z',
  usage,
  cost_usd,
});

test('sessions add up, in all and by feature', () => {
  const costs = [record(1, 1, 0.1), record(2, 1, 0.2), record(3, 2, 0.4)].reduce(recordSession, start);
  expect(costs.cumulative).toEqual({
    total_sessions: 3,
    total_tokens: { input: 330, output: 60, cached: 150 },
    total_cost_usd: 0.7,
    sessions_without_cost: 0,
    by_feature: [
      { feature_id: 1, cost_usd: 0.3, sessions: 2 },
      { feature_id: 2, cost_usd: 0.4, sessions: 1 },
    ],
  });
  expect(featureCost(costs, 1)).toBe(0.3);
  expect(featureCost(costs, 9)).toBe(0);
  expect(CostsSchema.parse(costs)).toEqual(costs);
});

test('a session of unknown cost counts as a session and not as money', () => {
  const costs = recordSession(start, record(1, 4, null));
  expect(costs.current_session?.cost_usd).toBeNull();
  expect(costs.cumulative).toMatchObject({
    total_sessions: 1,
    total_cost_usd: null,
    sessions_without_cost: 1,
    by_feature: [{ feature_id: 4, cost_usd: null, sessions: 1, sessions_without_cost: 1 }],
  });
});

test('recording a session again replaces what was recorded for it', () => {
  const money = fc.option(fc.integer({ min: 0, max: 50_000_000 }).map((millionths) => millionths / 1_000_000));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.option(fc.integer({ min: 1, max: 4 })), money), { minLength: 1, maxLength: 8 }),
      money,
      (sessions, revised) => {
        const records = sessions.map(([feature, cost], index) => record(index + 1, feature, cost));
        const last = { ...records.at(-1)!, cost_usd: revised };
        const twice = recordSession(records.reduce(recordSession, start), last);
        expect(twice).toEqual([...records.slice(0, -1), last].reduce(recordSession, start));
      },
    ),
  );
});

test('sessions that run side by side and are recorded again, in whichever order, count once each', () => {
  const rounds = [record(1, 1, 0.1), record(2, 2, 0.2), record(1, 1, 0.3), record(3, null, null), record(2, 2, 0.25), record(1, 1, 0.5)];
  const costs = rounds.reduce(recordSession, start);
  expect(costs.cumulative).toMatchObject({
    total_sessions: 3,
    total_cost_usd: 0.75,
    sessions_without_cost: 1,
    by_feature: [
      { feature_id: 1, cost_usd: 0.5, sessions: 1 },
      { feature_id: 2, cost_usd: 0.25, sessions: 1 },
    ],
  });
  expect(costs.sessions?.map((entry) => [entry.session_id, entry.cost_usd])).toEqual([
    [3, null],
    [2, 0.25],
    [1, 0.5],
  ]);
});

test('a number that is used again later is another session, and old books are gone on with', () => {
  const { sessions: _none, ...old } = recordSession(start, record(1, 1, 0.1));
  const again = recordSession(recordSession(old, record(1, 1, 0.2)), { ...record(1, 1, 0.4), started: '2026-02-01T00:00:00Z' });
  expect(again.cumulative).toMatchObject({ total_sessions: 2, total_cost_usd: 0.6 });
});
