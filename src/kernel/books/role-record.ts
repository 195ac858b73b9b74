/**
 * What stays of a role's session: its record in `sessions.jsonl`, its end in the events, its cost.
 *
 * 1. Record and end are on the disk before the cost document says that the session is over; so one that was cut off is found by the next
 *    command, and nothing is told or counted twice.
 * 2. A session that was cut off is paid for with what it had reported until then; what it had reached by then is its outcome.
 */
import { NO_USAGE, tokensOf } from '../../domain/money.ts';
import type { Outcome, Reason } from '../../domain/reasons.ts';
import type { RoleRecord } from '../../domain/session-record.ts';
import { recordSession, type RunningSession } from '../../store/costs.ts';
import type { Place } from '../place.ts';
import { readCosts, writeCosts } from './costs-file.ts';
import { spentBy, spentIn, type Spent } from './spent.ts';

type Ground = Pick<Place, 'documents' | 'config' | 'journal' | 'history' | 'emit' | 'now'>;

export interface RoleEnd extends Spent {
  outcome: Outcome;
  reasons: Reason[];
  message: string | null;
  commit?: string;
}

export async function tellRoleEnd(ground: Ground, running: RunningSession, end: RoleEnd): Promise<void> {
  const ended = ground.now();
  recordRole(ground, running, ended, end);
  emitRoleEnd(ground, running, ended, end);
  await ground.journal?.flush();
}

function recordRole(ground: Ground, running: RunningSession, ended: string, end: RoleEnd): void {
  const record: RoleRecord = {
    session_id: running.session_id,
    prompt: running.role.slice(running.role.indexOf('/') + 1),
    role: running.role,
    started_at: running.started,
    ended_at: ended,
    duration_seconds: Math.round(millisecondsBetween(running.started, ended) / 1000),
    outcome: end.outcome,
    reasons: end.reasons,
    termination_reason: end.reasons[0] ?? 'complete',
    feature_id: running.feature_id ?? null,
    feature_completed: false,
    tokens_used: tokensOf(end.usage),
    cost_usd: end.cost_usd,
    backend: ground.config.agent.backend,
    model: running.model,
    message: end.message,
    ...(end.commit === undefined ? {} : { commit: end.commit }),
  };
  ground.journal?.session(record);
}

function emitRoleEnd(
  ground: Ground,
  running: RunningSession,
  ended: string,
  { outcome, reasons, cost_usd, usage, message, commit }: RoleEnd,
): void {
  ground.emit({
    type: 'session.end',
    session: running.session_id,
    feature: running.feature_id ?? null,
    outcome,
    reasons,
    duration_ms: millisecondsBetween(running.started, ended),
    cost_usd,
    usage,
    ...(commit === undefined ? {} : { commit }),
    ...(message === null ? {} : { message }),
  });
}

function millisecondsBetween(started: string, ended: string): number {
  return Math.max(0, Date.parse(ended) - Date.parse(started));
}

/** The commit that a session had reached before it was cut off, if any. */
export type FindCommit = (running: RunningSession) => Promise<string | null>;

/** Sessions of roles that nobody is flying any more. Called by the holder of the lock, before anything else is started. */
export async function settleCutOffRoles(ground: Ground, findCommit: FindCommit = async () => null): Promise<void> {
  const { running = [] } = await readCosts(ground, { writer: true });
  for (const session of running) await settleCutOff(ground, session, await findCommit(session));
}

async function settleCutOff(ground: Ground, running: RunningSession, commit: string | null): Promise<void> {
  const { session_id, started } = running;
  const records = await ground.history.all();
  const record = records.find((one) => one.session_id === session_id && one.started_at === started);
  const ends = await ground.history.events(`session=${session_id} type=session.end`);
  const spent =
    record === undefined
      ? ((await spentIn(ground, session_id, started)) ?? NOTHING_REPORTED)
      : spentBy(record.tokens_used, record.cost_usd);
  const end: RoleEnd = { ...spent, ...(commit === null ? CUT_OFF : { outcome: 'verified', reasons: [], message: null, commit }) };
  const now = ground.now();
  if (record === undefined) recordRole(ground, running, now, end);
  if (!ends.some((entry) => entry.ts >= started)) emitRoleEnd(ground, running, now, end);
  await ground.journal?.flush();
  const costs = await readCosts(ground, { writer: true });
  await writeCosts(ground, recordSession(costs, { session: session_id, feature: running.feature_id ?? null, started, ...spent }));
}

const CUT_OFF: Omit<RoleEnd, keyof Spent> = { outcome: 'partial', reasons: ['interrupted'], message: 'cut off when the harness ended' };
const NOTHING_REPORTED: Spent = { usage: NO_USAGE, cost_usd: null };
