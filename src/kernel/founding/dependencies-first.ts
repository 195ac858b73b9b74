/** What a project needs to be tested is installed before anything is written: without it nothing could be said about the project. */
import type { Platform } from '../../platform/platform.ts';
import { openPlace } from '../place.ts';

/** Ends the command where it cannot be installed. `configText`: settings that are not there yet. */
export async function installFirst(platform: Platform, root: string, configText: string | null): Promise<void> {
  const settings = configText === null ? {} : { configText };
  const place = await openPlace(platform, root, { emit: () => {}, journal: false, needs: 'project', ...settings });
  try {
    if (place.home.head !== null) await place.rooms.prepare(await place.trees.of(place.home.head), { name: 'judge' });
  } finally {
    await place.rooms.dispose();
  }
}
