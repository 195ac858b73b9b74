/** What becomes of a flight over which somebody died. */
import type { Flight } from '../../domain/session.ts';
import type { FlightPlace } from './contract.ts';

export function tellCutOff(place: Pick<FlightPlace, 'emit'>, flight: Pick<Flight, 'session' | 'phase' | 'cut_off'>, action: string): void {
  place.emit({ type: 'state.recovered', what: `session ${flight.session}, cut off while ${flight.cut_off ?? flight.phase}`, action });
}
