/** Which flight works on what. Pure. */
import { featureKey } from '../../../domain/feature-name.ts';
import type { Flight } from '../../../domain/session.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';

export function nameOf({ feature }: Pick<Flight, 'feature'>): string | null {
  return feature === null ? null : featureKey(feature);
}

/** Others fly for the same feature: only the best of them lands. */
export function competing({ flights }: Pick<MissionState, 'flights'>, flight: Flight): boolean {
  return flights.some((other) => other.session !== flight.session && other.feature === flight.feature && other.phase !== 'settling');
}
