/**
 * What documents hold that a project must not be able to bring along: decisions of people, and sessions whose verdict is being carried out.
 *
 * Everything else in a document is evidence: it is judged again, or a person is asked.
 */
import type { Flight, FlightPhase, ProjectState } from '../../domain/session.ts';
import type { MissionState } from '../mission-schema.ts';
import type { StoredCheck } from './self-check-document.ts';

export interface Decisions<Value> {
  /** Whether there are any. */
  any(value: Value): boolean;
  /** What the seal covers. */
  of(value: Value): unknown;
  /** The document as if nobody had decided anything; null: nothing is left of it. */
  without(value: Value): Value | null;
}

/** Before anything was judged. */
const UNJUDGED: ReadonlySet<FlightPhase> = new Set(['preparing', 'working', 'salvaging', 'capturing', 'captured']);

function unjudged(flight: Flight | null): Flight | null {
  return flight !== null && UNJUDGED.has(flight.phase) ? { ...flight, accepted: null, verdict: null } : null;
}

const unjudgedOf = (flights: readonly Flight[]): Flight[] => flights.flatMap((flight) => unjudged(flight) ?? []);

export const STATE_DECISIONS: Decisions<ProjectState> = {
  any: ({ overrides, skipped, notes, handoff, flight, beside }) =>
    [overrides, skipped, notes, beside].some((list) => list.length > 0) || handoff !== null || flight !== null,
  of: ({ overrides, skipped, notes, handoff, flight, beside }) => [overrides, skipped, notes, handoff, flight, beside],
  without: (state) => ({
    ...state,
    overrides: [],
    skipped: [],
    notes: [],
    handoff: null,
    flight: unjudged(state.flight),
    beside: unjudgedOf(state.beside),
  }),
};

export const MISSION_DECISIONS: Decisions<MissionState> = {
  any: ({ grants, answers, flights, candidates }) => [grants, answers, flights, candidates].some((list) => list.length > 0),
  of: ({ grants, answers, flights, candidates }) => [grants, answers, flights, candidates],
  without: (mission) => ({
    ...mission,
    grants: [],
    answers: [],
    flights: unjudgedOf(mission.flights),
    candidates: mission.candidates.map((candidate) => ({ ...candidate, flight: { ...candidate.flight, accepted: null } })),
  }),
};

/** A result that is taken for true without looking again. */
export const CHECK_DECISIONS: Decisions<StoredCheck> = {
  any: () => true,
  of: (check) => check,
  without: () => null,
};
