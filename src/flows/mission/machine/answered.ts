/** What a person's answers change: about a candidate that waits, and at an escalation. Pure. */
import type { Flight } from '../../../domain/session.ts';
import type { MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { WAITS, candidateOf, changed, withEvidence, without } from './changes.ts';
import { nameOf } from './flying.ts';
import type { MissionEvent } from './state.ts';
import { inPhase } from '../../../domain/must-have.ts';

export function candidateAnswered(
  state: MissionState,
  { feature, accepted, text, releases }: Extract<MissionEvent, { type: 'candidate.answered' }>,
): MissionState {
  const candidate = candidateOf(state, feature);
  const candidates = state.candidates.filter((one) => one !== candidate);
  const note = text === null ? [] : [`person: ${text}`];
  if (!accepted)
    return {
      ...state,
      candidates,
      evidence: withEvidence(state.evidence, refusedByPerson(feature, candidate.flight)),
      features: changed(state, feature, ({ attempts, notes }) => ({
        status: 'pending',
        attempts: attempts + 1,
        notes: [...notes.filter(isNoWait), ...note],
      })),
    };
  const flight: Flight = {
    ...candidate.flight,
    phase: 'landing',
    lane: null,
    checkpoint: null,
    commit: null,
    end: null,
    accepted: {
      verdict: inPhase(candidate.flight, 'verdict'),
      base: candidate.flight.base,
      tree: inPhase(candidate.flight, 'tree'),
      ...(releases === undefined ? {} : { releases }),
    },
  };
  return {
    ...state,
    candidates,
    flights: [...state.flights, flight],
    features: changed(state, feature, ({ notes }) => ({ status: 'validating', notes: [...notes.filter(isNoWait), ...note] })),
  };
}

/** A person's Reject is a refusal like any other for whoever tries again. */
function refusedByPerson(feature: string, { session, verdict, base, tree, end }: Flight): MissionState['evidence'][number] {
  const message = `a person did not accept the work of session ${session}`;
  return { feature, session, message, reasons: end?.reasons ?? [], verdict, base, tree };
}

const isNoWait = (note: string): boolean => !note.startsWith(WAITS);

export function answered(state: MissionState, { option, text }: Extract<MissionEvent, { type: 'answered' }>): MissionState {
  const feature = state.escalation?.feature ?? null;
  const note = text === null ? [] : [`person: ${text}`];
  const next: MissionState = {
    ...state,
    escalation: null,
    curated: false,
    notes: [...state.notes, ...note],
    plan: { ...state.plan, tries: 0 },
  };
  if (option === 'End') return { ...state, stop: { reason: 'features.exhausted', message: 'the mission was ended at the question' } };
  const stage = isPlanned(state) ? 'working' : 'planning';
  if (feature === null) return { ...next, stage, features: next.features.map((one) => takenUp(next, one)) };
  const status = option === 'Skip it' ? 'skipped' : 'pending';
  return {
    ...next,
    stage,
    conflicts: without(state.conflicts, feature),
    debugged: without(state.debugged, feature),
    features: changed(next, feature, ({ notes }) => ({ status, attempts: 0, notes: [...notes, ...note] })),
  };
}

/** There is a plan, and nothing stands against it. */
function isPlanned({ features, plan }: MissionState): boolean {
  return features.length > 0 && plan.remarks.length === 0;
}

/** Everything open that nobody works on or waits for is tried again. */
function takenUp({ flights, candidates, kept }: MissionState, feature: QueueFeature): QueueFeature {
  const isHeld =
    flights.some((flight) => nameOf(flight) === feature.id) ||
    candidates.some((one) => one.feature === feature.id) ||
    kept.includes(feature.id);
  return isHeld || ['passed', 'skipped', 'pending'].includes(feature.status) ? feature : { ...feature, status: 'pending', attempts: 0 };
}
