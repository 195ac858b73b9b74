/** The record of a worker's session, and its end in the events. */
import { tokensOf } from '../../../domain/money.ts';
import type { Flight } from '../../../domain/session.ts';
import type { SessionRecord } from '../../../domain/session-record.ts';
import type { Landed } from '../../../kernel/flight/steps/settle.ts';
import type { MissionPlace } from '../contract.ts';
import { LOST } from '../machine/flown.ts';

const OUTCOMES = {
  verified: 'verified',
  rejected: 'rejected',
  needs_human: 'needs_human',
  partial: 'partial',
  not_started: 'error',
  cut_off: 'partial',
} as const;

/** A settlement that was cut off is done again: what stands in the logs already is not told a second time. */
export async function tellSession(place: MissionPlace, flight: Flight, { end, spent, model, backend }: Landed): Promise<void> {
  const outcome = end.message === LOST ? 'partial' : OUTCOMES[end.kind];
  const ended_at = place.now();
  const duration_ms = Math.max(0, Date.parse(ended_at) - Date.parse(flight.started_at));
  const { session, feature, verdict, started_at } = flight;
  const commit = outcome === 'verified' ? flight.commit : null;
  const record: SessionRecord = {
    session_id: session,
    prompt: 'coding',
    started_at,
    ended_at,
    duration_seconds: Math.round(duration_ms / 1000),
    outcome,
    reasons: end.reasons,
    termination_reason: outcome === 'verified' || end.message === LOST ? 'complete' : (end.reasons[0] ?? 'error'),
    feature_id: feature,
    feature_completed: outcome === 'verified',
    tokens_used: tokensOf(spent.usage),
    cost_usd: spent.cost_usd,
    backend,
    model,
    commit,
    verdict,
    ...(end.message === '' ? {} : { message: end.message }),
  };
  const known = flight.cut_off === 'settling' ? await toldBefore(place, record) : { record: false, end: false };
  if (!known.record) place.journal?.session(record);
  if (known.end) return;
  place.emit({
    type: 'session.end',
    session,
    feature,
    outcome,
    reasons: end.reasons,
    duration_ms,
    cost_usd: spent.cost_usd,
    usage: spent.usage,
    ...(commit === null ? {} : { commit }),
    ...(verdict === null ? {} : { verdict }),
    ...(end.message === '' ? {} : { message: end.message }),
  });
}

/** A session that a person decided about later has a record for each of its ends. */
async function toldBefore(
  place: MissionPlace,
  { session_id, started_at, outcome }: SessionRecord,
): Promise<{ record: boolean; end: boolean }> {
  const records = await place.history.all();
  const ends = await place.history.events(`session=${session_id} type=session.end`);
  return {
    record: records.some((one) => one.session_id === session_id && one.started_at === started_at && one.outcome === outcome),
    end: ends.some((entry) => entry.ts >= started_at && entry['outcome'] === outcome),
  };
}
