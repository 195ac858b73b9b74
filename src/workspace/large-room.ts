/**
 * A large directory brought from tree to tree by comparing looks: what a run left, changed or took away is found by their records alone.
 *
 * 1. What is held is the tree that the directory was made to hold, and the look of that moment. A state that cannot be read is no state.
 * 2. As with `materialise`: nothing is written through a link, and no process that could change the directory may be alive.
 * 3. `null` where this way is not enough: then `materialise` does it.
 */
import { dirname, join } from 'node:path';
import type { TreeEntry } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import { compareLooks, recordOf, takeLook } from './look.ts';
import { changeLook, changesOf, type Look, type LookChanges } from './look-pieces.ts';
import type { LookedAt } from './look-record.ts';
import { changesSince, takeMoment, type Differences, type Moment } from './look-again.ts';
import { outermost, writeBlobsTo } from './materialise.ts';
import type { HomeTreeStore } from './tree-store.ts';
import { itemAt } from '../domain/items.ts';

export interface HeldTree {
  tree: string;
  look: Look;
  /** Since when nothing but runs can have touched it. */
  since: Moment | null;
  /** What of it is on the disk. */
  kept?: KeptLook;
}

/** A look in a file, and what changed in it afterwards. */
export interface KeptLook {
  sum: string;
  later: LookChanges;
}

export async function bringTo(
  platform: Platform,
  store: HomeTreeStore,
  options: { path: string; tree: string; held: HeldTree; untouched?: boolean; differences?: Differences | null },
): Promise<(HeldTree & { changed: number }) | null> {
  const { path, tree, held } = options;
  const differences =
    options.untouched === true
      ? NONE
      : options.differences === undefined
        ? await differencesFrom(platform, path, held)
        : options.differences;
  const changes = await store.diff(held.tree, tree).catch(() => null);
  if (differences === null || changes === null) return null;
  if (changes.some(({ from, to }) => from?.mode === GITLINK || to?.mode === GITLINK)) return null;
  const { gone, come } = differences;
  const lost = new Set(gone.map((one) => one.path));
  const folders = new Set(come.filter((one) => one.kind === 'd').map((one) => one.path));
  if (gone.some((one) => one.kind === 'd' && folders.has(one.path))) return null;
  const wanted = new Map(changes.flatMap(({ to }) => (to === null ? [] : [[to.path, to] as const])));
  if (gone.length > 0) {
    const list = await store.list(tree);
    if (gone.some((one) => one.kind === 'd') && list.some((entry) => entry.mode === GITLINK)) return null;
    for (const entry of list) if (lost.has(entry.path)) wanted.set(entry.path, entry);
  }
  const replaced = changes.filter(({ from }) => from !== null).map((change) => change.path);
  await clear(platform, path, come, replaced);
  const pruned = await pruneEmpty(
    platform,
    path,
    [...replaced, ...lost].filter((one) => !wanted.has(one)),
  );
  const written = await write(platform, store, path, [...wanted.values()]);
  if (written === null) return null;
  const { since } = written;
  const said = changesOf([...replaced, ...lost, ...pruned, ...written.folders], written.records);
  const changed = new Set([...outermost(new Set(come.map((one) => one.path))), ...replaced, ...wanted.keys()]).size;
  const kept = held.kept === undefined ? {} : { kept: { sum: held.kept.sum, later: new Map([...held.kept.later, ...said]) } };
  return { tree, look: changeLook(held.look, said), since, changed, ...kept };
}

const NONE: Differences = { gone: [], come: [], records: [] };

/** By times where it is known since when to look, else by all records. */
export async function differencesFrom(
  platform: Platform,
  path: string,
  { look, since }: HeldTree,
  except: readonly string[] = [],
): Promise<Differences | null> {
  const touched = since === null ? null : await changesSince(platform, path, { look, since }, except);
  if (touched !== null) return touched;
  const now = await takeLook(platform, path, { except });
  return now === null ? null : compareLooks(look, now);
}

const GITLINK = '160000';

/** What came goes first: a link in the place of a folder must be gone before anything below it is touched. */
async function clear(platform: Platform, root: string, come: readonly LookedAt[], replaced: readonly string[]): Promise<void> {
  await concurrently(outermost(new Set(come.map((one) => one.path))), 8, (one) => platform.files.remove(join(root, one)));
  await concurrently(replaced, 8, (one) => platform.files.remove(join(root, one)));
}

/** Folders in which nothing is left after these paths went: a tree has none. */
async function pruneEmpty(platform: Platform, root: string, paths: readonly string[]): Promise<string[]> {
  const pruned: string[] = [];
  const folders = new Set(paths.map((path) => dirname(path)));
  for (const start of folders) {
    for (let folder = start; folder !== '.'; folder = dirname(folder)) {
      const inside = await platform.files.list(join(root, folder)).catch(() => null);
      if (inside !== null && inside.length > 0) break;
      if (inside !== null) await platform.files.remove(join(root, folder));
      pruned.push(folder);
    }
  }
  return pruned;
}

/** With the records of what was written; `null` where a later change could have the same time. */
async function write(
  platform: Platform,
  store: HomeTreeStore,
  root: string,
  entries: readonly TreeEntry[],
): Promise<{ records: string[]; folders: string[]; since: Moment | null } | null> {
  const folders = new Set<string>();
  for (const entry of entries)
    for (let folder = dirname(entry.path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  for (const folder of folders) await platform.files.mkdir(join(root, folder));
  await writeBlobsTo(platform, store, root, entries);
  const paths = [...folders, ...entries.map((entry) => entry.path)];
  const stats = await concurrently(paths, 8, (one) => platform.files.lstat(join(root, one)));
  const newest = stats.slice(folders.size).reduce((most, stat) => (stat.ctimeNs > most ? stat.ctimeNs : most), 0n);
  const { ns, moment } = await takeMoment(platform, dirname(root), newest);
  if (ns <= newest) return null;
  return { since: moment, records: paths.map((one, at) => recordOf(one, itemAt(stats, at))), folders: [...folders] };
}

/** What a directory holds that was just made. */
export async function lookAtRoom(platform: Platform, path: string, tree: string): Promise<HeldTree | null> {
  const { moment: since } = await takeMoment(platform, dirname(path), 0n);
  const look = await takeLook(platform, path);
  return look === null ? null : { tree, look, since };
}
