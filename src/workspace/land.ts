/**
 * An accepted tree becomes a commit on the user's branch.
 *
 * 1. The branch moves only if it still stands at `base`: compare and swap.
 * 2. Before it moves, nothing of the user's may stand in the way: a modified, untracked or ignored file that would be
 *    overwritten is a conflict, named by path, and nothing has changed.
 * 3. The working tree and index follow; every other file, staged change and stash stays as it was.
 * 4. `finishLanding` can be repeated at any point of an interrupted landing, also where others have gone on from its commit.
 */
import { join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { TreeChange } from '../domain/tree.ts';
import { git, GitError, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { createCommit } from './commit.ts';
import { readHead, resolveRevision, type Home } from './home.ts';
import { alreadyThere, findObstacles, stageWhatIsThere } from './landing-obstacles.ts';
import { copyUserIndex, withOwnIndex } from './own-index.ts';
import { harnessRef } from './refs.ts';
import { setRef } from './set-ref.ts';
import { createTreeStore } from './tree-store.ts';
import { allGroups } from '../domain/text-parts.ts';

export type LandResult =
  | { kind: 'landed'; commit: string }
  /** The branch stands elsewhere; nothing was changed. */
  | { kind: 'moved'; head: string | null }
  /** Files of the user's stand in the way; nothing was changed. */
  | { kind: 'conflict'; paths: string[]; detail: string };

export interface LandOptions {
  home: Home;
  branch: string;
  /** Commit at which the branch has to stand. */
  base: string;
  tree: string;
  message: string;
}

/** The commit alone: no ref points to it yet, so that its id can be written down before the branch moves. */
export async function makeCommit(platform: Platform, options: Omit<LandOptions, 'branch'>): Promise<string> {
  const { home, base, tree, message } = options;
  const commit = await createCommit(platform, home, { tree, parents: [base], message });
  if (home.publish !== undefined) await setRef(platform, home, harnessRef('landing', commit), commit);
  return commit;
}

/** Lands a commit that exists already, whatever part of that has happened before. */
export async function finishLanding(
  platform: Platform,
  options: { home: Home; branch: string; base: string; commit: string },
): Promise<LandResult> {
  const { home, branch, base, commit } = options;
  const ref = `refs/heads/${branch}`;
  const head = await resolveRevision(platform, home, ref);
  if (head !== base && head !== commit)
    return head !== null && (await isBelow(platform, home, commit, head))
      ? await followLater(platform, options, head)
      : { kind: 'moved', head };
  const checkedOut = (await readHead(platform, home)).branch === branch;
  if (!checkedOut && (await checkedOutElsewhere(platform, home, ref))) {
    return {
      kind: 'conflict',
      paths: [],
      detail: `branch ${branch} is checked out in another worktree; switch ${home.root} back to it and run again`,
    };
  }
  const changes = checkedOut ? await createTreeStore(platform, home).diff(base, commit) : [];
  const ready = checkedOut ? await makeReady(platform, home, { base, commit, changes }) : { there: [] };
  if ('kind' in ready) return ready;
  if (head !== commit) {
    const published = await landThere(platform, options);
    if (published !== null) return published;
    const swapped = await tryGit(platform, ['update-ref', '-m', 'harness: accepted work', ref, commit, base], { cwd: home.root });
    if (swapped.code !== 0) {
      const now = await resolveRevision(platform, home, ref);
      if (now === base) throw new GitError(['update-ref', ref, commit], swapped);
      return { kind: 'moved', head: now };
    }
  }
  if (checkedOut) {
    if (ready.there !== null) await stageWhatIsThere(platform, home, ready.there);
    await git(platform, ['read-tree', '-m', '-u', base, commit], { cwd: home.root });
  }
  return { kind: 'landed', commit };
}

async function isBelow(platform: Platform, home: Home, commit: string, head: string | null): Promise<boolean> {
  if (head === null) return false;
  return (await tryGit(platform, ['merge-base', '--is-ancestor', commit, head], { cwd: home.root })).code === 0;
}

/** A published home first; null: the branch can follow here. */
async function landThere(platform: Platform, { home, branch, base, commit }: Omit<LandOptions, 'tree' | 'message'> & { commit: string }) {
  const landed = await home.land?.(branch, base, commit);
  if (landed === undefined) return null;
  const head = await resolveRevision(platform, home, `refs/heads/${branch}`);
  if (landed === 'moved') return { kind: 'moved' as const, head };
  return head === base ? null : { kind: 'landed' as const, commit };
}

/** Landed, and others came on top: the working tree gets what it is still missing, unless they changed the same files again. */
async function followLater(
  platform: Platform,
  { home, branch, base, commit }: { home: Home; branch: string; base: string; commit: string },
  head: string,
): Promise<LandResult> {
  const landed: LandResult = { kind: 'landed', commit };
  if ((await readHead(platform, home)).branch !== branch) return landed;
  const store = createTreeStore(platform, home);
  const changes = await store.diff(base, commit);
  const later = new Set((await store.diff(commit, head)).map((change) => change.path));
  if (changes.some((change) => later.has(change.path))) return landed;
  const ready = await makeReady(platform, home, { base, commit, changes });
  if ('kind' in ready) return landed;
  if (ready.there !== null) await stageWhatIsThere(platform, home, ready.there);
  await git(platform, ['read-tree', '-m', '-u', base, commit], { cwd: home.root });
  return landed;
}

interface Update {
  base: string;
  commit: string;
  changes: readonly TreeChange[];
}

/** Conflicts, or what the index has to be told first; null: nothing at all, which is the usual case. */
async function makeReady(platform: Platform, home: Home, update: Update): Promise<LandResult | { there: TreeChange[] | null }> {
  await waitForIndex(platform, home);
  const obstacles = await findObstacles(platform, home, update.changes);
  if (obstacles.length > 0)
    return { kind: 'conflict', paths: obstacles, detail: 'files of the working tree that are not committed would be overwritten' };
  const plain = await tryGit(platform, ['read-tree', '-n', '-m', '-u', update.base, update.commit], { cwd: home.root });
  if (plain.code === 0) return { there: null };
  const there = await alreadyThere(platform, home, update.changes);
  return (await tryOnCopy(platform, home, update, there)) ?? { there };
}

/** The whole update as a dry run, over a copy of the index: a conflict leaves no trace. */
async function tryOnCopy(
  platform: Platform,
  home: Home,
  { base, commit }: Update,
  there: readonly TreeChange[],
): Promise<LandResult | null> {
  return withOwnIndex(platform, home, async (indexFile) => {
    await copyUserIndex(platform, home, indexFile);
    await stageWhatIsThere(platform, home, there, indexFile);
    const trial = await tryGit(platform, ['read-tree', '-n', '-m', '-u', base, commit], { cwd: home.root, indexFile });
    return trial.code === 0 ? null : { kind: 'conflict', paths: pathsIn(trial.stderr), detail: trial.stderr.trim().split('\n')[0] ?? '' };
  });
}

/** Another git command may hold the index for a moment. */
async function waitForIndex(platform: Platform, home: Home): Promise<void> {
  const lock = join(home.gitDir, 'index.lock');
  for (let tries = 0; await platform.files.exists(lock); tries++) {
    if (tries >= 50) {
      throw new HarnessError(`Another git command holds the index of ${home.root}.`, {
        exitCode: EXIT.preflight,
        next: 'retry_now',
        details: [`Let it finish and run again. If no git command is running, delete ${lock}.`],
      });
    }
    await platform.clock.sleep(100);
  }
}

async function checkedOutElsewhere(platform: Platform, home: Home, ref: string): Promise<boolean> {
  const listing = await git(platform, ['worktree', 'list', '--porcelain'], { cwd: home.root });
  return listing.toString('utf8').split('\n').includes(`branch ${ref}`);
}

function pathsIn(message: string): string[] {
  return allGroups(message, /'([^']+)'/g, 1);
}
