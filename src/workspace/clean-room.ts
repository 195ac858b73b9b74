/**
 * Clean rooms: directories that hold exactly one tree, written by the harness alone.
 *
 * 1. A named room is kept and brought from tree to tree at the cost of what differs; nothing of the last run survives.
 * 2. A fresh room has a path that no one has seen before, and is removed by `dispose`.
 * 3. Dependencies are those of the tree's own lockfile, installed by the harness.
 */
import { join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { CleanRooms, Room } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { ensureDependencies } from './dependencies.ts';
import type { Home } from './home.ts';
import { loadManifest, saveManifest } from './manifest.ts';
import { materialise } from './materialise.ts';
import { projectKey } from './paths.ts';
import { createTreeStore } from './tree-store.ts';

export interface CleanRoomSet extends CleanRooms {
  /** Removes the fresh rooms of this set. */
  dispose(): Promise<void>;
}

export interface CleanRoomOptions {
  home: Home;
  harnessHome: string;
  /** Lanes judge side by side, each in rooms of its own. */
  lane?: string;
  /** Look at every installed file before each use: for runs without a sandbox. */
  recheckDependencies?: boolean;
}

export function createCleanRooms(platform: Platform, options: CleanRoomOptions): CleanRoomSet {
  const store = createTreeStore(platform, options.home);
  const folder = join(options.harnessHome, 'rooms', projectKey(options.home.root), options.lane ?? 'main');
  const fresh: string[] = [];
  const prepare = async (tree: string, { name, fresh: isFresh = false }: { name: string; fresh?: boolean }): Promise<Room> => {
    const path = join(folder, isFresh ? `${name}-${platform.random.id(6)}` : name);
    if (isFresh) fresh.push(path);
    const manifestFile = `${path}.manifest.json`;
    const made = await materialise(platform, store, { path, tree, manifest: isFresh ? null : await loadManifest(platform, manifestFile) });
    if (!isFresh) await saveManifest(platform, manifestFile, made.manifest);
    const dependencies = await ensureDependencies(platform, { store, tree, harnessHome: options.harnessHome, recheck: options.recheckDependencies });
    if (dependencies.failed) {
      throw new HarnessError('The dependencies of the project could not be installed.', {
        exitCode: EXIT.preflight,
        next: 'retry_now',
        details: [dependencies.detail, 'Check the lockfile and the network, then run again.'],
      });
    }
    return { path: await platform.files.realpath(path), tree, dependencies: dependencies.path };
  };
  const dispose = async (): Promise<void> => {
    for (const path of fresh.splice(0)) await platform.files.remove(path);
  };
  return { prepare, dispose };
}
