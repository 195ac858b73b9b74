/** Rows of a query under the names that its text gives them. */
import type { Pool } from '../store/pg-store.ts';

export async function rowsOf<Row>(pool: Pool, text: string, values?: unknown[]): Promise<Row[]> {
  return (await pool.query(text, values)).rows as Row[];
}
