/**
 * Clean rooms: directories that hold exactly one tree, written by the harness alone.
 *
 * 1. A named room is kept and brought from tree to tree at the cost of what differs; nothing of the last run survives.
 * 2. A fresh room has a path that no one has seen before. `dispose` takes it away; its files may serve for the next fresh room,
 *    under another path, after the same comparison as for a named one.
 * 3. Dependencies are those of the tree's own lockfile, installed by the harness.
 */
import { join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { CleanRooms, Room, TreeStore } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { ensureDependencies } from './dependencies.ts';
import type { Home } from './home.ts';
import { loadManifest, saveManifest } from './manifest.ts';
import { materialise } from './materialise.ts';
import { projectKey } from './paths.ts';
import { homeTreeStore } from './tree-store.ts';

export interface CleanRoomSet extends CleanRooms {
  /** Removes the fresh rooms of this set. */
  dispose(): Promise<void>;
}

export interface CleanRoomOptions {
  home: Home;
  harnessHome: string;
  /** Listings that it already knows are not read again. */
  store?: TreeStore;
  /** Lanes judge side by side, each in rooms of its own. */
  lane?: string;
  /** Look at every installed file before each use: for runs without a sandbox. */
  recheckDependencies?: boolean;
}

export function createCleanRooms(platform: Platform, options: CleanRoomOptions): CleanRoomSet {
  const store = homeTreeStore(platform, options.home, options.store);
  const folder = join(options.harnessHome, 'rooms', projectKey(options.home.root), options.lane ?? 'main');
  const spare = join(folder, 'spare');
  const fresh: string[] = [];
  const prepare = async (tree: string, { name, fresh: isFresh = false }: { name: string; fresh?: boolean }): Promise<Room> => {
    const path = join(folder, isFresh ? `${name}-${platform.random.id(6)}` : name);
    if (isFresh) {
      fresh.push(path);
      await moveRoom(platform, spare, path);
    }
    const made = await materialise(platform, store, { path, tree, manifest: await loadManifest(platform, manifestOf(path)) });
    await saveManifest(platform, manifestOf(path), made.manifest);
    const dependencies = await ensureDependencies(platform, {
      store,
      tree,
      harnessHome: options.harnessHome,
      recheck: options.recheckDependencies,
    });
    if (dependencies.failed) {
      throw new HarnessError('The dependencies of the project could not be installed.', {
        exitCode: EXIT.preflight,
        next: 'retry_now',
        reasons: ['env.dependencies_failed'],
        details: [dependencies.detail, 'Check the lockfile and the network, then run again.'],
      });
    }
    const { nested } = dependencies;
    return { path: await platform.files.realpath(path), tree, dependencies: dependencies.path, ...(nested.length === 0 ? {} : { nested }) };
  };
  const dispose = async (): Promise<void> => {
    for (const path of fresh.splice(0)) {
      if (await platform.files.exists(spare)) await removeRoom(platform, path);
      else await moveRoom(platform, path, spare);
    }
    await sweep(platform, folder);
  };
  return { prepare, dispose };
}

/** Fresh rooms that a crash left behind. */
async function sweep(platform: Platform, folder: string): Promise<void> {
  for (const entry of await platform.files.list(folder).catch(() => [])) {
    if (/-[0-9a-f]{12}(\.manifest\.json)?$/.test(entry.name)) await platform.files.remove(join(folder, entry.name));
  }
}

async function moveRoom(platform: Platform, from: string, to: string): Promise<void> {
  const stat = await platform.files.lstat(from).catch(() => null);
  if (stat?.isDirectory() !== true) return;
  if (await platform.files.exists(manifestOf(from))) await platform.files.rename(manifestOf(from), manifestOf(to));
  await platform.files.rename(from, to);
}

async function removeRoom(platform: Platform, path: string): Promise<void> {
  await platform.files.remove(path);
  await platform.files.remove(manifestOf(path));
}

function manifestOf(path: string): string {
  return `${path}.manifest.json`;
}
