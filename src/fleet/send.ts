/** Sending drives, and waiting until one rests. */
import type { Platform } from '../platform/platform.ts';
import type { Pool } from '../store/pg-store.ts';
import type { DriveWish, Engine } from './engine.ts';
import { keepWish, orderFor, readProject, type Rest } from './projects.ts';
import { rowsOf } from './rows.ts';

const LOOK_MS = 500;

export async function sendDrive(pool: Pool, engine: Engine, project: string, wish: DriveWish): Promise<string> {
  const row = await readProject(pool, project);
  await keepWish(pool, project, wish);
  return await engine.send(orderFor(row, wish), {});
}

/** The project rests when none of its drives is queued or under way: one that was taken over or sent again is followed as well. */
export async function waitForRest(
  platform: Pick<Platform, 'clock'>,
  pool: Pool,
  { project, id }: { project: string; id: string },
  signal: AbortSignal,
): Promise<Rest> {
  for (;;) {
    const [row] = await rowsOf<{ open: number; failed: string | null }>(pool, OPEN, [project, id]);
    if (row?.open === 0) {
      const [rest] = await rowsOf<Rest>(pool, 'SELECT * FROM fleet.rest WHERE project = $1 AND outcome IS NOT NULL', [project]);
      if (rest !== undefined) return rest;
      throw new Error(`the drive of ${project} ended without a result (${row.failed ?? 'unknown'})`);
    }
    await platform.clock.sleep(LOOK_MS, signal);
    signal.throwIfAborted();
  }
}

const OPEN = `
  SELECT count(*) FILTER (WHERE status IN ('PENDING', 'ENQUEUED', 'DELAYED'))::int AS open,
         max(status) FILTER (WHERE workflow_uuid = $2) AS failed
    FROM dbos.workflow_status WHERE queue_partition_key = $1 OR workflow_uuid = $2`;
