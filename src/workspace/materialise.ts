/**
 * Makes a directory hold exactly one tree.
 *
 * 1. Raw blob bytes; regular files, executables and symbolic links as they are; a gitlink is an empty directory.
 * 2. What the manifest proves unchanged stays; the rest is written again, and what the tree does not have is removed.
 * 3. Nothing is written through a link: what stands in the way is removed first, and every file is created where nothing is, so
 *    that a link to somewhere else, hard or symbolic, is replaced and never filled.
 * 4. No process that could change the directory may be alive.
 */
import { dirname, join } from 'node:path';
import type { TreeEntry } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import { manifestEntry, takeTime, trustedEntry, type Manifest, type ManifestEntry } from './manifest.ts';
import type { HomeTreeStore } from './tree-store.ts';
import { walkDirectory, type Walk, type WalkedEntry } from './walk.ts';

export interface Materialised {
  manifest: Manifest;
  written: number;
  removed: number;
}

export interface MaterialiseOptions {
  path: string;
  tree: string;
  manifest: Manifest | null;
  /** Names at the top that are left alone when they are real directories. */
  keep?: readonly string[];
}

export async function materialise(platform: Platform, store: HomeTreeStore, options: MaterialiseOptions): Promise<Materialised> {
  await ensureRealDirectory(platform, options.path);
  const wanted = await store.list(options.tree);
  const keep = (options.keep ?? []).filter((name) => !wanted.some((entry) => entry.path === name || entry.path.startsWith(`${name}/`)));
  const walk = await walkOrClear(platform, options.path, keep);
  const plan = planMaterialise(wanted, walk, options.manifest);
  await concurrently(plan.remove, 8, (path) => platform.files.remove(join(options.path, path)));
  for (const path of plan.open) await platform.files.chmod(join(options.path, path), 0o755);
  await concurrently(plan.folders, 8, (path) => platform.files.mkdir(join(options.path, path)));
  const written = await writeEntries(platform, store, options.path, plan.write);
  const takenAtNs = await takeTime(platform, dirname(options.path), newestOf(written));
  const again = new Set(plan.write.map((entry) => entry.path));
  return {
    manifest: {
      tree: options.tree,
      takenAtNs,
      entries: new Map([...plan.unchanged, ...written]),
      unsaved: unsavedAfter(options.manifest, plan.write.length),
    },
    written: plan.write.length,
    removed: plan.remove.filter((path) => !again.has(path)).length,
  };
}

/**
 * As `materialise`, for a directory that nobody has written since the manifest was taken: costs what differs between the trees. `null`
 * where more than files would have to go.
 */
export async function advance(
  platform: Platform,
  store: HomeTreeStore,
  options: { path: string; tree: string; manifest: Manifest },
): Promise<Manifest | null> {
  const { path, tree, manifest } = options;
  const changes = await store.diff(manifest.tree, tree);
  const wanted = changes.flatMap(({ to }) => to ?? []);
  if (wanted.length < changes.length || wanted.some(({ mode }) => mode === '160000')) return null;
  const folders = new Set<string>();
  for (const entry of wanted) addParents(entry.path, folders);
  for (const change of changes) if (change.from !== null) await platform.files.remove(join(path, change.path));
  for (const folder of folders) await platform.files.mkdir(join(path, folder));
  const written = await writeEntries(platform, store, path, wanted);
  const takenAtNs = await takeTime(platform, dirname(path), newestOf(written));
  return { tree, takenAtNs, entries: new Map([...manifest.entries, ...written]), unsaved: unsavedAfter(manifest, written.length) };
}

function unsavedAfter(manifest: Manifest | null, written: number): number | undefined {
  return manifest?.unsaved === undefined ? undefined : manifest.unsaved + written;
}

function newestOf(entries: readonly [string, ManifestEntry][]): bigint {
  let newest = 0n;
  for (const [, [, , , , changed]] of entries) if (BigInt(changed) > newest) newest = BigInt(changed);
  return newest;
}

/** A name that is not UTF-8 cannot be removed by name: then the whole directory goes, and is made anew. */
async function walkOrClear(platform: Platform, path: string, keep: readonly string[]): Promise<Walk> {
  const leaveOut = async (level: readonly WalkedEntry[]): Promise<ReadonlySet<string>> =>
    new Set(level.filter((entry) => keep.includes(entry.path) && entry.stat.isDirectory()).map((entry) => entry.path));
  const walk = await walkDirectory(platform, path, { leaveOut });
  if (!walk.unreadable.some((name) => name.includes('\ufffd'))) return walk;
  await platform.files.remove(path);
  await ensureRealDirectory(platform, path);
  return walkDirectory(platform, path, { leaveOut });
}

interface MaterialisePlan {
  /** Whole subtrees, outermost path only. */
  remove: string[];
  /** Directories whose permissions have to be given back. */
  open: string[];
  folders: string[];
  write: TreeEntry[];
  unchanged: [string, ManifestEntry][];
}

/** Pure: what has to happen so that `walk` becomes `wanted`. */
export function planMaterialise(wanted: readonly TreeEntry[], walk: Walk, manifest: Manifest | null): MaterialisePlan {
  const files = new Map(wanted.filter((entry) => entry.mode !== '160000').map((entry) => [entry.path, entry]));
  const gitlinks = new Set(wanted.filter((entry) => entry.mode === '160000').map((entry) => entry.path));
  const folders = new Set(gitlinks);
  for (const entry of wanted) addParents(entry.path, folders);

  const removed = new Set(walk.unreadable);
  for (const entry of walk.directories) if (!folders.has(entry.path) || gitlinks.has(entry.path)) removed.add(entry.path);

  const kept = new Set<string>();
  const unchanged: [string, ManifestEntry][] = [];
  for (const entry of walk.files) {
    const target = files.get(entry.path);
    const trusted = target === undefined ? null : trustedEntry(manifest, entry.path, entry.stat);
    if (target !== undefined && trusted !== null && trusted.oid === target.oid && trusted.mode === target.mode) {
      kept.add(entry.path);
      unchanged.push([entry.path, manifestEntry(target.oid, target.mode, entry.stat)]);
    } else {
      removed.add(entry.path);
    }
  }
  const existing = new Set(walk.directories.filter((entry) => !removed.has(entry.path)).map((entry) => entry.path));
  return {
    remove: outermost(removed).filter((path) => path !== ''),
    open: walk.directories.filter((entry) => existing.has(entry.path) && (entry.stat.mode & 0o700n) !== 0o700n).map((entry) => entry.path),
    folders: [...folders].filter((path) => !existing.has(path)),
    write: [...files.values()].filter((entry) => !kept.has(entry.path)),
    unchanged,
  };
}

async function writeEntries(
  platform: Platform,
  store: HomeTreeStore,
  root: string,
  entries: readonly TreeEntry[],
): Promise<[string, ManifestEntry][]> {
  if (entries.length === 0) return [];
  await writeBlobsTo(platform, store, root, entries);
  return readBack(platform, root, entries);
}

/** Files and links where nothing is yet, in folders that are there. */
export async function writeBlobsTo(platform: Platform, store: HomeTreeStore, root: string, entries: readonly TreeEntry[]): Promise<void> {
  const byOid = groupByOid(entries);
  await store.readBlobs([...byOid.keys()], async (oid, content) => {
    for (const entry of byOid.get(oid) ?? []) {
      const target = join(root, entry.path);
      if (entry.mode === '120000') await platform.files.symlink(content.toString('utf8'), target);
      else await platform.files.writeNew(target, content, entry.mode === '100755' ? 0o777 : 0o666);
    }
  });
}

/** What lstat says about the new files, one folder at a time. */
async function readBack(platform: Platform, root: string, entries: readonly TreeEntry[]): Promise<[string, ManifestEntry][]> {
  const done: [string, ManifestEntry][] = [];
  const byFolder = new Map<string, Map<string, TreeEntry>>();
  for (const entry of entries) {
    const folder = dirname(entry.path);
    const group = byFolder.get(folder) ?? new Map<string, TreeEntry>();
    byFolder.set(folder, group.set(entry.path.slice(entry.path.lastIndexOf('/') + 1), entry));
  }
  for (const [folder, group] of byFolder) {
    for (const { name, stat } of await platform.files.listStats(join(root, folder))) {
      const entry = group.get(name);
      if (entry !== undefined && stat !== null) done.push([entry.path, manifestEntry(entry.oid, entry.mode, stat)]);
    }
  }
  return done;
}

/** A real directory at `path`, whatever was put there; its parent is the harness's own. */
async function ensureRealDirectory(platform: Platform, path: string): Promise<void> {
  const stat = await platform.files.lstat(path).catch(() => null);
  if (stat !== null && !stat.isDirectory()) await platform.files.remove(path);
  await platform.files.mkdir(dirname(path));
  await platform.files.mkdir(path);
  if (stat !== null && (stat.mode & 0o700n) !== 0o700n) await platform.files.chmod(path, 0o755);
}

/** Not a link to one, and open to its owner. */
export async function isRealDirectory(platform: Platform, path: string): Promise<boolean> {
  const stat = await platform.files.lstat(path).catch(() => null);
  return stat !== null && stat.isDirectory() && (stat.mode & 0o700n) === 0o700n;
}

function groupByOid(entries: readonly TreeEntry[]): Map<string, TreeEntry[]> {
  const groups = new Map<string, TreeEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.oid);
    if (group === undefined) groups.set(entry.oid, [entry]);
    else group.push(entry);
  }
  return groups;
}

function addParents(path: string, folders: Set<string>): void {
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
    const folder = path.slice(0, cut);
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}

/** Paths of which no other one is a parent. */
export function outermost(paths: ReadonlySet<string>): string[] {
  return [...paths].filter((path) => {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) if (paths.has(path.slice(0, cut))) return false;
    return true;
  });
}
