/**
 * Clean rooms: directories that hold exactly one tree, written by the harness alone.
 *
 * 1. A named room is kept and brought from tree to tree at the cost of what differs; nothing of the last run survives.
 * 2. A fresh room has a path that no one has seen before. `dispose` takes it away; its files may serve for the next fresh room,
 *    under another path, after the same comparison as for a named one.
 * 3. Dependencies are those of the tree's own lockfile, installed by the harness.
 * 4. A room that was made ahead is not looked at again before its first run, where runs are sandboxed: nobody else can have reached it.
 * 5. What a room held is written down by `dispose`; without that the next look at it costs more, and is as sure.
 */
import { join } from 'node:path';
import { MANY_FILES, type CleanRooms, type Room, type TreeStore } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { ensureDependencies, notInstalled, whyBroken, type DependencyOptions } from './dependencies.ts';
import { openHarnessHome } from './harness-home.ts';
import type { Home } from './home.ts';
import { laterOf, loadHeld, saveHeld } from './held-look.ts';
import { bringTo, lookAtRoom, type HeldTree } from './large-room.ts';
import { loadManifest, saveIfWorthwhile, saveManifest, type Manifest } from './manifest.ts';
import { advance, materialise } from './materialise.ts';
import { projectKey } from './paths.ts';
import { homeTreeStore } from './tree-store.ts';

export interface CleanRoomSet extends CleanRooms {
  /** Puts the fresh rooms of this set away and writes down what each room held. */
  dispose(): Promise<void>;
}

export interface CleanRoomOptions {
  home: Home;
  harnessHome: string;
  /** The project's, for what installs leave there. */
  stateDir?: string;
  /** Listings that it already knows are not read again. */
  store?: TreeStore;
  /** Lanes judge side by side, each in rooms of its own. */
  lane?: string;
  /** Nothing outside a sandbox runs while rooms wait. Else installed files are looked at before each use, and rooms made ahead too. */
  sandboxed?: boolean;
}

const PAUSE_MS = 10;
/** Rooms that were fresh once, and serve again under another name. */
const SPARES = ['spare', 'spare-2', 'spare-3'] as const;
/** Long enough for whatever a short session does between its agent and its first run. */
const LATER_MS = 1_500;

export function createCleanRooms(platform: Platform, options: CleanRoomOptions): CleanRoomSet {
  const store = homeTreeStore(platform, options.home, options.store);
  const folder = join(options.harnessHome, 'rooms', projectKey(options.home.root), options.lane ?? 'main');
  const spares = SPARES.map((name) => join(folder, name));
  const taken = new Set<string>();
  const known = new Map<string, Manifest>();
  /** Instead of a manifest, for rooms with many files. */
  const looked = new Map<string, HeldTree>();
  const fresh: string[] = [];
  /** By name: the paths of rooms that no run has been in since they were made. */
  const ahead = new Map<string, Promise<string | null>>();
  let before: Promise<unknown> = Promise.resolve();
  /** What is made ahead and is large waits for the first that is wanted, so that a short session is not held up by rooms that it needs later. */
  let isWanted = false;
  let hurry = (): void => {};

  /** With what is known about it. */
  const move = async (from: string, to: string): Promise<void> => {
    const stat = await platform.files.lstat(from).catch(() => null);
    if (stat?.isDirectory() !== true) return;
    for (const notes of NOTES) if (await platform.files.exists(notes(from))) await platform.files.rename(notes(from), notes(to));
    await platform.files.rename(from, to);
    moveEntry(known, from, to);
    moveEntry(looked, from, to);
  };
  const remove = async (path: string): Promise<void> => {
    known.delete(path);
    looked.delete(path);
    for (const one of [path, ...NOTES.map((notes) => notes(path))]) await platform.files.remove(one);
  };
  const open = async (name: string, isFresh: boolean): Promise<string> => {
    await openHarnessHome(platform, options.harnessHome);
    await platform.files.mkdirPrivate(folder);
    if (!isFresh) return join(folder, name);
    // Its name says nothing about what it is for: whatever runs there sees it.
    const path = join(folder, `room-${platform.random.id(6)}`);
    fresh.push(path);
    const spare = spares.find((one) => !taken.has(one));
    if (spare !== undefined) {
      taken.add(spare);
      await move(spare, path);
    }
    return path;
  };
  const fill = async (path: string, tree: string): Promise<string> => {
    const isLarge = (await store.list(tree)).length >= MANY_FILES;
    const held = isLarge ? (looked.get(path) ?? (await loadHeld(platform, lookOf(path)))) : null;
    const brought = held === null ? null : await bringTo(platform, store, { path, tree, held });
    if (brought !== null) {
      looked.set(path, brought);
      return path;
    }
    looked.delete(path);
    for (const notes of [lookOf, laterLookOf]) await platform.files.remove(notes(path));
    const manifest = known.get(path) ?? (await loadManifest(platform, manifestOf(path)));
    const made = await materialise(platform, store, { path, tree, manifest });
    const look = isLarge ? await lookAtRoom(platform, path, tree) : null;
    if (look === null) known.set(path, made.manifest);
    else {
      known.delete(path);
      looked.set(path, look);
      await platform.files.remove(manifestOf(path));
    }
    return path;
  };
  const save = async (path: string): Promise<void> => {
    const held = looked.get(path);
    if (held !== undefined) looked.set(path, await saveHeld(platform, lookOf(path), held));
  };
  const pause = async (tree: string, isFirst: boolean): Promise<void> => {
    if (isFirst || isWanted || (await store.list(tree)).length < MANY_FILES) return await platform.clock.sleep(PAUSE_MS);
    const over = new AbortController();
    const wanted = new Promise<void>((resolve) => (hurry = resolve));
    await Promise.race([wanted, platform.clock.sleep(LATER_MS, over.signal).catch(() => {})]);
    over.abort();
  };
  /** After a pause, so that what the caller does next comes first. */
  const makeAhead = async (tree: string, name: string, isFresh: boolean, isFirst: boolean): Promise<string> => {
    await pause(tree, isFirst);
    const path = await fill(await open(name, isFresh), tree);
    await save(path);
    const manifest = known.get(path);
    if (manifest !== undefined && manifest.unsaved !== 0) await saveManifest(platform, manifestOf(path), manifest);
    return path;
  };
  /** The room that was made ahead, brought from its tree to this one. */
  const takeAhead = async (tree: string, name: string): Promise<string | null> => {
    const path = (await ahead.get(name)) ?? null;
    ahead.delete(name);
    if (path === null) return null;
    const held = looked.get(path);
    const brought = held === undefined ? null : await bringTo(platform, store, { path, tree, held, untouched: true });
    if (brought !== null) {
      looked.set(path, brought);
      return path;
    }
    if (held !== undefined) return await fill(path, tree);
    const manifest = known.get(path);
    if (manifest === undefined) return null;
    const advanced = await advance(platform, store, { path, tree, manifest });
    if (advanced === null) return await fill(path, tree);
    known.set(path, advanced);
    return path;
  };

  const dependenciesOf = (tree: string): DependencyOptions => ({
    store,
    tree,
    trusted: options.home.head,
    harnessHome: options.harnessHome,
    ...(options.stateDir === undefined ? {} : { stateDir: options.stateDir, root: options.home.root }),
    recheck: options.sandboxed === false,
  });
  const prepare = async (tree: string, { name, fresh: isFresh = false }: { name: string; fresh?: boolean }): Promise<Room> => {
    isWanted = true;
    hurry();
    const path = (await takeAhead(tree, name)) ?? (await fill(await open(name, isFresh), tree));
    const dependencies = await ensureDependencies(platform, dependenciesOf(tree));
    if (dependencies.failed) throw notInstalled(dependencies.detail);
    const { nested } = dependencies;
    return { path: await platform.files.realpath(path), tree, dependencies: dependencies.path, ...(nested.length === 0 ? {} : { nested }) };
  };

  const dispose = async (): Promise<void> => {
    isWanted = true;
    hurry();
    await Promise.all(ahead.values());
    ahead.clear();
    isWanted = false;
    for (const path of fresh.splice(0)) {
      const spare = await firstMissing(platform, spares);
      if (spare === null) await remove(path);
      else await move(path, spare);
    }
    taken.clear();
    for (const [path, manifest] of known) await saveIfWorthwhile(platform, manifestOf(path), manifest);
    for (const path of looked.keys()) await save(path);
    await sweep(platform, folder);
  };

  return {
    prepare,
    dispose,
    whyBroken: (tree, base) => whyBroken(platform, dependenciesOf(tree), dependenciesOf(base)),
    prepareAhead: (tree, { name, fresh: isFresh = false }) => {
      if (options.sandboxed !== true || ahead.has(name)) return;
      const isFirst = ahead.size === 0;
      const making = before.then(() => makeAhead(tree, name, isFresh, isFirst)).catch(() => null);
      ahead.set(name, making);
      before = making;
    },
  };
}

async function firstMissing(platform: Platform, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if (!(await platform.files.exists(path))) return path;
  return null;
}

/** Fresh rooms that a crash left behind. */
async function sweep(platform: Platform, folder: string): Promise<void> {
  for (const entry of await platform.files.list(folder).catch(() => [])) {
    if (/-[0-9a-f]{12}(\.manifest\.json|\.look(\.later)?)?$/.test(entry.name)) await platform.files.remove(join(folder, entry.name));
  }
}

function moveEntry<Value>(entries: Map<string, Value>, from: string, to: string): void {
  const entry = entries.get(from);
  entries.delete(from);
  if (entry !== undefined) entries.set(to, entry);
}

function lookOf(path: string): string {
  return `${path}.look`;
}

function laterLookOf(path: string): string {
  return laterOf(lookOf(path));
}

function manifestOf(path: string): string {
  return `${path}.manifest.json`;
}

/** What lies beside a room. */
const NOTES = [manifestOf, lookOf, laterLookOf];
