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
import type { Home } from './home.ts';
import { updateIndex, type IndexChange } from './own-index.ts';
import { createTreeStore } from './tree-store.ts';
import { walkDirectory } from './walk.ts';

/** Paths of files that no commit and no index holds and that going from `base` to `commit` would overwrite. */
export async function findObstacles(platform: Platform, home: Home, base: string, commit: string): Promise<string[]> {
  const added = (await createTreeStore(platform, home).diff(base, commit)).filter((change) => change.status === 'added');
  if (added.length === 0) return [];
  const indexed = await indexedPaths(platform, home);
  const obstacles = new Set<string>();
  for (const change of added) {
    if (indexed.has(change.path)) continue;
    for (const parent of parents(change.path)) {
      const stat = await platform.files.lstat(join(home.root, parent)).catch(() => null);
      if (stat !== null && !stat.isDirectory() && !indexed.has(parent)) obstacles.add(parent);
    }
    const stat = await platform.files.lstat(join(home.root, change.path)).catch(() => null);
    if (stat === null || throughLink(obstacles, change.path)) continue;
    if (stat.isDirectory()) {
      const inside = await walkDirectory(platform, join(home.root, change.path));
      for (const file of inside.files) if (!indexed.has(`${change.path}/${file.path}`)) obstacles.add(`${change.path}/${file.path}`);
    } else if (!(await holds(platform, home, change))) {
      obstacles.add(change.path);
    }
  }
  return [...obstacles];
}

/** Tells the index about paths that already are as the new tree wants them (an interrupted landing, or the same untracked file). */
export async function stageWhatIsThere(platform: Platform, home: Home, base: string, commit: string): Promise<void> {
  const changes: IndexChange[] = [];
  for (const change of await createTreeStore(platform, home).diff(base, commit)) {
    const stat = await platform.files.lstat(join(home.root, change.path)).catch(() => null);
    if (change.to === null && stat === null) changes.push({ path: change.path, entry: null });
    if (change.to !== null && stat !== null && !stat.isDirectory() && (await holds(platform, home, change))) changes.push({ path: change.path, entry: change.to });
  }
  if (changes.length === 0) return;
  await updateIndex(platform, home, undefined, changes);
  await tryGit(platform, ['update-index', '-q', '--refresh'], { cwd: home.root });
}

/** Whether the working tree holds the change's new content and mode already, as git would store it. */
async function holds(platform: Platform, home: Home, change: TreeChange): Promise<boolean> {
  if (change.to === null) return false;
  const full = join(home.root, change.path);
  const stat = await platform.files.lstat(full);
  if (stat.isSymbolicLink()) {
    if (change.to.mode !== '120000') return false;
    return (await gitLine(platform, ['hash-object', '--stdin'], { cwd: home.root, stdin: await platform.files.readlink(full) })) === change.to.oid;
  }
  const mode = (stat.mode & 0o100n) === 0n ? '100644' : '100755';
  if (!stat.isFile() || change.to.mode !== mode) return false;
  const hashed = await tryGit(platform, ['hash-object', `--path=${change.path}`, '--stdin'], { cwd: home.root, stdin: await platform.files.read(full) });
  return hashed.code === 0 && hashed.stdout.toString('utf8').trim() === change.to.oid;
}

async function indexedPaths(platform: Platform, home: Home): Promise<Set<string>> {
  const listing = await git(platform, ['ls-files', '-z', '--cached'], { cwd: home.root });
  return new Set(listing.toString('utf8').split('\0'));
}

function throughLink(obstacles: ReadonlySet<string>, path: string): boolean {
  return parents(path).some((parent) => obstacles.has(parent));
}

function parents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}
