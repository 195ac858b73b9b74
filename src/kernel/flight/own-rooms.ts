/** Clean rooms beside those of the flights: for whoever runs tests while a session may be judged. They are gone afterwards. */
import { join } from 'node:path';
import { createCleanRooms, type CleanRoomSet } from '../../workspace/clean-room.ts';
import { projectKey } from '../../workspace/paths.ts';
import type { Place } from '../place.ts';
import { firstItem } from '../../domain/items.ts';

type Ground = Pick<Place, 'platform' | 'home' | 'harnessHome' | 'stateDir'>;

/** `name` is what the rooms are for; `count` sets of them, to work side by side. */
/** The same with one set of rooms. */
export async function withOwnRoom<Result>(ground: Ground, name: string, work: (rooms: CleanRoomSet) => Promise<Result>): Promise<Result> {
  return await withOwnRooms(ground, { name, count: 1 }, async (rooms) => await work(firstItem(rooms)));
}

export async function withOwnRooms<Result>(
  { platform, home, harnessHome, stateDir }: Ground,
  { name, count }: { name: string; count: number },
  work: (rooms: CleanRoomSet[]) => Promise<Result>,
): Promise<Result> {
  const lanes = Array.from({ length: count }, () => `${name}-${platform.random.id(6)}`);
  try {
    return await work(lanes.map((lane) => createCleanRooms(platform, { home, harnessHome, stateDir, lane })));
  } finally {
    for (const lane of lanes) await platform.files.remove(join(harnessHome, 'rooms', projectKey(home.root), lane));
  }
}
