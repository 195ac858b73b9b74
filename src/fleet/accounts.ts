/** Usage limits are an account's: the drive that meets one writes down when it ends, and no drive of that account starts before. */
import type { Pool } from '../store/pg-store.ts';
import { rowsOf } from './rows.ts';

/** Milliseconds since the epoch; null: the account may be used now. */
export async function limitedUntil(pool: Pool, account: string): Promise<number | null> {
  const [row] = await rowsOf<{ retry_at: Date }>(pool, 'SELECT retry_at FROM fleet.account WHERE name = $1 AND retry_at > now()', [
    account,
  ]);
  return row === undefined ? null : row.retry_at.getTime();
}

export async function keepLimit(pool: Pool, account: string, until: number): Promise<void> {
  await pool.query(
    `INSERT INTO fleet.account (name, retry_at) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET retry_at = greatest(fleet.account.retry_at, excluded.retry_at)`,
    [account, new Date(until)],
  );
}
