/** `harness fleet up`: both schemas, once, under a lock. Workers check them and never change them. */
import type { Platform } from '../platform/platform.ts';
import { keepUrl, type Connection } from './connect.ts';
import { openDatabase } from './database.ts';
import { migrateEngine } from './engine.ts';
import { migrate } from './schema.ts';
import { FLEET_MIGRATIONS } from './tables.ts';

const LOCK = 4_400_502;
const KEEP_MS = 1_000;

export async function setUp(platform: Platform, { packages, pool, url }: Connection): Promise<{ applied: string[]; settings: string }> {
  await underLock(platform, url, () => migrateEngine(packages, url));
  const applied = await migrate(pool, FLEET_MIGRATIONS);
  return { applied, settings: await keepUrl(platform, url) };
}

/** The lock is the session's and not a transaction's: the engine builds indexes that wait for every open transaction. */
async function underLock(platform: Platform, url: string, work: () => Promise<void>): Promise<void> {
  const session = await openDatabase(platform, { url, connections: 1, patienceMs: 0 });
  const over = new AbortController();
  try {
    while ((await session.query('SELECT pg_try_advisory_lock($1) AS taken', [LOCK])).rows[0]?.['taken'] !== true)
      await platform.clock.sleep(KEEP_MS);
    const kept = keep(platform, session, over.signal);
    await work().finally(() => over.abort());
    await kept;
  } finally {
    await session.end();
  }
}

/** An idle connection would be closed, and the lock with it. */
async function keep(platform: Platform, session: { query(text: string): Promise<unknown> }, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await session.query('SELECT 1');
    await platform.clock.sleep(KEEP_MS, over);
  }
}
