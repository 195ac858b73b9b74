/**
 * A walk over a directory that trusts nothing in it: lstat only, links never followed, unreadable directories reported.
 * Paths are relative with forward slashes.
 */
import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';

export interface WalkedEntry {
  path: string;
  name: string;
  stat: BigIntStats;
}

export interface Walk {
  /** Everything that is not a directory. */
  files: WalkedEntry[];
  directories: WalkedEntry[];
  /** What could not be listed or looked at. */
  unreadable: string[];
}

export interface WalkOptions {
  /** Which entries of one level to leave out; called once for each level with all of its entries. */
  leaveOut?(level: readonly WalkedEntry[]): Promise<ReadonlySet<string>>;
  /** What a folder holds, where not everything in it is to be walked. */
  list?: typeof listFolder;
}

/** Level by level, so that a whole level can be judged at once before anything below it is looked at. */
export async function walkDirectory(platform: Platform, root: string, options: WalkOptions = {}): Promise<Walk> {
  const walk: Walk = { files: [], directories: [], unreadable: [] };
  let level = [''];
  while (level.length > 0) {
    const entries = (
      await concurrently(level, 16, (folder) => (options.list ?? listFolder)(platform, root, folder, walk.unreadable))
    ).flat();
    const leftOut = (await options.leaveOut?.(entries)) ?? new Set<string>();
    level = [];
    for (const entry of entries) {
      if (leftOut.has(entry.path)) continue;
      if (entry.stat.isDirectory()) {
        walk.directories.push(entry);
        level.push(entry.path);
      } else {
        walk.files.push(entry);
      }
    }
  }
  return walk;
}

export async function listFolder(platform: Platform, root: string, folder: string, unreadable: string[]): Promise<WalkedEntry[]> {
  const listed = await platform.files.listStats(join(root, folder)).catch(() => null);
  if (listed === null) {
    unreadable.push(folder);
    return [];
  }
  const entries: WalkedEntry[] = [];
  for (const { name, stat } of listed) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (stat === null) unreadable.push(path);
    else entries.push({ path, name, stat });
  }
  return entries;
}
