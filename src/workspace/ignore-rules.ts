/**
 * Which untracked paths are ignored, by the rules of the trusted tree: its `.gitignore` files, home's `info/exclude` and the
 * user's global excludes. The candidate's own rules count for nothing.
 *
 * Git itself decides, over a scratch directory that holds only the trusted `.gitignore` files and the names of directories.
 */
import { dirname, join } from 'node:path';
import type { TreeEntry } from '../domain/tree.ts';
import { GitError, tryGit } from '../platform/git.ts';
import { ownName } from '../platform/own-name.ts';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import type { Home } from './home.ts';
import type { HomeTreeStore } from './tree-store.ts';

export interface IgnoreRules {
  /** The ignored ones among the given paths, by a rule for the path itself or for a directory above it. */
  ignored(paths: readonly { path: string; directory: boolean }[]): Promise<ReadonlySet<string>>;
}

/** Keeps a name that begins with a colon from being read as a pattern. */
const PLAIN = './';

export async function withIgnoreRules<T>(
  platform: Platform,
  home: Home,
  store: HomeTreeStore,
  trusted: readonly TreeEntry[],
  work: (rules: IgnoreRules) => Promise<T>,
): Promise<T> {
  const scratch = join(home.gitDir, 'harness', ownName('ignore', platform.random.id(6)));
  let placed: Promise<void> | undefined;
  const ignored: IgnoreRules['ignored'] = async (paths) => {
    if (paths.length === 0) return new Set();
    placed ??= placeRules(platform, store, scratch, trusted);
    await placed;
    return askGit(platform, home, scratch, paths);
  };
  try {
    return await work({ ignored });
  } finally {
    if (placed !== undefined) await platform.files.remove(scratch);
  }
}

async function placeRules(platform: Platform, store: HomeTreeStore, scratch: string, trusted: readonly TreeEntry[]): Promise<void> {
  await platform.files.mkdir(scratch);
  const rules = trusted.filter(
    (entry) => entry.mode !== '120000' && entry.mode !== '160000' && (entry.path === '.gitignore' || entry.path.endsWith('/.gitignore')),
  );
  await store.readBlobs(
    rules.map((entry) => entry.oid),
    async (oid, content) => {
      for (const entry of rules.filter((rule) => rule.oid === oid)) {
        await platform.files.mkdir(join(scratch, dirname(entry.path)));
        await platform.files.write(join(scratch, entry.path), content);
      }
    },
  );
}

async function askGit(
  platform: Platform,
  home: Home,
  scratch: string,
  paths: readonly { path: string; directory: boolean }[],
): Promise<ReadonlySet<string>> {
  await concurrently(
    paths.filter((path) => path.directory),
    16,
    ({ path }) => platform.files.mkdir(join(scratch, path)),
  );
  const args = ['check-ignore', '--no-index', '-z', '--stdin'];
  const result = await tryGit(platform, args, {
    cwd: scratch,
    gitDir: home.gitDir,
    workTree: scratch,
    indexFile: join(scratch, '..', 'no-index'),
    stdin: paths.map(({ path }) => `${PLAIN}${path}\0`).join(''),
  });
  if (result.code > 1) throw new GitError(args, result);
  return new Set(
    result.stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => path.slice(PLAIN.length)),
  );
}
