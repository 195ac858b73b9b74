/** The end of a flight, and what it means for its feature. Pure. */
import type { Flight } from '../../../domain/session.ts';
import { saysNothing } from '../../../kernel/flight/not-counted.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { asksNext, changed, featureOf, WAITS, withEvidence, without } from './changes.ts';
import { KEPT, LOST } from './flown.ts';
import { featureNameOf, flightOf } from './flying.ts';
import { heldUp } from './held-up.ts';
import type { Rules } from './rules.ts';
import type { MissionEvent } from './state.ts';

export function settled(state: MissionState, event: Extract<MissionEvent, { type: 'settled' }>, rules: Rules): MissionState {
  const { session, end, evidence } = event;
  const flight = flightOf(state, session);
  const id = featureNameOf(flight);
  const next: MissionState = {
    ...state,
    flights: state.flights.filter((one) => one !== flight),
    validating: state.validating.filter((one) => one !== session),
    validated: state.validated.filter((one) => one !== session),
    unfinished: [...state.unfinished.filter((one) => one !== id), ...(evidence.kept === true ? [id] : [])],
  };
  const others = next.flights.some((one) => one.feature === flight.feature);
  if (end.kind === 'verified') return landed(next, flight, id);
  if (featureOf(next, id).status === 'passed') return next;
  if (end.message === LOST) return next;
  if (end.message === KEPT)
    return {
      ...next,
      kept: [...next.kept, id],
      features: changed(next, id, ({ attempts, notes }) => ({
        status: 'blocked',
        attempts: attempts + 1,
        notes: [...notes, `accepted: merge the branch harness/${id}`],
      })),
    };
  if (end.kind === 'needs_human')
    return {
      ...next,
      candidates: [...next.candidates.filter(({ feature }) => feature !== id), { feature: id, flight }],
      features: changed(next, id, (feature) => ({
        status: 'blocked',
        notes: [...feature.notes, `${WAITS}${evidence.message}`],
      })),
    };
  if (evidence.conflict !== null) return collided(next, id, evidence.conflict);
  const told: MissionState = {
    ...next,
    evidence: withEvidence(next.evidence, {
      feature: id,
      session,
      message: evidence.message,
      reasons: evidence.reasons,
      verdict: flight.verdict,
      base: flight.base,
      tree: end.kind === 'rejected' ? flight.tree : null,
    }),
  };
  if (evidence.blocked !== null) return blocked(told, id, evidence.blocked, rules);
  const held = heldUp(told, {
    type: 'held.up',
    reason: evidence.reasons[0] ?? 'interrupted',
    message: evidence.message,
    until: evidence.retryAt,
  });
  if (end.kind === 'cut_off' || evidence.outage || saysNothing(evidence.reasons))
    return {
      ...(end.kind === 'cut_off' ? told : held),
      features: others ? told.features : changed(told, id, () => ({ status: openStatus(told, id) })),
    };
  if (end.kind === 'not_started')
    return {
      ...held,
      stop: { reason: 'agent.failed', message: evidence.message },
      features: changed(told, id, () => ({ status: 'pending' })),
    };
  return {
    ...told,
    outages: 0,
    features: changed(told, id, ({ attempts }) => ({
      // Of several lanes for one feature the last one counts: all of them were one attempt.
      ...(others ? { status: 'working' } : { attempts: attempts + 1 }),
      ...(others ? {} : { status: attempts + 1 >= rules.maxAttempts ? 'failed' : openStatus(told, id) }),
    })),
  };
}

/** Nobody begins anew while work of another lane waits for a person. */
function openStatus({ candidates }: MissionState, id: string): 'pending' | 'blocked' {
  return candidates.some(({ feature }) => feature === id) ? 'blocked' : 'pending';
}

function landed(state: MissionState, flight: Flight, id: string): MissionState {
  return {
    ...state,
    outages: 0,
    smoked: false,
    curated: false,
    evidence: state.evidence.filter((one) => one.feature !== id),
    conflicts: without(state.conflicts, id),
    ...(state.question?.feature === id ? asksNext(state) : {}),
    candidates: state.candidates.filter(({ feature }) => feature !== id),
    features: changed(state, id, ({ attempts }) => ({ attempts: attempts + 1, status: 'passed' })),
  };
}

/** One question at a time is the architect's; a feature that is blocked in every attempt is a person's. */
function blocked(state: MissionState, id: string, text: string, rules: Rules): MissionState {
  const attempts = featureOf(state, id).attempts + 1;
  if (attempts >= rules.maxAttempts)
    return {
      ...state,
      features: changed(state, id, ({ notes }) => ({ status: 'failed', attempts, notes: [...notes, `blocked: ${text}`] })),
    };
  const question = { feature: id, text };
  return {
    ...state,
    ...(state.question === null ? { question } : { later_questions: [...state.later_questions, question] }),
    features: changed(state, id, () => ({ status: 'blocked', attempts })),
  };
}

/** Shown to a worker once; then a person brings the two together. */
function collided(state: MissionState, id: string, paths: string[]): MissionState {
  const count = (state.conflicts[id]?.count ?? 0) + 1;
  const why = `it conflicts for the second time with changes that landed in the meantime, in ${paths.slice(0, 5).join(', ')}`;
  return {
    ...state,
    conflicts: { ...state.conflicts, [id]: { count, paths } },
    features: changed(state, id, ({ notes }) => (count === 1 ? { status: 'pending' } : { status: 'failed', notes: [...notes, why] })),
  };
}
