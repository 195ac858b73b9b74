/** What dead processes left lying about where living ones work as well: files of the project, scratch folders, rooms and copies. */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { sweepLocks } from '../store/lock.ts';
import { sweepShared } from '../store/sweep.ts';
import { sweepOwnFiles } from '../workspace/own-index.ts';
import { projectKey } from '../workspace/paths.ts';
import { pristineFolders } from '../workspace/pristine.ts';
import type { Place } from './place.ts';
import { LESSONS_FOLDER } from './shared-lessons.ts';

/** Paths that were removed. */
export async function sweepPlace({ platform, home, harnessHome, root }: Place): Promise<string[]> {
  const removed = await sweepOwnFiles(platform, home);
  const lanes = (
    await Promise.all(['work', 'rooms'].map((name) => foldersIn(platform, join(harnessHome, name, projectKey(home.root)))))
  ).flat();
  const lessons = join(harnessHome, LESSONS_FOLDER);
  const shared = [
    join(harnessHome, 'scratch'),
    join(harnessHome, 'cache', 'results'),
    join(harnessHome, 'cache', 'self-check'),
    lessons,
    ...lanes,
    ...lanes.flatMap(pristineFolders),
    root,
    home.root,
    join(home.commonDir, 'info'),
  ];
  for (const folder of new Set(shared)) removed.push(...(await sweepShared(platform, folder)));
  removed.push(...(await sweepLocks(platform, lessons)));
  return removed;
}

/** Says what was found torn or left behind, and what was done with it. */
export function tellSwept({ journal, emit }: Pick<Place, 'journal' | 'emit'>, removed: readonly string[]): void {
  for (const { file, bytes } of journal?.recovered ?? [])
    emit({ type: 'state.recovered', what: `half a line at the end of ${file} (${bytes} bytes)`, action: 'cut off' });
  for (const path of removed) emit({ type: 'state.recovered', what: `temporary file ${path}`, action: 'removed' });
}

export async function foldersIn(platform: Platform, folder: string): Promise<string[]> {
  const entries = await platform.files.list(folder).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}
