/** What all missions of a machine have learned lies in one folder; one process at a time reads it, adds to it and writes it. */
import { join } from 'node:path';
import { folderStore } from '../store/folder-store.ts';
import { holdWhenFree, isHeldByOthers } from './hold-when-free.ts';
import type { Place } from './place.ts';

export const LESSONS_FOLDER = 'identity';
const PATIENCE = { command: 'harness mission run', seconds: 60 };

/** Where another process keeps the folder for long, the work is left out, and that is told: no mission ends because of it. */
export async function withLessons(
  place: Pick<Place, 'platform' | 'signal' | 'harnessHome' | 'emit'>,
  work: () => Promise<void>,
): Promise<void> {
  const folder = join(place.harnessHome, LESSONS_FOLDER);
  try {
    await holdWhenFree(place, folderStore(place.platform, folder), PATIENCE, work);
  } catch (error) {
    if (!isHeldByOthers(error)) throw error;
    place.emit({ type: 'warning', message: `another process writes in ${folder}: what was learned here is not kept for other missions` });
  }
}
