/**
 * Removes what an interrupted write left behind in the state directory.
 *
 * 1. Called by the holder of the project's lock only.
 * 2. Symbolic links are not followed.
 */
import { join } from 'node:path';
import { TEMPORARY_PREFIX } from '../platform/files.ts';
import type { Platform } from '../platform/platform.ts';

/** Paths that were removed. */
export async function sweepTemporaries(platform: Platform, folder: string): Promise<string[]> {
  if (!(await platform.files.exists(folder))) return [];
  const removed: string[] = [];
  for (const entry of await platform.files.list(folder)) {
    const path = join(folder, entry.name);
    if (isLeftover(entry.name) && !entry.isDirectory()) {
      await platform.files.remove(path);
      removed.push(path);
    } else if (entry.isDirectory()) {
      removed.push(...(await sweepTemporaries(platform, path)));
    }
  }
  return removed;
}

function isLeftover(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX) || name.includes('lock.takeover-');
}
