/** The projects of a fleet as rows: where they live, what they need, and how their last drive rested. */
import { usageError } from '../domain/errors.ts';
import type { Pool } from '../store/pg-store.ts';
import type { DriveOrder, DriveWish } from './engine.ts';
import { rowsOf } from './rows.ts';

export interface ProjectRow {
  name: string;
  remote: string;
  branch: string;
  flow: DriveOrder['flow'];
  account: string;
  needs: string[];
}

export async function readProject(pool: Pool, name: string): Promise<ProjectRow> {
  const [row] = await rowsOf<ProjectRow>(pool, 'SELECT name, remote, branch, flow, account, needs FROM fleet.project WHERE name = $1', [
    name,
  ]);
  if (row !== undefined) return row;
  throw usageError(`There is no project ${name} in this fleet.`, 'List the projects with: harness fleet status');
}

export function orderFor(row: ProjectRow, wish: DriveWish): DriveOrder {
  const { name, remote, branch, flow, account, needs } = row;
  return { project: name, remote, branch, flow: wish.mission === undefined ? flow : 'mission', account, needs, wish };
}

export interface Rest {
  exit_code: number;
  outcome: string;
  reasons: string[];
  message: string;
  /** Absent: as they were. */
  waits?: string[];
  features_total?: number;
  features_verified?: number;
}

export async function keepWish(pool: Pool, project: string, wish: DriveWish): Promise<void> {
  await pool.query(
    `INSERT INTO fleet.rest (project, wish) VALUES ($1, $2)
     ON CONFLICT (project) DO UPDATE SET wish = excluded.wish, outcome = NULL, exit_code = NULL, message = NULL, changed = now()`,
    [project, JSON.stringify(wish)],
  );
}

export async function lastWish(pool: Pool, project: string): Promise<DriveWish> {
  const [row] = await rowsOf<{ wish: DriveWish | null }>(pool, 'SELECT wish FROM fleet.rest WHERE project = $1', [project]);
  return row?.wish ?? { sessions: null, lanes: null };
}

export async function keepDriver(pool: Pool, project: string, member: string): Promise<void> {
  await pool.query(
    `INSERT INTO fleet.rest (project, driver) VALUES ($1, $2)
     ON CONFLICT (project) DO UPDATE SET driver = excluded.driver, outcome = NULL, exit_code = NULL, message = NULL, changed = now()`,
    [project, member],
  );
}

/** Only by the one that drives it: a former owner tells nothing. */
export async function keepRest(pool: Pool, project: string, member: string, rest: Rest): Promise<void> {
  await pool.query(
    `UPDATE fleet.rest SET driver = NULL, exit_code = $3, outcome = $4, reasons = $5, message = $6,
            waits = coalesce($7, waits), features_total = coalesce($8, features_total), features_verified = coalesce($9, features_verified), changed = now()
      WHERE project = $1 AND driver = $2`,
    [
      project,
      member,
      rest.exit_code,
      rest.outcome,
      rest.reasons,
      rest.message,
      rest.waits ?? null,
      rest.features_total ?? null,
      rest.features_verified ?? null,
    ],
  );
}
