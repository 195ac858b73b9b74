/**
 * Flights side by side. Pure.
 *
 * 1. Each lane flies one flight, and its steps run beside those of the others.
 * 2. There is one runway: from the moment its work is accepted, a flight waits until nobody else lands. Who has it keeps it while the work is
 *    brought onto the branch's new commit and judged again there, so that no flight is overtaken twice.
 * 3. One lane is a flight in the flow's own lane: nothing else is under way then.
 */
import type { Flight } from '../../domain/session.ts';
import type { DueStep } from '../flow.ts';
import { flightStep, type FlightStep } from '../flight/machine.ts';

export interface FlightDue extends DueStep {
  name: FlightStep;
  session: number;
}

/** `mayLand`: whether accepted work may go on to land; what has begun to does so in any case. */
export function dueFlights(flights: readonly Flight[], mayLand: (flight: Flight) => boolean = () => true): FlightDue[] {
  const cleared = flights.filter((flight) => !isLandable(flight) || mayLand(flight));
  const first = onRunway(cleared);
  return cleared
    .filter((flight) => !needsRunway(flight) || flight === first)
    .map((flight) => {
      const name = flightStep(flight);
      return { key: `${name} ${flight.session}`, name, session: flight.session, ...(flight.lane === null ? {} : { lane: flight.lane }) };
    });
}

/** The flight that may land now; null: none wants to. */
export function onRunway(flights: readonly Flight[]): Flight | null {
  return flights.find(isLanding) ?? flights.find(needsRunway) ?? null;
}

/** Accepted, and nothing of its landing has begun. */
export function isLandable({ phase, commit, moves }: Flight): boolean {
  return phase === 'landing' && commit === null && moves === 0;
}

function needsRunway(flight: Flight): boolean {
  return flight.phase === 'landing' || isLanding(flight);
}

/** Begun, and not to be overtaken. */
function isLanding({ phase, commit, moves }: Flight): boolean {
  return (
    phase === 'moving' ||
    phase === 'pushing' ||
    (phase === 'captured' && moves > 0) ||
    (phase === 'landing' && (commit !== null || moves > 0))
  );
}

/** The first lane that nobody flies in, of so many; null: all are in use. A single one has no name. */
export function freeLane(flights: readonly Pick<Flight, 'lane'>[], count: number): { lane: string | null } | null {
  if (flights.length >= count) return null;
  if (count === 1) return { lane: null };
  for (let number = 1; number <= count; number++) {
    const lane = laneName(number);
    if (!flights.some((flight) => flight.lane === lane)) return { lane };
  }
  return null;
}

export function laneName(number: number): string {
  return `lane-${number}`;
}

/** 1 and up; 0 for a flight that has no lane of its own. */
export function laneNumber(lane: string | null): number {
  return lane === null ? 0 : Number(/\d+$/.exec(lane)?.[0] ?? 0);
}

/**
 * The first of the ten ports that a lane's servers may use, so that lanes on one network do not meet each other's, nor those of other projects;
 * null without lanes.
 */
export function portBase(lane: string | null, root: string): number | null {
  return lane === null ? null : FIRST_PORT + placeOf(root) * LANES * PORTS + laneNumber(lane) * PORTS;
}

/** Below the ports that systems give to outgoing connections. */
const FIRST_PORT = 20_000;
export const PORTS = 10;
const LANES = 33;
const PLACES = 36;

function placeOf(root: string): number {
  let hash = 0;
  for (const sign of root) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % PLACES;
}
