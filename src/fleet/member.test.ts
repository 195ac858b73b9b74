/** Liveness on a real database: who is declared dead, by whom, and when not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../platform/platform.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { openDatabase, type Database } from './database.ts';
import { join, notAlive, type Member } from './member.ts';
import { migrate } from './schema.ts';
import { FLEET_MIGRATIONS } from './tables.ts';
import { hasPostgres, startPostgres, type Postgres } from './test-support.ts';

const platform = nodePlatform({ PATH: process.env['PATH'] });
let postgres: Postgres;
let database: Database;
const members: Member[] = [];

beforeAll(async () => {
  if (!hasPostgres) return;
  postgres = await startPostgres();
  database = await openDatabase(platform, { url: postgres.url });
  await migrate(database, FLEET_MIGRATIONS);
});
afterAll(async () => {
  for (const member of members) await member.leave();
  await database?.end();
  await postgres?.dispose();
});

const FAST = { version: '0', slots: 1, labels: [], beatMs: 100, timeoutMs: 1_000 };

/** `clock`: a process that can be stopped, and whose wall clock can be set. */
async function member(name: string, clock: Clock = platform.clock): Promise<Member> {
  const duties = { busy: () => 0, beaten: async () => {}, warn: () => {} };
  const joined = await join({ clock, random: platform.random }, database, { ...FAST, name }, duties);
  members.push(joined);
  return joined;
}

interface Stoppable {
  clock: Clock;
  stop(): void;
  goOn(): void;
  setBack(ms: number): void;
}

/** Sleeps end only while it is not stopped, as in a process after SIGSTOP. */
function stoppable(): Stoppable {
  let going = Promise.resolve();
  let goOn = (): void => {};
  let offset = 0;
  return {
    clock: {
      ...platform.clock,
      now: () => platform.clock.now() + offset,
      sleep: async (ms, signal) => {
        await platform.clock.sleep(ms, signal);
        await going;
      },
    },
    stop: () => void (going = new Promise((resolve) => (goOn = resolve))),
    goOn: () => goOn(),
    setBack: (ms) => void (offset = -ms),
  };
}

async function stateOf({ id }: Member): Promise<string> {
  const { rows } = await database.query('SELECT state FROM fleet.worker WHERE id = $1', [id]);
  return String(rows[0]?.['state']);
}

test.runIf(hasPostgres)('a stopped process is declared dead, is never alive again, and hears of it when it goes on', async () => {
  const other = stoppable();
  const [judge, stopped] = [await member('judge'), await member('stopped', other.clock)];
  expect([judge.sure(), stopped.sure()]).toEqual([true, true]);
  other.stop();
  await expect.poll(() => stateOf(stopped), { timeout: 30_000 }).toBe('dead');
  expect(stopped.sure()).toBe(false);
  expect(await notAlive(database, [judge.id, stopped.id, 'never-here'])).toEqual(expect.arrayContaining([stopped.id, 'never-here']));
  other.goOn();
  await expect.poll(() => stopped.lost.aborted, { timeout: 30_000 }).toBe(true);
  expect(stopped.lost.reason).toMatchObject({ exitCode: 9 });
  expect([await stateOf(stopped), await stateOf(judge)]).toEqual(['dead', 'alive']);
});

test.runIf(hasPostgres)('nobody is declared dead by one that did not beat itself, nor because the database was away', async () => {
  const other = stoppable();
  const [one, two] = [await member('one'), await member('two', other.clock)];
  // Everybody stands still for longer than the timeout: the database is away.
  await postgres.stop('SIGKILL');
  await platform.clock.sleep(2 * FAST.timeoutMs);
  expect([one.sure(), two.sure()]).toEqual([false, false]);
  await postgres.start();
  await expect.poll(() => one.sure() && two.sure(), { timeout: 30_000 }).toBe(true);
  expect([await stateOf(one), await stateOf(two)]).toEqual(['alive', 'alive']);
});

test.runIf(hasPostgres)('a clock that was set back makes a member unsure until its next beat', async () => {
  const own = stoppable();
  const one = await member('one', own.clock);
  own.stop();
  own.setBack(60_000);
  expect(one.sure()).toBe(false);
  own.goOn();
  await expect.poll(() => one.sure(), { timeout: 30_000 }).toBe(true);
});

test.runIf(hasPostgres)('one that leaves is not alive, and two of one name are two', async () => {
  const [one, two] = [await member('same'), await member('same')];
  expect(one.id).not.toBe(two.id);
  await one.leave();
  expect([await stateOf(one), await stateOf(two)]).toEqual(['left', 'alive']);
  expect(one.sure()).toBe(false);
});
