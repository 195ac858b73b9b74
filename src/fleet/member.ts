/**
 * Liveness: who of the fleet is alive. The engine has none across its executors.
 *
 * 1. An id is one incarnation of one process and is never used again.
 * 2. A heart beat changes the row only while it is `alive`. No row changed means that this process was declared dead: it ends its sessions and exits.
 * 3. Death is one statement that looks and judges at once. It is never taken back.
 * 4. Only a process that has itself beaten without a gap for the whole timeout judges others, and only a database that has been up for longer
 *    than the timeout is believed: after a pause of the judge or of the database everybody gets the whole timeout again.
 * 5. `sure()` counts from before the last beat was sent, by both clocks: a clock that was set back, or a machine that slept, makes it false.
 */
import { hostname } from 'node:os';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import type { Pool } from '../store/pg-store.ts';
import { rowsOf } from './rows.ts';

export interface Member {
  id: string;
  /** Asked before every effect that leaves the machine. */
  sure(): boolean;
  /** Aborted when this process was declared dead. */
  lost: AbortSignal;
  leave(): Promise<void>;
}

export interface Membership {
  name: string;
  version: string;
  slots: number;
  labels: readonly string[];
  beatMs: number;
  timeoutMs: number;
}

/** What a worker does beside living; asked and told at every beat. */
export interface Duties {
  busy(): number;
  beaten(member: Member): Promise<void>;
  warn(message: string): void;
}

export const BEAT_MS = 5_000;
export const TIMEOUT_MS = 30_000;

type Ground = Pick<Platform, 'clock' | 'random'>;

export async function join(platform: Ground, pool: Pool, me: Membership, duties: Duties): Promise<Member> {
  const host = hostname();
  const id = [me.name, host, process.pid, platform.random.id(6)].join('.');
  const lost = new AbortController();
  const over = new AbortController();
  let known = stampOf(platform);
  await pool.query(
    `INSERT INTO fleet.worker (id, name, host, version, slots, labels, state, beat, steady)
     VALUES ($1, $2, $3, $4, $5, $6, 'alive', clock_timestamp(), clock_timestamp())`,
    [id, me.name, host, me.version, me.slots, [...me.labels]],
  );
  const member: Member = {
    id,
    sure: () => !lost.signal.aborted && !over.signal.aborted && isFresh(known, stampOf(platform), me),
    lost: lost.signal,
    leave: async () => {
      over.abort();
      await beating;
      await pool.query(`UPDATE fleet.worker SET state = 'left' WHERE id = $1 AND state = 'alive'`, [id]).catch(() => {});
    },
  };
  const beat = async (): Promise<void> => {
    const sent = stampOf(platform);
    const alive = await inTime(platform, me.beatMs, beatOnce(pool, id, duties.busy(), me));
    if (!alive) return lost.abort(declaredDead(me));
    known = sent;
    await declareDead(pool, id, me.timeoutMs);
    await duties.beaten(member);
  };
  const beating = (async () => {
    while (!over.signal.aborted && !lost.signal.aborted) {
      await beat().catch((error: unknown) => duties.warn(`the database of the fleet does not answer: ${firstLine(error)}`));
      await platform.clock.sleep(me.beatMs, AbortSignal.any([over.signal, lost.signal]));
    }
  })();
  return member;
}

/** A network that was cut gives no answer at all. */
async function inTime<Result>({ clock }: Ground, ms: number, work: Promise<Result>): Promise<Result> {
  const done = new AbortController();
  const late = clock.sleep(ms, done.signal).then(() => {
    if (!done.signal.aborted) throw new Error('no answer in time');
    return work;
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

/** False: the row is no longer alive. */
async function beatOnce(pool: Pool, id: string, busy: number, { timeoutMs }: Membership): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE fleet.worker
        SET steady = CASE WHEN clock_timestamp() - beat > make_interval(secs => $3) THEN clock_timestamp() ELSE steady END,
            beat = clock_timestamp(), busy = $2
      WHERE id = $1 AND state = 'alive'`,
    [id, busy, timeoutMs / 2_000],
  );
  return rowCount === 1;
}

async function declareDead(pool: Pool, judge: string, timeoutMs: number): Promise<void> {
  await pool.query(
    `UPDATE fleet.worker SET state = 'dead'
      WHERE state = 'alive' AND beat < clock_timestamp() - make_interval(secs => $2)
        AND pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => $2)
        AND EXISTS (SELECT 1 FROM fleet.worker WHERE id = $1 AND state = 'alive'
                       AND steady < clock_timestamp() - make_interval(secs => $2)
                       AND beat > clock_timestamp() - make_interval(secs => $2))`,
    [judge, timeoutMs / 1_000],
  );
}

/** Those of these ids whose process is declared dead, has left or was never here. */
export async function notAlive(pool: Pool, ids: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    pool,
    `SELECT id FROM unnest($1::text[]) AS asked(id)
      WHERE NOT EXISTS (SELECT 1 FROM fleet.worker w WHERE w.id = asked.id AND w.state = 'alive')`,
    [[...ids]],
  );
  return rows.map(({ id }) => id);
}

interface Stamp {
  monotonic: number;
  wall: number;
}

function stampOf({ clock }: Pick<Platform, 'clock'>): Stamp {
  return { monotonic: clock.monotonic(), wall: clock.now() };
}

/** What is begun while this holds can end before anybody else takes over. */
function isFresh(then: Stamp, now: Stamp, { beatMs, timeoutMs }: Membership): boolean {
  const left = timeoutMs - 2 * beatMs;
  const wall = now.wall - then.wall;
  return now.monotonic - then.monotonic < left && wall < left && wall > -beatMs;
}

function declaredDead({ timeoutMs }: Membership): HarnessError {
  return new HarnessError('This worker was declared dead by the others, and its work has gone to them.', {
    exitCode: EXIT.locked,
    details: [
      `It had sent no heart beat for ${timeoutMs / 1_000} seconds: it was stopped, its machine slept, or it could not reach the database.`,
    ],
  });
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message || String(error) : String(error)).split('\n')[0]!;
}
