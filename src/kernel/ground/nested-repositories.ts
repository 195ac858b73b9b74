/**
 * Repositories inside the repository, and the one around it: work there belongs to somebody else's history.
 *
 * A linked worktree of the same repository is home like any other; one that lies below home is not.
 */
import { join } from 'node:path';
import { tryGit } from '../../platform/git.ts';
import type { Place } from '../place.ts';

type Ground = Pick<Place, 'platform' | 'home' | 'trees' | 'root'>;

/** The repository that has this one as a submodule; null: none. */
export async function superproject({ platform, home }: Ground): Promise<string | null> {
  const asked = await tryGit(platform, ['rev-parse', '--show-superproject-working-tree'], { cwd: home.root });
  const path = asked.stdout.toString('utf8').trim();
  return asked.code === 0 && path !== '' ? path : null;
}

const DEEPEST = 6;
const MOST_FOLDERS = 5_000;

/** Folders with a repository of their own, relative to home: submodules that the tree names, and whatever lies in the working tree. */
export async function nestedRepositories(ground: Ground, tree: string): Promise<string[]> {
  const links = (await ground.trees.list(tree)).filter((entry) => entry.mode === '160000').map((entry) => entry.path);
  const found = new Set(links);
  const left: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let looked = 0; looked < MOST_FOLDERS; looked += 1) {
    const next = left.shift();
    if (next === undefined) break;
    const { path, depth } = next;
    const entries = await ground.platform.files.list(join(ground.home.root, path)).catch(() => []);
    if (path !== '' && entries.some((entry) => entry.name === '.git')) found.add(path);
    if (depth >= DEEPEST) continue;
    for (const entry of entries)
      if (entry.isDirectory() && !['.git', 'node_modules', '.harness'].includes(entry.name))
        left.push({ path: path === '' ? entry.name : `${path}/${entry.name}`, depth: depth + 1 });
  }
  return [...found].toSorted();
}
