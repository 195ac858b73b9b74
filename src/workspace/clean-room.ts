/**
 * Clean rooms: directories that hold exactly one tree, written by the harness alone.
 *
 * 1. A named room is kept and brought from tree to tree at the cost of what differs; nothing of the last run survives.
 * 2. A fresh room has a path that no one has seen before. `dispose` takes it away; its files may serve for the next fresh room,
 *    under another path, after the same comparison as for a named one.
 * 3. Dependencies are those of the tree's own lockfile, installed by the harness.
 * 4. A room that was made ahead is not looked at again before its first run, where runs are sandboxed: no other process can have reached it.
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
import { homeTreeStore, type HomeTreeStore } from './tree-store.ts';

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

/** What others call are fields, so that each can be handed on alone. */
class Rooms implements CleanRoomSet {
  readonly #platform: Platform;
  readonly #options: CleanRoomOptions;
  readonly #store: HomeTreeStore;
  readonly #folder: string;
  readonly #spares: readonly string[];
  readonly #taken = new Set<string>();
  readonly #known = new Map<string, Manifest>();
  /** Instead of a manifest, for rooms with many files. */
  readonly #looked = new Map<string, HeldTree>();
  readonly #fresh: string[] = [];
  /** By name: the paths of rooms that no run has been in since they were made. */
  readonly #ahead = new Map<string, Promise<string | null>>();
  #before: Promise<unknown> = Promise.resolve();
  /** What is made ahead and is large waits for the first that is wanted, so that a short session is not held up by rooms that it needs later. */
  #isWanted = false;
  #hurry = (): void => {};

  constructor(platform: Platform, options: CleanRoomOptions) {
    this.#platform = platform;
    this.#options = options;
    this.#store = homeTreeStore(platform, options.home, options.store);
    this.#folder = join(options.harnessHome, 'rooms', projectKey(options.home.root), options.lane ?? 'main');
    this.#spares = SPARES.map((name) => join(this.#folder, name));
  }

  /** With what is known about it. */
  async #move(from: string, to: string): Promise<void> {
    const stat = await this.#platform.files.lstat(from).catch(() => null);
    if (stat?.isDirectory() !== true) return;
    for (const notes of NOTES)
      if (await this.#platform.files.exists(notes(from))) await this.#platform.files.rename(notes(from), notes(to));
    await this.#platform.files.rename(from, to);
    moveEntry(this.#known, from, to);
    moveEntry(this.#looked, from, to);
  }

  async #remove(path: string): Promise<void> {
    this.#known.delete(path);
    this.#looked.delete(path);
    for (const one of [path, ...NOTES.map((notes) => notes(path))]) await this.#platform.files.remove(one);
  }

  async #open(name: string, isFresh: boolean): Promise<string> {
    await openHarnessHome(this.#platform, this.#options.harnessHome);
    await this.#platform.files.mkdirPrivate(this.#folder);
    if (!isFresh) return join(this.#folder, name);
    // Its name says nothing about what it is for: whatever runs there sees it.
    const path = join(this.#folder, `room-${this.#platform.random.id(6)}`);
    this.#fresh.push(path);
    const spare = this.#spares.find((one) => !this.#taken.has(one));
    if (spare !== undefined) {
      this.#taken.add(spare);
      await this.#move(spare, path);
    }
    return path;
  }

  async #fill(path: string, tree: string): Promise<string> {
    const isLarge = (await this.#store.list(tree)).length >= MANY_FILES;
    const held = isLarge ? (this.#looked.get(path) ?? (await loadHeld(this.#platform, lookOf(path)))) : null;
    const brought = held === null ? null : await bringTo(this.#platform, this.#store, { path, tree, held });
    if (brought !== null) {
      this.#looked.set(path, brought);
      return path;
    }
    this.#looked.delete(path);
    for (const notes of [lookOf, laterLookOf]) await this.#platform.files.remove(notes(path));
    const manifest = this.#known.get(path) ?? (await loadManifest(this.#platform, manifestOf(path)));
    const made = await materialise(this.#platform, this.#store, { path, tree, manifest });
    const look = isLarge ? await lookAtRoom(this.#platform, path, tree) : null;
    if (look === null) this.#known.set(path, made.manifest);
    else {
      this.#known.delete(path);
      this.#looked.set(path, look);
      await this.#platform.files.remove(manifestOf(path));
    }
    return path;
  }

  async #save(path: string): Promise<void> {
    const held = this.#looked.get(path);
    if (held !== undefined) this.#looked.set(path, await saveHeld(this.#platform, lookOf(path), held));
  }

  async #pause(tree: string, isFirst: boolean): Promise<void> {
    if (isFirst || this.#isWanted || (await this.#store.list(tree)).length < MANY_FILES) return await this.#platform.clock.sleep(PAUSE_MS);
    const over = new AbortController();
    const wanted = new Promise<void>((resolve) => (this.#hurry = resolve));
    await Promise.race([wanted, this.#platform.clock.sleep(LATER_MS, over.signal).catch(() => {})]);
    over.abort();
  }

  /** After a pause, so that what the caller does next comes first. */
  async #makeAhead(tree: string, name: string, isFresh: boolean, isFirst: boolean): Promise<string> {
    await this.#pause(tree, isFirst);
    const path = await this.#fill(await this.#open(name, isFresh), tree);
    await this.#save(path);
    const manifest = this.#known.get(path);
    if (manifest !== undefined && manifest.unsaved !== 0) await saveManifest(this.#platform, manifestOf(path), manifest);
    return path;
  }

  /** The room that was made ahead, brought from its tree to this one. */
  async #takeAhead(tree: string, name: string): Promise<string | null> {
    const path = (await this.#ahead.get(name)) ?? null;
    this.#ahead.delete(name);
    if (path === null) return null;
    const held = this.#looked.get(path);
    const brought = held === undefined ? null : await bringTo(this.#platform, this.#store, { path, tree, held, untouched: true });
    if (brought !== null) {
      this.#looked.set(path, brought);
      return path;
    }
    if (held !== undefined) return await this.#fill(path, tree);
    const manifest = this.#known.get(path);
    if (manifest === undefined) return null;
    const advanced = await advance(this.#platform, this.#store, { path, tree, manifest });
    if (advanced === null) return await this.#fill(path, tree);
    this.#known.set(path, advanced);
    return path;
  }

  #dependenciesOf(tree: string): DependencyOptions {
    return {
      store: this.#store,
      tree,
      trusted: this.#options.home.head,
      harnessHome: this.#options.harnessHome,
      ...(this.#options.stateDir === undefined ? {} : { stateDir: this.#options.stateDir, root: this.#options.home.root }),
      recheck: this.#options.sandboxed === false,
    };
  }

  readonly prepare = async (tree: string, { name, fresh: isFresh = false }: { name: string; fresh?: boolean }): Promise<Room> => {
    this.#isWanted = true;
    this.#hurry();
    const path = (await this.#takeAhead(tree, name)) ?? (await this.#fill(await this.#open(name, isFresh), tree));
    const dependencies = await ensureDependencies(this.#platform, this.#dependenciesOf(tree));
    if (dependencies.failed) throw notInstalled(dependencies.detail);
    const { nested } = dependencies;
    return {
      path: await this.#platform.files.realpath(path),
      tree,
      dependencies: dependencies.path,
      ...(nested.length === 0 ? {} : { nested }),
    };
  };

  readonly dispose = async (): Promise<void> => {
    this.#isWanted = true;
    this.#hurry();
    await Promise.all(this.#ahead.values());
    this.#ahead.clear();
    this.#isWanted = false;
    for (const path of this.#fresh.splice(0)) {
      const spare = await firstMissing(this.#platform, this.#spares);
      if (spare === null) await this.#remove(path);
      else await this.#move(path, spare);
    }
    this.#taken.clear();
    for (const [path, manifest] of this.#known) await saveIfWorthwhile(this.#platform, manifestOf(path), manifest);
    for (const path of this.#looked.keys()) await this.#save(path);
    await sweep(this.#platform, this.#folder);
  };

  readonly whyBroken = (tree: string, base: string): Promise<string | null> => {
    return whyBroken(this.#platform, this.#dependenciesOf(tree), this.#dependenciesOf(base));
  };

  readonly prepareAhead = (tree: string, { name, fresh: isFresh = false }: { name: string; fresh?: boolean }): void => {
    if (this.#options.sandboxed !== true || this.#ahead.has(name)) return;
    const isFirst = this.#ahead.size === 0;
    const making = this.#before.then(() => this.#makeAhead(tree, name, isFresh, isFirst)).catch(() => null);
    this.#ahead.set(name, making);
    this.#before = making;
  };
}

export function createCleanRooms(platform: Platform, options: CleanRoomOptions): CleanRoomSet {
  return new Rooms(platform, options);
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
