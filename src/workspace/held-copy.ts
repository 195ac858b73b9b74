/**
 * What an agent's copy held when it was handed over: a note for each file, or of a large project the tree and one look at all of its files.
 *
 * 1. It lies beside the copy, out of the agent's reach, and is on the disk before the agent starts.
 * 2. A look is used only where it has a record for every file of its tree, and none is so young that a change could go unseen.
 * 3. What cannot be told by looks is made and captured file by file, as in a small project.
 */
import { dirname, join } from 'node:path';
import { MANY_FILES, type TreeEntry } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { loadHeld, laterOf, saveHeld } from './held-look.ts';
import { bringTo, differencesFrom, type HeldTree } from './large-room.ts';
import { indexStatOf, type StatOf } from './format-index.ts';
import { numbersIn, parseFile, takeLook } from './look.ts';
import { recordsFrom } from './look-pieces.ts';
import { nameFrom, printedName } from './look-record.ts';
import { takeMoment } from './look-again.ts';
import { loadManifest, saveManifest, type Manifest, type ManifestEntry } from './manifest.ts';
import { isRealDirectory, materialise } from './materialise.ts';
import type { HomeTreeStore } from './tree-store.ts';
import { itemAt } from '../domain/items.ts';

export interface HeldCopy {
  manifest: Manifest | null;
  look: HeldTree | null;
}

/** Nothing is known: everything is looked at. */
export const NOTHING_HELD: HeldCopy = { manifest: null, look: null };

export interface MadeCopy extends HeldCopy {
  /** What lstat said about a file, as far as it has the content of this entry. */
  statOf: StatOf;
  changed: number;
  /** Done when it is on the disk. */
  saved: Promise<void>;
}

/** Names at the top of every copy that belong to no tree, where they are folders. */
export const BESIDE_TREE = ['.git', 'node_modules'];

export interface MakeOptions {
  folder: string;
  tree: string;
  /** More names at the top that stay. */
  keep: readonly string[];
}

export async function makeCopy(platform: Platform, store: HomeTreeStore, { folder, tree, keep }: MakeOptions): Promise<MadeCopy> {
  const path = join(folder, 'tree');
  const before = await loadHeldCopy(platform, folder);
  const except = [...BESIDE_TREE, ...keep];
  // The look takes another processor's time, and the list this one's.
  const looking =
    before.look !== null && (await isRealDirectory(platform, path)) ? differencesFrom(platform, path, before.look, except) : null;
  looking?.catch(() => {});
  const list = await store.list(tree);
  const byLooks = list.length >= MANY_FILES && canBeLookedAt(list, except);
  if (byLooks && before.look !== null && looking !== null) {
    const look = await bringTo(platform, store, { path, tree, held: before.look, differences: await looking });
    const statOf = look === null ? null : statsIn(look, list);
    if (look !== null && statOf !== null)
      return { manifest: null, look, statOf, changed: look.changed, saved: save(platform, folder, before, { manifest: null, look }) };
  }
  const manifest = before.manifest ?? (before.look === null ? null : await manifestOf(store, before.look));
  const made = await materialise(platform, store, { path, tree, manifest, keep: except });
  const look = byLooks && isPast(made.manifest) ? await firstLook(platform, path, { tree, list, except }) : null;
  const held = look === null ? { manifest: made.manifest, look } : { manifest: null, look };
  const { entries } = made.manifest;
  return {
    ...held,
    statOf: (path) => {
      const entry = entries.get(path);
      return entry === undefined ? undefined : indexStatOf(entry);
    },
    changed: made.written + made.removed,
    saved: save(platform, folder, before, held),
  };
}

export async function loadHeldCopy(platform: Platform, folder: string): Promise<HeldCopy> {
  const look = await loadHeld(platform, lookFile(folder));
  return look === null ? { manifest: await loadManifest(platform, manifestFile(folder)), look } : { manifest: null, look };
}

/** Whether a look without these names sees all of a tree: submodules are folders without files, and names may be tracked. */
export function canBeLookedAt(list: readonly TreeEntry[], except: readonly string[]): boolean {
  const isBeside = ({ path }: TreeEntry): boolean => except.some((name) => path === name || path.startsWith(`${name}/`));
  return !list.some((entry) => entry.mode === '160000' || isBeside(entry));
}

/** The notes for each file that a look stands for; `null` where its tree is not there any more. */
export async function manifestOf(store: HomeTreeStore, held: HeldTree): Promise<Manifest | null> {
  const list = await store.list(held.tree).catch(() => null);
  const records = list === null ? null : recordsOf(held, list);
  if (list === null || records === null) return null;
  const entries = new Map(list.map(({ path, oid, mode }, at) => [path, entryFrom(oid, mode, itemAt(records, at))]));
  return { tree: held.tree, takenAtNs: newestOf(entries) + 1n, entries };
}

async function firstLook(
  platform: Platform,
  path: string,
  { tree, list, except }: { tree: string; list: readonly TreeEntry[]; except: readonly string[] },
): Promise<HeldTree | null> {
  const { moment: since } = await takeMoment(platform, dirname(path), 0n);
  const look = await takeLook(platform, path, { except });
  const held = look === null ? null : { tree, look, since };
  return held === null || recordsOf(held, list) === null ? null : held;
}

/** The record of each file, in the order of the list; `null` unless there is exactly one for each. Both are in the order of their paths. */
function recordsOf({ look }: HeldTree, list: readonly TreeEntry[]): string[] | null {
  const records: string[] = [];
  for (const { path, record } of recordsFrom(look)) {
    if (record.startsWith('d ')) continue;
    if (list[records.length]?.path !== nameFrom(path)) return null;
    records.push(record);
  }
  return records.length === list.length ? records : null;
}

/** Whoever asks in the order of the list is told at once. */
function statsIn(held: HeldTree, list: readonly TreeEntry[]): StatOf | null {
  const records = recordsOf(held, list);
  if (records === null) return null;
  let next = 0;
  return (path) => {
    if (list[next]?.path !== path) next = placeOf(list, path);
    const [entry, record] = [list[next], records[next]];
    if (entry === undefined || record === undefined || entry.path !== path) return undefined;
    next += 1;
    return { oid: entry.oid, mode: entry.mode, ...numbersIn(record) };
  };
}

/** Where it stands in a list in the order of bytes. */
function placeOf(list: readonly TreeEntry[], path: string): number {
  const wanted = printedName(path);
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (printedName(itemAt(list, middle).path) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function entryFrom(oid: string, mode: string, record: string): ManifestEntry {
  const { size, inode, changedNs, modifiedNs } = parseFile(record);
  return [oid, mode, size, inode, changedNs, modifiedNs];
}

function isPast(manifest: Manifest): boolean {
  return newestOf(manifest.entries) < manifest.takenAtNs;
}

function newestOf(entries: ReadonlyMap<string, ManifestEntry>): bigint {
  let newest = 0n;
  for (const [, , , , changed] of entries.values()) {
    const ns = BigInt(changed);
    if (ns > newest) newest = ns;
  }
  return newest;
}

/** The new note first, then the other kind goes: an old one is right about everything that it still fits. */
async function save(platform: Platform, folder: string, before: HeldCopy, { manifest, look }: HeldCopy): Promise<void> {
  if (look !== null) await saveHeld(platform, lookFile(folder), look, { durable: true });
  else if (manifest !== null) await saveManifest(platform, manifestFile(folder), manifest, { durable: true });
  if (look !== null && before.look === null) await platform.files.remove(manifestFile(folder));
  if (look === null && before.look !== null)
    for (const file of [lookFile(folder), laterOf(lookFile(folder))]) await platform.files.remove(file);
}

function manifestFile(folder: string): string {
  return join(folder, 'manifest.json');
}

function lookFile(folder: string): string {
  return join(folder, 'manifest.look');
}
