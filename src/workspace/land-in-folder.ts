/**
 * An accepted tree becomes the content of a folder outside git.
 *
 * 1. Only paths that differ between `base` and `tree` are touched, and only where the folder still holds what `base` says, or already what
 *    `tree` says (an interrupted landing goes on). Anything else is a conflict, named by path, and nothing has changed.
 * 2. Nothing is written or removed through a link, and no link that leaves the folder is made.
 * 3. What is replaced stays recoverable: `base` is kept in the mirror under `refs/harness/saved/` first.
 * 4. Afterwards the mirror's branch stands at a commit of `tree`.
 */
import { dirname, join } from 'node:path';
import type { TreeChange, TreeEntry } from '../domain/tree.ts';
import { git } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { pinTree } from './capture.ts';
import { hashFiles, type Unhashed } from './capture-hash.ts';
import { concurrently } from './concurrently.ts';
import { readHead, treeOf, type Home } from './home.ts';
import { linkLeavesTree, safeRelativePath } from './paths.ts';
import { createTreeStore, type HomeTreeStore } from './tree-store.ts';
import { HARNESS_REFS, harnessRef } from './refs.ts';
import { mustHave } from '../domain/must-have.ts';

export type FolderLanding =
  | { kind: 'landed'; commit: string; changed: string[]; /** Ref in the mirror that keeps what was there before. */ saved: string }
  /** Nothing was changed. */
  | { kind: 'conflict'; paths: string[]; detail: string };

export interface LandInFolderOptions {
  home: Home;
  root: string;
  /** Tree or commit that the folder held when the work began. */
  base: string;
  tree: string;
  message?: string;
}

export async function landInFolder(platform: Platform, options: LandInFolderOptions): Promise<FolderLanding> {
  const { home, tree } = options;
  const written = await writeIntoFolder(platform, options);
  if (written.kind === 'conflict') return written;
  const { head } = await readHead(platform, home);
  const message = options.message ?? 'Accepted work';
  const commit = await pinTree(platform, home, { tree, parent: head, ref: HARNESS_REFS.folder, message });
  await git(platform, ['update-ref', 'HEAD', commit], { cwd: home.root });
  return { kind: 'landed', commit, changed: written.changed, saved: written.saved };
}

/** The same for a working tree of git: rules 1 to 3, and no ref but the saved one and no index moves. */
export async function writeIntoFolder(
  platform: Platform,
  options: Omit<LandInFolderOptions, 'message'>,
): Promise<{ kind: 'written'; changed: string[]; saved: string } | Extract<FolderLanding, { kind: 'conflict' }>> {
  const { home, root, tree } = options;
  const store = createTreeStore(platform, home);
  const base = await treeOf(platform, home, options.base);
  const changes = await store.diff(base, tree);
  const unsafe = await unsafePaths(store, changes);
  if (unsafe.length > 0) return { kind: 'conflict', paths: unsafe, detail: 'the work holds names or links that could leave the folder' };
  const found = await lookAtFolder(platform, home, root, changes);
  const foundAt = ({ path }: { path: string }): NonNullable<ReturnType<typeof found.get>> =>
    mustHave(found.get(path), 'every change is looked at');
  const conflicts = changes.filter((change) => !isExpected(change, foundAt(change))).map((change) => change.path);
  if (conflicts.length > 0)
    return { kind: 'conflict', paths: conflicts, detail: 'these files of the folder changed since the work began, or block it' };
  const saved = harnessRef('saved', `${new Date(platform.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')}-${platform.random.id(3)}`);
  await pinTree(platform, home, { tree: base, parent: null, ref: saved, message: 'The folder before accepted work' });
  await writeChanges(
    platform,
    store,
    root,
    changes.filter((change) => !isThere(change, foundAt(change))),
  );
  return { kind: 'written', changed: changes.map((change) => change.path), saved };
}

/** Names and links that could lead out of the folder. */
export async function unsafePaths(store: HomeTreeStore, changes: readonly TreeChange[]): Promise<string[]> {
  const unsafe: string[] = [];
  for (const { path, to } of changes) {
    const own = path === '.harness' || path.startsWith('.harness/');
    if (safeRelativePath(path) !== path || own || to?.mode === '160000') unsafe.push(path);
    else if (to?.mode === '120000' && linkLeavesTree(path, (await store.readBlob(to.oid)).toString('utf8'))) unsafe.push(path);
  }
  return unsafe;
}

/** What stands at a path: an entry, nothing, or something that no landing may touch. */
type Found = Pick<TreeEntry, 'mode' | 'oid'> | 'nothing' | 'other';

async function lookAtFolder(
  platform: Platform,
  home: Home,
  root: string,
  changes: readonly TreeChange[],
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  const there: Unhashed[] = [];
  for (const { path } of changes) {
    const look = await lookAt(platform, root, path, changes);
    if (typeof look === 'string') found.set(path, look);
    else there.push({ path, ...look });
  }
  const hashed = await hashFiles(platform, home, {
    workspace: root,
    entries: there,
    before: new Map(),
    format: await createTreeStore(platform, home).format(),
  });
  for (const { path } of there) found.set(path, 'other');
  for (const file of hashed.files) found.set(file.path, { mode: file.mode, oid: file.oid });
  return found;
}

/** A directory that the change replaces counts as nothing when all that is in it goes too. */
async function lookAt(
  platform: Platform,
  root: string,
  path: string,
  changes: readonly TreeChange[],
): Promise<Omit<Unhashed, 'path'> | 'nothing' | 'other'> {
  for (const parent of parentsOf(path)) {
    const stat = await platform.files.lstat(join(root, parent)).catch(() => null);
    if (stat === null) return 'nothing';
    if (stat.isDirectory()) continue;
    return changes.some((change) => change.path === parent && change.from !== null) ? 'nothing' : 'other';
  }
  const stat = await platform.files.lstat(join(root, path)).catch(() => null);
  if (stat === null) return 'nothing';
  if (stat.isSymbolicLink()) return { mode: '120000', size: Number(stat.size) };
  if (stat.isFile()) return { mode: (stat.mode & 0o100n) === 0n ? '100644' : '100755', size: Number(stat.size) };
  if (!stat.isDirectory()) return 'other';
  return (await isCleared(platform, root, path, changes)) ? 'nothing' : 'other';
}

async function isCleared(platform: Platform, root: string, folder: string, changes: readonly TreeChange[]): Promise<boolean> {
  for (const entry of await platform.files.list(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    const gone = changes.some((change) => change.path === path && change.to === null);
    if (!gone && !(entry.isDirectory() && (await isCleared(platform, root, path, changes)))) return false;
  }
  return true;
}

function isExpected(change: TreeChange, found: Found): boolean {
  return isThere(change, found) || isSame(change.from, found);
}

function isThere(change: TreeChange, found: Found): boolean {
  return isSame(change.to, found);
}

function isSame(entry: TreeEntry | null, found: Found): boolean {
  if (found === 'other') return false;
  if (found === 'nothing' || entry === null) return found === 'nothing' && entry === null;
  return entry.mode === found.mode && entry.oid === found.oid;
}

/** What goes, goes first: a file may take the place of a directory and the other way round. */
async function writeChanges(platform: Platform, store: HomeTreeStore, root: string, changes: readonly TreeChange[]): Promise<void> {
  for (const { path, to } of changes) {
    if (to !== null) continue;
    await platform.files.remove(join(root, path));
    await removeEmptyParents(platform, root, path);
  }
  const wanted = changes.flatMap(({ to }) => (to === null ? [] : [to]));
  await store.readBlobs(
    wanted.map((entry) => entry.oid),
    async (oid, content) => {
      await concurrently(
        wanted.filter((entry) => entry.oid === oid),
        4,
        (entry) => writeEntry(platform, root, entry, content),
      );
    },
  );
}

async function writeEntry(platform: Platform, root: string, entry: TreeEntry, content: Buffer): Promise<void> {
  const target = join(root, entry.path);
  await platform.files.mkdir(dirname(target));
  const stat = await platform.files.lstat(target).catch(() => null);
  if (entry.mode === '120000' || stat?.isFile() !== true) await platform.files.remove(target);
  if (entry.mode === '120000') return await platform.files.symlink(content.toString('utf8'), target);
  await platform.files.writeAtomic(target, content, entry.mode === '100755' ? 0o755 : 0o644);
  if (stat?.isFile() === true) await platform.files.chmod(target, modeLike(Number(stat.mode & 0o777n), entry.mode === '100755'));
}

/** Whoever could read a file before can afterwards, and nobody else. */
function modeLike(before: number, executable: boolean): number {
  return executable ? before | ((before & 0o444) >> 2) : before & ~0o111;
}

export async function removeEmptyParents(platform: Platform, root: string, path: string): Promise<void> {
  for (const parent of parentsOf(path).toReversed()) {
    const entries = await platform.files.list(join(root, parent)).catch(() => null);
    if (entries === null || entries.length > 0) return;
    await platform.files.remove(join(root, parent));
  }
}

/** Outermost first. */
function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
