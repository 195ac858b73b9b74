/** Which flight works on what. Pure. */
import { featureKey } from '../../../domain/feature-name.ts';
import type { Flight } from '../../../domain/session.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { mustHave } from '../../../domain/must-have.ts';

export function nameOf({ feature }: Pick<Flight, 'feature'>): string | null {
  return feature === null ? null : featureKey(feature);
}

export function flightOf({ flights }: Pick<MissionState, 'flights'>, session: number | undefined): Flight {
  return mustHave(
    flights.find((flight) => flight.session === session),
    `session ${session ?? 'of this step'} is flying`,
  );
}

/** The feature of a worker's flight. */
export function featureNameOf(flight: Flight): string {
  return mustHave(nameOf(flight), 'a worker of a mission flies for a feature');
}

/** Others fly for the same feature: only the best of them lands. */
export function competing({ flights }: Pick<MissionState, 'flights'>, flight: Flight): boolean {
  return flights.some((other) => other.session !== flight.session && other.feature === flight.feature && other.phase !== 'settling');
}
