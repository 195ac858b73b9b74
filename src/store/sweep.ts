/**
 * Removes what an interrupted write left behind.
 *
 * 1. `sweepTemporaries` is called by the holder of the project's lock only. Requests and answers come from other processes: what a living one
 *    is writing stays.
 * 2. `sweepShared` is for folders that other processes use as well: only what a dead process left there goes.
 * 3. Symbolic links are not followed.
 */
import { join } from 'node:path';
import { TEMPORARY_PREFIX } from '../platform/files.ts';
import { isInUse, isLeftBehind } from '../platform/own-name.ts';
import type { Platform } from '../platform/platform.ts';

/** Paths that were removed. `others`: folders in it that others write. */
export async function sweepTemporaries(platform: Platform, folder: string, others: readonly string[] = []): Promise<string[]> {
  if (!(await platform.files.exists(folder))) return [];
  const removed: string[] = [];
  for (const entry of await platform.files.list(folder)) {
    const path = join(folder, entry.name);
    if (isLeftover(entry.name)) {
      if (await isInUse(entry.name)) continue;
      await platform.files.remove(path);
      removed.push(path);
    } else if (entry.isDirectory() && !others.includes(entry.name)) {
      removed.push(...(await sweepTemporaries(platform, path)));
    }
  }
  return removed;
}

/** Paths that were removed, from the folder itself and not from those below it. */
export async function sweepShared(platform: Platform, folder: string): Promise<string[]> {
  const removed: string[] = [];
  for (const entry of await platform.files.list(folder).catch(() => [])) {
    if (!(await isLeftBehind(entry.name))) continue;
    await platform.files.remove(join(folder, entry.name));
    removed.push(join(folder, entry.name));
  }
  return removed;
}

function isLeftover(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX) || name.includes('lock.takeover-');
}
