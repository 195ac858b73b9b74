/** Where one flight flies: the place, with rooms of the flight's own lane. */
import type { Flight } from '../../domain/session.ts';
import { createCleanRooms, type CleanRoomSet } from '../../workspace/clean-room.ts';
import type { FlightPlace } from '../flight/contract.ts';

export function lanePlace<Place extends FlightPlace>(place: Place, { lane }: Pick<Flight, 'lane'>): Place {
  return lane === null ? place : { ...place, rooms: roomsOf(place, lane) };
}

function roomsOf({ platform, home, harnessHome, stateDir, trees, laneRooms }: FlightPlace, lane: string): CleanRoomSet {
  const known = laneRooms.get(lane) ?? createCleanRooms(platform, { home, harnessHome, stateDir, store: trees, lane });
  laneRooms.set(lane, known);
  return known;
}

export async function disposeLanes({ laneRooms }: Pick<FlightPlace, 'laneRooms'>): Promise<void> {
  for (const rooms of laneRooms.values()) await rooms.dispose();
  laneRooms.clear();
}
