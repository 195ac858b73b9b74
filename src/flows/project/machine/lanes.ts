/**
 * The flights of a project, one for each lane. Pure.
 *
 * 1. `flight` is the one that an event is about, `beside` are the others; in a document the oldest session stands first.
 * 2. A session without a feature (a cleanup, a repair) flies alone.
 */
import type { Flight, ProjectState } from '../../../domain/session.ts';
import { freeLane } from '../../../kernel/lanes/air.ts';
import { mustHave } from '../../../domain/must-have.ts';

type Flying = Pick<ProjectState, 'flight' | 'beside'>;

/** The session at hand, in a step or an event that belongs to one. */
export function flightOf({ flight }: Pick<Flying, 'flight'>): Flight {
  return mustHave(flight, 'a session is under way');
}

export function flightsOf({ flight, beside }: Flying): readonly Flight[] {
  return flight === null ? beside : [flight, ...beside];
}

/** Nothing is under way, held back or asked. */
export function isFree(state: ProjectState): boolean {
  const { paused, handoff, escalation, pending } = state;
  return !paused && handoff === null && escalation === null && pending === null && flightsOf(state).length === 0;
}

export function withFlight(state: Flying, flight: Flight): Flying {
  return state.flight === null ? { flight, beside: state.beside } : { flight: state.flight, beside: [...state.beside, flight] };
}

/** The project as an event about one of its flights sees it. */
export function focused<State extends Flying>(state: State, session: number): State {
  const flights = flightsOf(state);
  const flight = flights.find((one) => one.session === session);
  if (flight === undefined) throw new Error(`session ${session} is not under way`);
  return { ...state, flight, beside: flights.filter((one) => one !== flight) };
}

/** As it stands in the document. */
export function inOrder<State extends Flying>(state: State): State {
  const [flight = null, ...beside] = flightsOf(state).toSorted((a, b) => a.session - b.session);
  return { ...state, flight, beside };
}

/** Where a session would fly that begins now; null: it has to wait. */
export function laneFor(flights: readonly Flight[], lanes: number, feature: number | null): { lane: string | null } | null {
  if (feature === null || flights.some((flight) => flight.lane === null)) return flights.length === 0 ? { lane: null } : null;
  return freeLane(flights, lanes);
}
