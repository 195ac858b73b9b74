import { expect, test } from 'vitest';
import { ConfigSchema } from '../../config/schema.ts';
import { NO_USAGE } from '../../domain/money.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { exhausted } from '../../session/budget-monitor.ts';
import type { Session } from '../../session/contract.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { openDocuments } from '../documents/documents.ts';
import { openBooks } from './books.ts';
import { readCosts } from './costs-file.ts';

const platform = nodePlatform({});
const config = ConfigSchema.parse({
  project: { name: 'x' },
  testing: { full: 'true' },
  costs: { per_session_usd: 5, per_feature_usd: 6, total_project_usd: 10 },
});

function ground() {
  return { config, documents: openDocuments(platform, memoryStore(platform.clock), { onNewerState: 'abort' as const }) };
}

/** A session that has spent this much so far. */
function spending(): Session & { cost: number } {
  const session = { cost: 0, totals: () => ({ usage: NO_USAGE, cost_usd: session.cost }) } as unknown as Session & { cost: number };
  return session;
}

const running = (session_id: number) => ({ session_id, role: 'spec/critic', started: '2026-01-01T00:00:00Z', model: 'm' });

test('sessions side by side see what the others spend, while they spend it and once it is written down', async () => {
  const place = ground();
  const books = openBooks(place);
  const [one, two] = [await books.account(7), await books.account(7)];
  const other = await books.account(8);
  const [first, second, third] = [spending(), spending(), spending()];
  await one.begin(first, running(1));
  await two.begin(second, running(2));
  await other.begin(third, running(3));
  first.cost = 4;
  third.cost = 3;
  expect([one.budget.projectSpent, one.budget.featureSpent]).toEqual([3, 0]);
  expect([two.budget.projectSpent, two.budget.featureSpent]).toEqual([7, 4]);
  expect(exhausted(two.budget, 1)).toBeNull();
  expect(exhausted(two.budget, 2)?.reason).toBe('budget.feature');
  expect(exhausted(other.budget, 6)?.reason).toBe('budget.session');
  await one.record(first, 1, '2026-01-01T00:00:00Z');
  expect([two.budget.projectSpent, two.budget.featureSpent]).toEqual([7, 4]);
  const costs = await readCosts(place, { writer: false });
  expect(costs.running?.map(({ session_id }) => session_id)).toEqual([2, 3]);
  expect(costs.cumulative).toMatchObject({ total_sessions: 1, total_cost_usd: 4 });
});

test('changes that come at the same time are all written, and every number is given once', async () => {
  const place = ground();
  const books = openBooks(place);
  const accounts = await Promise.all(Array.from({ length: 6 }, () => books.account(null)));
  const numbers = await Promise.all(accounts.map(() => books.nextSession()));
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6]);
  const sessions = accounts.map(() => Object.assign(spending(), { cost: 0.5 }));
  await Promise.all(accounts.map((account, index) => account.begin(sessions[index]!, running(numbers[index]!))));
  await Promise.all(accounts.map((account, index) => account.record(sessions[index]!, numbers[index]!, '2026-01-01T00:00:00Z')));
  const costs = await readCosts(place, { writer: false });
  expect(costs.running).toBeUndefined();
  expect(costs.cumulative).toMatchObject({ total_sessions: 6, total_cost_usd: 3 });
  expect(await openBooks(place).nextSession()).toBe(7);
});
