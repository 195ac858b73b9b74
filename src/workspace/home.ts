/**
 * Home: the user's repository and working tree.
 *
 * 1. `root` is the top of the working tree, `gitDir` its own git directory, `commonDir` the one shared by all its worktrees
 *    (the same outside linked worktrees); all absolute and real.
 * 2. Looking never writes: not even the index is refreshed on disk.
 */
import { join, resolve } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { git, gitLine, tryGit } from '../platform/git.ts';
import { gitObjects } from '../platform/git-objects.ts';
import type { Platform } from '../platform/platform.ts';
import { firstItem, itemAt } from '../domain/items.ts';

export interface Home {
  root: string;
  gitDir: string;
  commonDir: string;
  /** `null` when HEAD is detached. */
  branch: string | null;
  /** `null` before the first commit. */
  head: string | null;
  /** Only where home is a clone (`published-home.ts`): called before a state is written. */
  publish?(): Promise<void>;
  /** The same: called before a branch moves here. */
  land?(branch: string, base: string, commit: string): Promise<'landed' | 'moved'>;
}

export interface GitState {
  branch: string | null;
  detached: boolean;
  head: string | null;
  noCommits: boolean;
  /** Tracked files that differ from HEAD, staged or not; never untracked ones, never the harness's own. */
  dirty: string[];
  /** Paths with unresolved conflicts. */
  unmerged: string[];
  /** An operation of git that waits to be finished. */
  operation: 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'bisect' | null;
}

const OPERATIONS: readonly (readonly [string, Exclude<GitState['operation'], null>])[] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

export async function openHome(platform: Platform, cwd: string): Promise<Home> {
  const plain = await plainHome(platform, cwd).catch(() => null);
  if (plain !== null) return { ...plain, ...(await readHead(platform, plain)) };
  const asked = await tryGit(platform, ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'], {
    cwd,
  }).catch((error: unknown) => {
    throw usageError(
      `The directory ${cwd} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      'Check that it exists and that git is installed (harness doctor).',
    );
  });
  if (asked.code !== 0) throw notARepository(cwd, asked.stderr);
  const [root, gitDir, commonDir, ...more] = asked.stdout.toString('utf8').trimEnd().split('\n');
  if (more.length > 0)
    throw usageError(
      `The path of the repository at ${JSON.stringify(cwd)} has a line break in it.`,
      'Rename that directory: git itself prints paths by the line.',
    );
  if (!root || !gitDir || !commonDir) throw notARepository(cwd, 'the repository has no working tree');
  const real = await Promise.all([root, gitDir, commonDir].map((path) => platform.files.realpath(path)));
  const home: Home = { root: firstItem(real), gitDir: itemAt(real, 1), commonDir: itemAt(real, 2), branch: null, head: null };
  return { ...home, ...(await readHead(platform, home)) };
}

/**
 * A repository whose files say all of it: a directory `.git` at its top, of this user, in the oldest format, with no setting that moves its parts.
 * Git is asked about every other.
 */
async function plainHome({ files, env }: Platform, cwd: string): Promise<Home | null> {
  const root = await files.realpath(cwd);
  const gitDir = join(root, '.git');
  const [top, own, config] = await Promise.all([files.lstat(root), files.lstat(gitDir), files.readTextIfExists(join(gitDir, 'config'))]);
  const isOwn = [top, own].every((stat) => stat.isDirectory() && Number(stat.uid) === process.getuid?.());
  if (!isOwn || root.includes('\n') || config === null || !PLAIN_CONFIG.test(config) || MOVED.test(config)) return null;
  const there = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => files.exists(join(gitDir, name))));
  if (there.includes(false) || (await files.exists(join(gitDir, 'commondir')))) return null;
  const programs = (env['PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/'));
  for (const folder of programs)
    if (await files.exists(join(folder, 'git'))) return { root, gitDir, commonDir: gitDir, branch: null, head: null };
  return null;
}

const PLAIN_CONFIG = /^\s*repositoryformatversion\s*=\s*0\s*$/im;
const MOVED = /worktree|\bbare\s*(?:$|=(?!\s*false\b))|\[\s*include|\[\s*extensions/im;

/** Where HEAD stands now. */
export async function readHead(platform: Platform, home: Home): Promise<{ branch: string | null; head: string | null }> {
  const [branch, commit] = await Promise.all([branchOf(platform, home), gitObjects(platform, home.gitDir).read('HEAD^{commit}')]);
  return { branch, head: commit?.oid ?? null };
}

/** From the file where it says so in the usual way; git is asked where it does not. */
async function branchOf(platform: Platform, home: Home): Promise<string | null> {
  const path = join(home.gitDir, 'HEAD');
  const text = await platform.files.readTextIfExists(path);
  const named = /^ref: refs\/heads\/(\S+)\n?$/.exec(text ?? '')?.[1];
  if (named !== undefined && named !== '.invalid') return named;
  if (/^[0-9a-f]{40,64}\n?$/.test(text ?? '') && !(await platform.files.lstat(path)).isSymbolicLink()) return null;
  const symbolic = await tryGit(platform, ['symbolic-ref', '-q', '--short', 'HEAD'], { cwd: home.root });
  return symbolic.code === 0 ? symbolic.stdout.toString('utf8').trim() : null;
}

/** The object that a revision names; `null` where there is none. */
export async function resolveRevision(platform: Platform, home: Home, revision: string): Promise<string | null> {
  return (await gitObjects(platform, home.gitDir).read(revision))?.oid ?? null;
}

export async function gitState(platform: Platform, home: Home): Promise<GitState> {
  return await stateBy(platform, home, ['--untracked-files=no', '--ignore-submodules=dirty']);
}

/** The same, and whether files, index and HEAD are the same and nothing is untracked. */
export async function wholeGitState(platform: Platform, home: Home): Promise<GitState & { clean: boolean }> {
  return await stateBy(platform, home, EVERYTHING);
}

const EVERYTHING = ['--untracked-files=all', '--ignore-submodules=none'] as const;

export async function isCleanNow(platform: Platform, home: Home): Promise<boolean> {
  const status = await tryGit(platform, statusWith(EVERYTHING), { cwd: home.root });
  return status.code === 0 && status.stdout.length === 0;
}

function statusWith(what: readonly string[]): string[] {
  return ['status', '--porcelain=v2', '-z', '--no-renames', ...what];
}

async function stateBy(platform: Platform, home: Home, what: readonly string[]): Promise<GitState & { clean: boolean }> {
  const [{ branch, head }, status, operation] = await Promise.all([
    readHead(platform, home),
    git(platform, statusWith(what), { cwd: home.root }),
    operationOf(platform, home),
  ]);
  const { dirty, unmerged } = parseStatus(status.toString('utf8'));
  return { branch, detached: branch === null, head, noCommits: head === null, dirty, unmerged, operation, clean: status.length === 0 };
}

/** The tree of a commit, or of any revision that names one. */
export async function treeOf(platform: Platform, home: Home, revision: string): Promise<string> {
  const tree = await resolveRevision(platform, home, `${revision}^{tree}`);
  if (tree === null)
    throw usageError(
      `There is no commit or tree called "${revision}" in ${home.root}.`,
      'Name a commit, a branch, a tag or a tree of this repository.',
    );
  return tree;
}

/** Sets modified tracked files aside on the user's own stash; `null` when there was nothing to set aside. */
export async function stashChanges(platform: Platform, home: Home, message: string): Promise<{ commit: string; restore: string } | null> {
  const before = await tryGit(platform, ['rev-parse', '-q', '--verify', 'refs/stash'], { cwd: home.root });
  await git(platform, ['stash', 'push', '--quiet', '-m', message], { cwd: home.root });
  const commit = await gitLine(platform, ['rev-parse', '-q', '--verify', 'refs/stash'], { cwd: home.root }).catch(() => '');
  if (commit === '' || commit === before.stdout.toString('utf8').trim()) return null;
  return { commit, restore: 'git stash pop' };
}

/** The stash with this message, as git names its commit; null when there is none. */
export async function findStash(platform: Platform, home: Home, message: string): Promise<string | null> {
  if ((await resolveRevision(platform, home, 'refs/stash')) === null) return null;
  const list = (await git(platform, ['stash', 'list', '-z', '--format=%H %gs'], { cwd: home.root })).toString('utf8').split('\0');
  return list.find((line) => line.endsWith(`: ${message}`))?.split(' ')[0] ?? null;
}

/** Puts a stash back where nothing of it was changed since; otherwise it stays on the stash list. */
export async function restoreStash(
  platform: Platform,
  home: Home,
  stash: { commit: string },
): Promise<{ restored: boolean; detail: string }> {
  const list = (await git(platform, ['stash', 'list', '--format=%H'], { cwd: home.root })).toString('utf8').split('\n');
  const at = list.indexOf(stash.commit);
  if (at === -1) return { restored: false, detail: 'it is no longer on the stash list' };
  const [mine, theirs] = await Promise.all([
    changedPaths(platform, home, `${stash.commit}^1`, stash.commit),
    changedPaths(platform, home, `${stash.commit}^1`, 'HEAD'),
  ]);
  const both = mine.filter((path) => theirs.includes(path));
  if (both.length > 0) return { restored: false, detail: `changed in the meantime: ${both.slice(0, 5).join(', ')}` };
  const popped = await tryGit(platform, ['stash', 'pop', '--quiet', '--index', `stash@{${at}}`], { cwd: home.root });
  return popped.code === 0 ? { restored: true, detail: '' } : { restored: false, detail: popped.stderr.trim().split('\n')[0] ?? '' };
}

async function changedPaths(platform: Platform, home: Home, from: string, to: string): Promise<string[]> {
  const output = await git(platform, ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to], { cwd: home.root });
  return output
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
}

async function operationOf(platform: Platform, home: Home): Promise<GitState['operation']> {
  for (const [name, operation] of OPERATIONS) {
    if (await platform.files.exists(join(home.gitDir, name))) return operation;
  }
  return null;
}

/** Porcelain v2 with -z: `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`. */
function parseStatus(text: string): { dirty: string[]; unmerged: string[] } {
  const dirty: string[] = [];
  const unmerged: string[] = [];
  for (const record of text.split('\0')) {
    const kind = record[0];
    if (kind !== '1' && kind !== 'u') continue;
    const fields = record.split(' ');
    // A submodule at the commit that is recorded, with changes of its own inside: those are no change here.
    if (kind === '1' && /^\.. S\./.test(`${fields[1] ?? ''} ${fields[2] ?? ''}`)) continue;
    const path = fields.slice(kind === '1' ? 8 : 10).join(' ');
    if (path === '.harness' || path.startsWith('.harness/')) continue;
    dirty.push(path);
    if (kind === 'u') unmerged.push(path);
  }
  return { dirty, unmerged };
}

function notARepository(cwd: string, said: string): Error {
  return usageError(
    `${resolve(cwd)} is not the working tree of a git repository.`,
    `git said: ${said.trim().split('\n')[0] ?? ''}`,
    'Run "git init" there, or name the project with --cwd DIR.',
  );
}
