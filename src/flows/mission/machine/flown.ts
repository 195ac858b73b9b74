/** A flight on its way: every event of its own, what validators say about it, and which of several is taken. Pure. */
import type { Flight } from '../../../domain/session.ts';
import { fly } from '../../../kernel/flight/machine.ts';
import { isLandable } from '../../../kernel/lanes/air.ts';
import type { MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { changed, featureOf } from './changes.ts';
import { competing, featureNameOf, flightOf } from './flying.ts';
import { freshIssues } from './issues.ts';
import type { Rules } from './rules.ts';
import type { MissionEvent } from './state.ts';

export function flown(state: MissionState, session: number, change: (flight: Flight) => Flight | null): MissionState {
  const flights = state.flights.flatMap((flight) => {
    const after = flight.session === session ? change(flight) : flight;
    return after === null ? [] : [after];
  });
  const before = flightOf(state, session);
  const after = flights.find((flight) => flight.session === session);
  const isAccepted = after?.phase === 'landing' && before.phase === 'captured';
  const again = isAccepted && after.moves > 0;
  return {
    ...state,
    flights,
    ...(isAccepted && !again ? { features: marked(state, after, { status: 'validating' }) } : {}),
    ...(after?.phase === 'working' && before.phase === 'captured' ? { validated: state.validated.filter((one) => one !== session) } : {}),
  };
}

/** No agent was started: the feature is open again, unless somebody else works on it. */
export function dropped(state: MissionState, { session, failure }: Extract<MissionEvent, { type: 'dropped' }>): MissionState {
  const flight = flightOf(state, session);
  const next = flown(state, session, () => null);
  const isOpen = !next.flights.some((one) => one.feature === flight.feature) && featureOf(state, featureNameOf(flight)).status !== 'passed';
  const { reason, message } = failure;
  return { ...next, ...(isOpen ? { features: marked(state, flight, { status: 'pending' }) } : {}), stop: { reason, message } };
}

/** Validators advise: only a proof that failed holds work back. What moved onto another commit was validated before. */
export function validated(
  state: MissionState,
  { session, holds, issues, counts, unasked }: Extract<MissionEvent, { type: 'validated' }>,
): MissionState {
  const { asked, believed, unquoted, contradicted } = state.validator;
  const next: MissionState = {
    ...state,
    validating: state.validating.filter((one) => one !== session),
    validated: [...state.validated, session],
    issues: [...state.issues, ...freshIssues(state.issues, issues)],
    validator: {
      asked: asked + (unasked === true ? 0 : 1),
      believed: believed + counts.believed,
      unquoted: unquoted + counts.unquoted,
      contradicted: contradicted + counts.contradicted,
    },
  };
  return holds === null ? next : flown(next, session, (flight) => fly(flight, { type: 'held', message: holds }));
}

/** Where nothing lands by itself, accepted work that would land now stays on its branch and waits for a person, whoever accepted it. */
export function keepAccepted(state: MissionState, { onPass }: Pick<Rules, 'onPass'>): MissionState {
  if (onPass === 'merge') return state;
  const end = { kind: 'needs_human' as const, reasons: ['gate.pending' as const] };
  return state.flights
    .filter((flight) => isLandable(flight) && state.validated.includes(flight.session) && !competing(state, flight))
    .reduce((next, { session }) => flown(next, session, (flight) => fly(flight, { type: 'held', message: KEPT, end })), state);
}

export const KEPT = 'accepted, and kept on its branch';

/** Accepted, and not taken: nothing speaks against it. */
export const LOST = 'the work of another lane was taken';

export function refereed(state: MissionState, winner: number): MissionState {
  const best = flightOf(state, winner);
  return state.flights
    .filter(({ session, feature }) => session !== winner && feature === best.feature)
    .reduce(
      (next, { session }) =>
        flown(next, session, (flight) => fly(flight, { type: 'held', message: LOST, end: { kind: 'rejected', reasons: [] } })),
      state,
    );
}

function marked(state: MissionState, flight: Flight, change: Partial<QueueFeature>): QueueFeature[] {
  return changed(state, featureNameOf(flight), () => change);
}
