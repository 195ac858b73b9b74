/**
 * The state document from the journal, for when the document itself was damaged and set aside. Pure.
 *
 * 1. Session numbers, counters and the current feature follow from the records of sessions; unfinished work from the refs that hold it.
 * 2. What only people said (skips, overrides, a pause, a handoff) is in no record: it is named as lost, never guessed.
 */
import type { ProjectState } from '../../../domain/session.ts';
import type { SessionRecord } from '../../../domain/session-record.ts';
import { saysNothing } from '../../../kernel/flight/not-counted.ts';
import { initialState } from './document.ts';

export interface RebuildInput {
  /** Oldest first. */
  records: readonly SessionRecord[];
  /** Unfinished work, by feature. */
  kept: readonly { feature: number; ref: string; tree: string }[];
  harnessVersion: string;
  now: string;
}

export function rebuildState(input: RebuildInput): ProjectState {
  const records = [...new Map(input.records.map((record) => [record.session_id, record])).values()].toSorted(
    (a, b) => a.session_id - b.session_id,
  );
  const state = initialState(input.harnessVersion, input.now);
  const last = records.at(-1);
  if (last === undefined) return state;
  const feature = last.feature_id ?? records.findLast((record) => record.feature_id !== null)?.feature_id ?? null;
  const kept = input.kept.find((one) => one.feature === feature && last.outcome !== 'verified') ?? null;
  const { failures, sinceCleanup } = count(records);
  return {
    ...state,
    last_session: last.session_id,
    status: last.outcome === 'verified' ? 'complete' : last.outcome === 'rejected' ? 'failed' : 'partial',
    current_feature: feature,
    termination_reason: last.outcome === 'verified' ? null : (last.reasons[0] ?? 'error'),
    stuck_count: feature === null ? 0 : (failures[String(feature)] ?? 0),
    timeout_count: timeouts(records),
    failures,
    features_since_cleanup: sinceCleanup,
    wip: kept === null ? null : { ...kept, message: 'found again after the state was lost' },
    next_prompt: kept === null ? 'coding' : 'continuation',
    last_record: last,
  };
}

/** As the machine counts them, one session after the other. */
function count(records: readonly SessionRecord[]): { failures: Record<string, number>; sinceCleanup: number } {
  const failures: Record<string, number> = {};
  let sinceCleanup = 0;
  for (const record of records) {
    const key = record.feature_id === null ? 'cleanup' : String(record.feature_id);
    if (record.outcome === 'verified') {
      delete failures[key];
      sinceCleanup = record.prompt === 'cleanup' ? 0 : sinceCleanup + 1;
    } else if (countsAgainst(record)) {
      failures[key] = (failures[key] ?? 0) + 1;
      if (record.prompt === 'cleanup') sinceCleanup = 0;
    }
  }
  return { failures, sinceCleanup };
}

function countsAgainst(record: SessionRecord): boolean {
  return record.outcome !== 'needs_human' && record.outage !== true && !saysNothing(record.reasons);
}

function timeouts(records: readonly SessionRecord[]): number {
  const since = records.findLastIndex((record) => record.outcome === 'verified');
  return records.slice(since + 1).filter((record) => record.reasons.includes('timeout')).length;
}
