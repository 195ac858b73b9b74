/**
 * An index of the harness's own over home's object store: the user's index is never touched through it.
 * It lies in home's git directory, on the same disk as the objects and out of an agent's sight, and is removed afterwards.
 */
import { join } from 'node:path';
import { git, GitError, tryGit } from '../platform/git.ts';
import { isLeftBehind, ownName } from '../platform/own-name.ts';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';
import { HARNESS_REF_FOLDERS } from './refs.ts';

export async function withOwnIndex<T>(platform: Platform, home: Home, work: (indexFile: string) => Promise<T>): Promise<T> {
  const folder = join(home.gitDir, 'harness');
  await platform.files.mkdir(folder);
  const indexFile = join(folder, ownName('index', platform.random.id(6)));
  try {
    return await work(indexFile);
  } finally {
    await platform.files.remove(indexFile);
    await platform.files.remove(`${indexFile}.lock`);
  }
}

/** Removes what dead processes left beside home's objects; returns the paths. */
export async function sweepOwnFiles(platform: Platform, home: Home): Promise<string[]> {
  const removed: string[] = [];
  const refs = Object.values(HARNESS_REF_FOLDERS).map((folder) => join(home.commonDir, folder));
  for (const folder of [join(home.gitDir, 'harness'), ...refs]) {
    for (const entry of await platform.files.list(folder).catch(() => [])) {
      if (!(await isLeftBehind(entry.name))) continue;
      await platform.files.remove(join(folder, entry.name));
      removed.push(join(folder, entry.name));
    }
  }
  return removed;
}

/** A copy of the user's index, with its time: git needs it to know which entries are too young to be trusted. */
export async function copyUserIndex(platform: Platform, home: Home, indexFile: string): Promise<void> {
  const index = join(home.gitDir, 'index');
  if (!(await platform.files.exists(index))) return;
  const run = await platform.processes.run({
    file: 'cp',
    args: ['-p', '--', index, indexFile],
    cwd: home.root,
    env: { PATH: platform.env['PATH'] ?? '/usr/bin:/bin' },
  });
  if (run.code !== 0) throw new Error(`the index of ${home.root} could not be copied: ${run.stderr.toString('utf8').trim()}`);
}

export interface IndexChange {
  path: string;
  /** `null` takes the path out. */
  entry: { mode: string; oid: string } | null;
}

/** Applies changes to an index; what leaves goes first, so that a file may take the place of a directory. */
export async function updateIndex(
  platform: Platform,
  home: Home,
  indexFile: string | undefined,
  changes: readonly IndexChange[],
): Promise<void> {
  const refused = await tryUpdateIndex(platform, home, indexFile, changes);
  if (refused !== null) throw new Error(`git update-index failed: ${refused}`);
}

/** As `updateIndex`, but says which names git passed over: it succeeds then. Any other failure, such as a full disk, says nothing about names and is thrown. */
export async function tryUpdateIndex(
  platform: Platform,
  home: Home,
  indexFile: string | undefined,
  changes: readonly IndexChange[],
): Promise<string | null> {
  if (changes.length === 0) return null;
  const zero = '0'.repeat(changes.find((change) => change.entry !== null)?.entry?.oid.length ?? home.head?.length ?? 40);
  const gone = changes.filter((change) => change.entry === null).map((change) => `0 ${zero}\t${change.path}\0`);
  const there = changes.flatMap((change) => (change.entry === null ? [] : [`${change.entry.mode} ${change.entry.oid}\t${change.path}\0`]));
  const args = ['update-index', '--add', '--replace', '-z', '--index-info'];
  const result = await tryGit(platform, args, {
    cwd: home.root,
    ...(indexFile === undefined ? {} : { indexFile }),
    stdin: gone.join('') + there.join(''),
  });
  if (result.code !== 0) throw new GitError(args, result);
  return result.stderr.includes('Ignoring path') ? result.stderr.trim() : null;
}

/** Looks again at files whose time or size changed. That some of them differ is no error; that the index cannot be written is one. */
export async function refreshIndex(platform: Platform, home: Home, indexFile?: string): Promise<void> {
  const args = ['update-index', '-q', '--refresh'];
  const result = await tryGit(platform, args, { cwd: home.root, ...(indexFile === undefined ? {} : { indexFile }) });
  if (result.code > 1) throw new GitError(args, result);
}

export async function writeTree(
  platform: Platform,
  home: Home,
  indexFile: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  return (await git(platform, ['write-tree'], { cwd: home.root, indexFile, env })).toString('utf8').trim();
}
