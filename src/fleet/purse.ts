/**
 * The purse of an account: what all its projects may spend together, and how many sessions it bears.
 *
 * 1. A session begins only when its limit is reserved, with a tenth more for the request that is under way when the limit is reached.
 * 2. What a project tells are absolute figures of its own books, so that a statement that is repeated, or a drive that another machine takes
 *    over, counts nothing twice. What a session that was killed had reserved stays reserved until the project next reports.
 * 3. If less than a session's limit is left and no other project has reserved anything, the session gets what is left, provided it is at least a quarter of the limit.
 * 4. Sessions of unknown cost are counted instead.
 */
import type { Account, Books } from '../kernel/books/books.ts';
import { mustHave } from '../domain/must-have.ts';
import type { Pool } from '../store/pg-store.ts';
import { rowsOf } from './rows.ts';

/** What is not named stays as it is; null: no limit. */
export interface PurseLimits {
  usd?: number | null;
  sessions?: number | null;
  at_once?: number | null;
}

export interface PurseView {
  account: string;
  limit_usd: number | null;
  spent_usd: number;
  reserved_usd: number;
  limit_sessions: number | null;
  /** Sessions of unknown cost. */
  unpriced_sessions: number;
  at_once: number | null;
  under_way: number;
}

export async function setPurse(pool: Pool, account: string, { usd, sessions, at_once }: PurseLimits): Promise<void> {
  await pool.query('INSERT INTO fleet.account (name) VALUES ($1) ON CONFLICT DO NOTHING', [account]);
  const columns = Object.entries({ limit_usd: usd, limit_sessions: sessions, at_once }).filter(([, value]) => value !== undefined);
  for (const [column, value] of columns) await pool.query(`UPDATE fleet.account SET ${column} = $2 WHERE name = $1`, [account, value]);
}

export async function readPurses(pool: Pool): Promise<PurseView[]> {
  return await rowsOf<PurseView>(
    pool,
    `SELECT a.name AS account, a.limit_usd::float8, a.limit_sessions, a.at_once,
            coalesce(sum(s.spent), 0)::float8 AS spent_usd, coalesce(sum(s.reserved), 0)::float8 AS reserved_usd,
            coalesce(sum(s.sessions), 0)::int AS under_way, coalesce(sum(cardinality(s.unpriced)), 0)::int AS unpriced_sessions
       FROM fleet.account a
       LEFT JOIN fleet.project p ON p.account = a.name
       LEFT JOIN fleet.share s ON s.project = p.name
      WHERE a.limit_usd IS NOT NULL OR a.limit_sessions IS NOT NULL OR a.at_once IS NOT NULL
      GROUP BY a.name
      ORDER BY a.name`,
  );
}

/** Projects whose last drive rested because their purse had nothing left. */
export async function waitingForPurse(pool: Pool, account: string): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    pool,
    `SELECT p.name FROM fleet.project p JOIN fleet.rest r ON r.project = p.name
      WHERE p.account = $1 AND 'budget.purse' = ANY(r.reasons) AND r.outcome IS NOT NULL ORDER BY p.name`,
    [account],
  );
  return rows.map(({ name }) => name);
}

/** Whether another project of the account may still give back what this one needs. */
export async function mayBeGivenBack(pool: Pool, project: string): Promise<boolean> {
  const [row] = await rowsOf<{ under: number }>(
    pool,
    `SELECT coalesce(sum(s.sessions), 0)::int AS under
       FROM fleet.project me
       JOIN fleet.project p ON p.account = me.account AND p.name <> me.name
       JOIN fleet.share s ON s.project = p.name
      WHERE me.name = $1`,
    [project],
  );
  return (row?.under ?? 0) > 0;
}

export interface Share {
  /** In place of the books of a place: the same, and the purse beside them. */
  books(own: Books): Books;
  /** The drive rests: nothing of it is under way. */
  rest(): Promise<void>;
}

const ONE_REQUEST_MORE = 1.1;

export function openShare(pool: Pool, project: string): Share {
  let under = 0;
  let place: Books | null = null;
  /** How far the project's cost may go; null: as far as it likes. */
  const reserve = async (account: Account, sessions: number): Promise<number | null> => {
    const { perSession, projectSpent } = account.budget;
    const want = perSession === null ? null : sessions * perSession * ONE_REQUEST_MORE;
    const [row] = await rowsOf<{ granted: number | null }>(pool, 'SELECT fleet.reserve($1, $2, $3, $4) AS granted', [
      project,
      projectSpent,
      want,
      sessions,
    ]);
    const granted = mustHave(row, 'a function gives one row').granted;
    if (granted === null) return null;
    return projectSpent + Math.max(0, granted) / ONE_REQUEST_MORE;
  };
  const accountIn = async (own: Account): Promise<Account> => {
    const ceiling = await reserve(own, under + 1);
    return {
      ...own,
      budget: {
        perSession: own.budget.perSession,
        perFeature: own.budget.perFeature,
        perProject: own.budget.perProject,
        perPurse: ceiling,
        get featureSpent() {
          return own.budget.featureSpent;
        },
        get projectSpent() {
          return own.budget.projectSpent;
        },
      },
      begin: async (session, running) => {
        under += 1;
        await own.begin(session, running);
      },
      join: (session) => {
        under += 1;
        own.join(session);
      },
      record: async (session, number, started, how) => {
        await own.record(session, number, started, how);
        if (how === 'more') return;
        under -= 1;
        if (session.totals().cost_usd === null)
          await pool.query(`UPDATE fleet.share SET unpriced = array_append(unpriced, $2) WHERE project = $1 AND NOT $2 = ANY(unpriced)`, [
            project,
            number,
          ]);
        await reserve(own, under);
      },
    };
  };
  return {
    books: (own) => {
      place = own;
      return { ...own, account: async (feature, agent) => await accountIn(await own.account(feature, agent)) };
    },
    rest: async () => {
      under = 0;
      if (place !== null) await reserve(await place.account(null), 0);
    },
  };
}
