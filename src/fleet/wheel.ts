/** What a person asks of a project of the fleet reaches it by the next drive, which is sent where none is queued or under way. */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { openRequests } from '../kernel/documents/requests.ts';
import type { Platform } from '../platform/platform.ts';
import type { Pool } from '../store/pg-store.ts';
import { fleetStore } from './add.ts';
import type { Engine } from './engine.ts';
import { lastWish, orderFor, readProject } from './projects.ts';
import { rowsOf } from './rows.ts';

const LOOK_MS = 200;

/** Ids of its drives that wait in a queue. */
async function queued(pool: Pool, project: string): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    pool,
    `SELECT workflow_uuid AS id FROM dbos.workflow_status WHERE queue_partition_key = $1 AND status IN ('ENQUEUED', 'DELAYED')`,
    [project],
  );
  return rows.map(({ id }) => id);
}

/** One that is delayed would let a person wait: another goes before it. */
export async function sendAgain(pool: Pool, engine: Engine, project: string, { resumes = false } = {}): Promise<void> {
  const wish = await lastWish(pool, project);
  await engine.send(orderFor(await readProject(pool, project), { ...wish, ...(resumes ? { resumes } : {}) }), {});
}

/** Queued drives are taken back, and the one under way is asked to end; resolves when it has. */
export async function stopProject(
  platform: Platform,
  pool: Pool,
  { engine, project, timeoutMs }: { engine: Engine; project: string; timeoutMs: number },
): Promise<string | null> {
  for (const id of await queued(pool, project)) await engine.cancel(id);
  const store = fleetStore(pool, project);
  const holder = await store.holder();
  if (holder === null) return null;
  const requests = openRequests(platform, store.in('requests'));
  await requests.ask({ kind: 'stop' });
  const deadline = platform.clock.monotonic() + timeoutMs;
  while ((await store.holder())?.token === holder.token) {
    if (platform.clock.monotonic() >= deadline)
      throw new HarnessError(`The drive of ${project} on ${holder.host} was asked to end and still runs.`, {
        exitCode: EXIT.locked,
        next: 'retry_at',
        details: ['It may be saving. Look again with: harness fleet status'],
      });
    await platform.clock.sleep(LOOK_MS);
  }
  await requests.drop('stop');
  return holder.host;
}
