/** What a fleet looks like now: its machines, its projects, what is queued. */
import type { Pool } from '../store/pg-store.ts';
import { readPurses, type PurseView } from './purse.ts';
import { rowsOf } from './rows.ts';

export interface FleetStatus {
  workers: { id: string; host: string; state: string; slots: number; busy: number; beat_age_ms: number; version: string }[];
  projects: {
    name: string;
    /** `queued`, `driving`, `resting`, or `given up` by the engine after too many attempts. */
    state: string;
    /** How its last drive rested; null: none has yet, or one is under way. */
    rests: string | null;
    /** Questions that wait for a person. */
    waits: string[];
    features: { total: number; verified: number };
  }[];
  queued: number;
  /** Accounts with a limit. */
  purses: PurseView[];
}

const WORKERS = `
  SELECT id, host, state, slots, busy, version,
         round(extract(epoch FROM clock_timestamp() - beat) * 1000)::float8 AS beat_age_ms
    FROM fleet.worker
   WHERE state = 'alive' OR beat > clock_timestamp() - interval '1 hour'
   ORDER BY state, id`;

const PROJECTS = `
  SELECT p.name,
         CASE WHEN bool_or(w.status = 'PENDING') THEN 'driving'
              WHEN bool_or(w.status IN ('ENQUEUED', 'DELAYED')) THEN 'queued'
              WHEN bool_or(w.status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED') THEN 'given up'
              ELSE 'resting' END AS state,
         r.outcome AS rests, coalesce(r.waits, '{}') AS waits,
         coalesce(r.features_total, 0) AS total, coalesce(r.features_verified, 0) AS verified
    FROM fleet.project p
    LEFT JOIN fleet.rest r ON r.project = p.name
    LEFT JOIN dbos.workflow_status w
           ON w.queue_partition_key = p.name AND w.status IN ('PENDING', 'ENQUEUED', 'DELAYED', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED')
   GROUP BY p.name, r.project
   ORDER BY p.name`;

const QUEUED = `SELECT count(*)::int AS queued FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'DELAYED')`;

export async function fleetStatus(pool: Pool): Promise<FleetStatus> {
  const [workers, projects, queued, purses] = await Promise.all([
    rowsOf<FleetStatus['workers'][number]>(pool, WORKERS),
    rowsOf<{ name: string; state: string; rests: string | null; waits: string[]; total: number; verified: number }>(pool, PROJECTS),
    rowsOf<{ queued: number }>(pool, QUEUED),
    readPurses(pool),
  ]);
  return {
    workers,
    projects: projects.map(({ total, verified, ...row }) => ({ ...row, features: { total, verified } })),
    queued: queued[0]?.queued ?? 0,
    purses,
  };
}

export function describeFleet({ workers, projects, queued, purses }: FleetStatus): string {
  const machines = workers.map(
    ({ id, state, slots, busy, beat_age_ms, version }) =>
      `  ${state.padEnd(6)} ${id}  ${busy} of ${slots} slots busy, beat ${(beat_age_ms / 1_000).toFixed(1)} s ago, version ${version}`,
  );
  const rows = projects.map(
    ({ name, state, rests, waits, features }) =>
      `  ${name.padEnd(20)} ${[state, ...(rests === null ? [] : [rests])].join(', ')}; ${features.verified} of ${features.total} features${
        waits.length === 0 ? '' : `; waits for you: ${waits.join(', ')}`
      }`,
  );
  return [
    'Machines',
    ...(machines.length === 0 ? ['  none: start one with harness fleet worker'] : machines),
    'Projects',
    ...(rows.length === 0 ? ['  none: add one with harness fleet add'] : rows),
    `Queued: ${queued}`,
    ...(purses.length === 0 ? [] : [describePurses(purses)]),
  ].join('\n');
}

export function describePurses(purses: readonly PurseView[]): string {
  const rows = purses.map((one) => {
    const parts = [
      ...(one.limit_usd === null
        ? []
        : [`$${one.spent_usd.toFixed(2)} of $${one.limit_usd.toFixed(2)} spent, $${one.reserved_usd.toFixed(2)} reserved`]),
      ...(one.limit_sessions === null ? [] : [`${one.unpriced_sessions} of ${one.limit_sessions} sessions of unknown cost`]),
      `${one.under_way} session${one.under_way === 1 ? '' : 's'} under way${one.at_once === null ? '' : `, at most ${one.at_once}`}`,
    ];
    return `  ${one.account.padEnd(20)} ${parts.join('; ')}`;
  });
  return ['Purses', ...(rows.length === 0 ? ['  none: no account has a limit over its projects'] : rows)].join('\n');
}
