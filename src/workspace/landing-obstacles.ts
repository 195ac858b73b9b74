/**
 * What of the user's stands in the way of a new tree in home.
 *
 * Git calls ignored files expendable when it updates a working tree; the harness does not. So everything on disk that the index
 * does not know and that the new tree would replace is looked at here first.
 */
import { join } from 'node:path';
import type { TreeChange } from '../domain/tree.ts';
import { git, gitLine, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import type { Home } from './home.ts';
import { refreshIndex, updateIndex, type IndexChange } from './own-index.ts';
import { walkDirectory } from './walk.ts';

/** Paths of files that no commit and no index holds and that going from `base` to `commit` would overwrite. */
export async function findObstacles(platform: Platform, home: Home, changes: readonly TreeChange[]): Promise<string[]> {
  const added = await met(platform, home, changes);
  if (added.length === 0) return [];
  const indexed = await indexedPaths(platform, home);
  const obstacles = new Set<string>();
  const there: TreeChange[] = [];
  for (const change of added.filter((one) => !indexed.has(one.path))) {
    for (const parent of parents(change.path)) {
      const stat = await platform.files.lstat(join(home.root, parent)).catch(() => null);
      if (stat !== null && !stat.isDirectory() && !indexed.has(parent)) obstacles.add(parent);
    }
    const stat = await platform.files.lstat(join(home.root, change.path)).catch(() => null);
    if (stat === null || parents(change.path).some((parent) => obstacles.has(parent))) continue;
    if (!stat.isDirectory()) there.push(change);
    else
      for (const file of (await walkDirectory(platform, join(home.root, change.path))).files)
        if (!indexed.has(`${change.path}/${file.path}`)) obstacles.add(`${change.path}/${file.path}`);
  }
  const same = await alreadyThere(platform, home, there);
  for (const change of there) if (!same.includes(change)) obstacles.add(change.path);
  return [...obstacles];
}

/** New paths that meet something on disk: a file in their place, or one where a folder has to be. */
async function met(platform: Platform, home: Home, changes: readonly TreeChange[]): Promise<TreeChange[]> {
  const folders = new Map<string, boolean>();
  const isMet = async (path: string): Promise<boolean> => {
    const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    if (parent !== '' && (await isBlocked(parent))) return true;
    return (await platform.files.lstat(join(home.root, path)).catch(() => null)) !== null;
  };
  const isBlocked = async (folder: string): Promise<boolean> => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const stat = await platform.files.lstat(join(home.root, folder)).catch(() => null);
    const above = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
    const blocked = (above !== '' && (await isBlocked(above))) || (stat !== null && !stat.isDirectory());
    folders.set(folder, blocked);
    return blocked;
  };
  const found: TreeChange[] = [];
  for (const change of changes) if (change.status === 'added' && (await isMet(change.path))) found.push(change);
  return found;
}

/**
 * Refreshes the index (home's own unless another is named) and tells it about paths that already are as the new tree wants them:
 * after an interrupted landing, or where the same file lay there untracked.
 */
export async function stageWhatIsThere(platform: Platform, home: Home, there: readonly TreeChange[], indexFile?: string): Promise<void> {
  const staged: IndexChange[] = there.map((change) => ({ path: change.path, entry: change.to }));
  await updateIndex(platform, home, indexFile, staged);
  await refreshIndex(platform, home, indexFile);
}

/** The changes whose result the working tree holds already, as git would store it. */
export async function alreadyThere(platform: Platform, home: Home, changes: readonly TreeChange[]): Promise<TreeChange[]> {
  const same = new Set<string>();
  const regular: TreeChange[] = [];
  for (const change of changes) {
    const full = join(home.root, change.path);
    const stat = await platform.files.lstat(full).catch(() => null);
    if (change.to === null || stat === null) {
      if (change.to === null && stat === null) same.add(change.path);
    } else if (stat.isSymbolicLink() && change.to.mode === '120000') {
      const oid = await gitLine(platform, ['hash-object', '--stdin'], { cwd: home.root, stdin: await platform.files.readlink(full) });
      if (oid === change.to.oid) same.add(change.path);
    } else if (stat.isFile() && change.to.mode === ((stat.mode & 0o100n) === 0n ? '100644' : '100755')) {
      regular.push(change);
    }
  }
  const oids = await hashAsGitWould(
    platform,
    home,
    regular.map((change) => change.path),
  );
  for (const [at, change] of regular.entries()) if (oids[at] === change.to?.oid) same.add(change.path);
  return changes.filter((change) => same.has(change.path));
}

/** With home's own filters. In one go where the names allow it. */
async function hashAsGitWould(platform: Platform, home: Home, paths: readonly string[]): Promise<(string | null)[]> {
  if (paths.length === 0) return [];
  if (!paths.some((path) => path.includes('\n'))) {
    const batch = await tryGit(platform, ['hash-object', '--stdin-paths'], {
      cwd: home.root,
      stdin: paths.map((path) => `./${path}\n`).join(''),
    });
    const oids = batch.stdout.toString('utf8').trim().split('\n');
    if (batch.code === 0 && oids.length === paths.length) return oids;
  }
  return concurrently(paths, 4, async (path) => {
    const one = await tryGit(platform, ['hash-object', '--', `./${path}`], { cwd: home.root });
    return one.code === 0 ? one.stdout.toString('utf8').trim() : null;
  });
}

async function indexedPaths(platform: Platform, home: Home): Promise<Set<string>> {
  const listing = await git(platform, ['ls-files', '-z', '--cached'], { cwd: home.root });
  return new Set(listing.toString('utf8').split('\0'));
}

function parents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
