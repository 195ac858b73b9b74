/** Against a real server: what the projects of an account reserve and spend together. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account, Books } from '../kernel/books/books.ts';
import type { Session } from '../session/contract.ts';
import { exhausted } from '../session/budget-monitor.ts';
import { mayBeGivenBack, openShare, readPurses, setPurse, type Share } from './purse.ts';
import { migrate } from './schema.ts';
import { FLEET_MIGRATIONS } from './tables.ts';
import { createFleetBench, hasPostgres, type FleetBench } from './test-support.ts';

let bench: FleetBench;
beforeAll(async () => {
  if (!hasPostgres) return;
  bench = await createFleetBench();
  await migrate(bench.database, FLEET_MIGRATIONS);
});
afterAll(async () => {
  await bench?.dispose();
});

/** The books of a project as far as a purse reads them: what is recorded, and sessions that cost something. */
function booksOf(project: { recorded: number }, perSession: number | null): Books {
  const account = async (): Promise<Account> => ({
    budget: {
      perSession,
      perFeature: null,
      perProject: null,
      featureSpent: 0,
      get projectSpent() {
        return project.recorded;
      },
    },
    begin: async () => {},
    join: () => {},
    record: async (session) => {
      project.recorded += session.totals().cost_usd ?? 0;
    },
  });
  return { account, inTurn: (work) => work(), nextSession: async () => 1 };
}

function costing(cost_usd: number | null): Session {
  return { totals: () => ({ cost_usd }) } as unknown as Session;
}

interface Shop {
  name: string;
  project: { recorded: number };
  books: Books;
  share: Share;
  /** Another machine takes it over. */
  reopen(): void;
}

let shops = 0;

async function shop(account: string, perSession: number | null, recorded = 0): Promise<Shop> {
  const name = `shop-${(shops += 1)}`;
  await bench.addProject(name);
  await bench.database.query('UPDATE fleet.project SET account = $2 WHERE name = $1', [name, account]);
  const project = { recorded };
  const one = { name, project } as Shop;
  one.reopen = () => {
    one.share = openShare(bench.database, name);
    one.books = one.share.books(booksOf(project, perSession));
  };
  one.reopen();
  return one;
}

async function purse(account: string) {
  return (await readPurses(bench.database)).find((one) => one.account === account);
}

const mayStart = ({ budget }: Account): boolean => exhausted(budget, 0) === null;

test.runIf(hasPostgres)('without a purse nothing is limited', async () => {
  const free = await shop('free', 10);
  expect((await free.books.account(1)).budget.perPurse).toBe(null);
  expect(await purse('free')).toBe(undefined);
});

test.runIf(hasPostgres)(
  'a session reserves its limit and gives back the rest; what was spent before the fleet does not count',
  async () => {
    await setPurse(bench.database, 'team', { usd: 5 });
    const [one, other] = [await shop('team', 2, 40), await shop('team', 3)];
    const account = await one.books.account(1);
    account.join(costing(0));
    expect(await purse('team')).toMatchObject({ spent_usd: 0, reserved_usd: 2.2, under_way: 1 });
    // 3.30 does not fit beside 2.20, and the other project may still give some back.
    const refused = await other.books.account(1);
    expect(mayStart(refused)).toBe(false);
    expect(exhausted(refused.budget, 0)?.reason).toBe('budget.purse');
    expect(await mayBeGivenBack(bench.database, other.name)).toBe(true);
    await account.record(costing(0.5), 1, '');
    await one.share.rest();
    expect(await purse('team')).toMatchObject({ spent_usd: 0.5, reserved_usd: 0, under_way: 0 });
    expect(mayStart(await other.books.account(1))).toBe(true);
    expect(await mayBeGivenBack(bench.database, one.name)).toBe(true);
  },
);

test.runIf(hasPostgres)('when less than a limit is left and nothing is reserved, the session gets what is left', async () => {
  await setPurse(bench.database, 'rest', { usd: 2.75 });
  const one = await shop('rest', 10);
  const { budget } = await one.books.account(1);
  expect(exhausted(budget, 2.4)).toBe(null);
  expect(exhausted(budget, 2.5)?.reason).toBe('budget.purse');
  one.project.recorded = 0.1;
  expect(mayStart(await one.books.account(1))).toBe(false);
});

test.runIf(hasPostgres)('what a killed session had reserved counts until its project reports again', async () => {
  await setPurse(bench.database, 'dead', { usd: 4.4 });
  const [one, other] = [await shop('dead', 4), await shop('dead', 4)];
  (await one.books.account(1)).join(costing(0));
  expect(mayStart(await other.books.account(1))).toBe(false);
  // It had spent 1 dollar; the next owner finds that in its journal, and nothing more to do.
  one.project.recorded = 1;
  one.reopen();
  await one.share.rest();
  expect(await purse('dead')).toMatchObject({ spent_usd: 1, reserved_usd: 0 });
  const { budget } = await other.books.account(1);
  expect(exhausted(budget, 3)).toBe(null);
  expect(exhausted(budget, 3.1)?.reason).toBe('budget.purse');
});

test.runIf(hasPostgres)('sessions at once, and sessions of unknown cost', async () => {
  await setPurse(bench.database, 'busy', { at_once: 1, sessions: 2 });
  const [one, other] = [await shop('busy', 10), await shop('busy', 10)];
  const account = await one.books.account(1);
  account.join(costing(null));
  expect(mayStart(await other.books.account(1))).toBe(false);
  await account.record(costing(null), 1, '');
  await account.record(costing(null), 1, '');
  await one.share.rest();
  const last = await other.books.account(1);
  expect(mayStart(last)).toBe(true);
  last.join(costing(null));
  await last.record(costing(null), 7, '');
  await other.share.rest();
  expect(await purse('busy')).toMatchObject({ unpriced_sessions: 2, under_way: 0 });
  expect(mayStart(await one.books.account(1))).toBe(false);
});

test.runIf(hasPostgres)('a purse over five projects is never exceeded, whatever dies', async () => {
  await setPurse(bench.database, 'five', { usd: 5 });
  const all = await Promise.all(Array.from({ length: 5 }, () => shop('five', 0.5)));
  let seed = 7;
  const chance = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  let begun = 0;
  let killed = 0;
  const drive = async (one: Shop): Promise<void> => {
    for (let round = 0; round < 12; round += 1) {
      const account = await one.books.account(1);
      if (!mayStart(account)) continue;
      account.join(costing(0));
      begun += 1;
      // As much as its limits let it, and one request over them.
      const most = Math.min(account.budget.perSession!, account.budget.perPurse! - account.budget.projectSpent);
      const cost = most * (chance() < 0.5 ? 1.1 : chance());
      if (chance() < 0.3) {
        killed += 1;
        one.project.recorded += cost;
        one.reopen();
      } else await account.record(costing(cost), round, '');
    }
    await one.share.rest();
  };
  await Promise.all(all.map((one) => drive(one)));
  const spent = all.reduce((sum, { project }) => sum + project.recorded, 0);
  expect(begun).toBeGreaterThan(10);
  expect(killed).toBeGreaterThan(1);
  expect(spent).toBeLessThanOrEqual(5 + 1e-9);
  expect(await purse('five')).toMatchObject({ spent_usd: expect.closeTo(spent, 6), reserved_usd: 0, under_way: 0 });
});
