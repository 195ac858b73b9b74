/** What sessions came to in time and money, all together and in groups. Pure. Money that nobody knows is told as unknown, never as nothing. */
import { sumOfKnown } from '../../domain/known-money.ts';
import { isMissionFeature } from '../../domain/feature-name.ts';
import type { Costs } from '../../store/costs.ts';
import type { RoleRecord, SessionRecord } from '../../domain/session-record.ts';

export type PastRecord = SessionRecord | RoleRecord;

export interface Sum {
  sessions: number;
  seconds: number;
  /** Null: the cost of no session is known. */
  cost_usd: number | null;
  sessions_without_cost: number;
}

export interface Spent extends Sum {
  what: string;
}

export function sumOf(records: readonly PastRecord[]): Sum {
  return {
    sessions: records.length,
    seconds: records.reduce((sum, record) => sum + record.duration_seconds, 0),
    ...moneyOf(records),
  };
}

export function moneyOf(records: readonly PastRecord[]): Pick<Sum, 'cost_usd' | 'sessions_without_cost'> {
  return {
    cost_usd: sumOfKnown(records.map(({ cost_usd }) => cost_usd)),
    sessions_without_cost: records.filter((record) => record.cost_usd === null).length,
  };
}

/** Known money spent on everything. */
export function projectCost({ cumulative }: Costs): number {
  return cumulative.total_cost_usd ?? 0;
}

/** The same for people; null: sessions have run, and the cost of none is known. Documents of earlier versions said 0. */
export function shownTotal({ cumulative }: Costs): number | null {
  const { total_sessions, sessions_without_cost, total_cost_usd } = cumulative;
  return total_sessions > 0 && sessions_without_cost === total_sessions ? null : total_cost_usd;
}

/** In the order in which they first came. */
export function sumsBy(records: readonly PastRecord[], nameOf: (record: PastRecord) => string): Spent[] {
  const groups = new Map<string, PastRecord[]>();
  for (const record of records) groups.set(nameOf(record), [...(groups.get(nameOf(record)) ?? []), record]);
  return [...groups].map(([what, group]) => ({ what, ...sumOf(group) }));
}

/** The last record of each session: one that was recorded again after a crash stands once. */
export function onceEach(records: readonly PastRecord[]): PastRecord[] {
  return [...new Map(records.map((record) => [record.session_id, record])).values()];
}

export function isRoleRecord(record: PastRecord): record is RoleRecord {
  return record.role !== undefined;
}

/** With its flow, as `HARNESS_ROLE` names it. */
export function roleOf(record: PastRecord): string {
  if (isRoleRecord(record)) return record.role;
  return isOfMission(record) ? 'mission/worker' : `project/${record.prompt}`;
}

export function isOfMission(record: PastRecord): boolean {
  return isRoleRecord(record) ? record.role.startsWith('mission/') : record.feature_id !== null && isMissionFeature(record.feature_id);
}
