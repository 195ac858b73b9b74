/**
 * Commits made again on top of another one, in the object store alone: no ref, index or file changes.
 *
 * 1. Each commit keeps its message; what it changed is merged into the tree it now stands on, as git merges.
 * 2. Progress notes are joined and cannot conflict.
 * 3. A conflict is named by its paths. A git that is too old for merging trees (before 2.38) is said as such.
 */
import { gitLine, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { createCommit, HARNESS_IDENTITY } from './commit.ts';
import { treeOf, type Home } from './home.ts';
import { setNotesAside, type ProgressNotes } from './progress-notes.ts';

export type Merged = { kind: 'merged'; tree: string } | { kind: 'conflict'; paths: string[] } | { kind: 'unsupported'; detail: string };
export type Replayed = { kind: 'replayed'; commit: string; tree: string } | Exclude<Merged, { kind: 'merged' }>;

/** What `commit` changed against its parent, merged into the tree of `onto`. */
export async function mergeInto(
  platform: Platform,
  home: Home,
  { onto, commit }: { onto: string; commit: string },
  notes: ProgressNotes,
): Promise<Merged> {
  const [base, ours, whole] = await Promise.all([
    treeOf(platform, home, `${commit}^`),
    treeOf(platform, home, onto),
    treeOf(platform, home, commit),
  ]);
  const { theirs, rejoin } = await setNotesAside(notes, { base, ours, theirs: whole });
  const work =
    theirs === whole
      ? commit
      : await createCommit(platform, home, { tree: theirs, parents: [`${commit}^`], message: 'harness: without notes' });
  // A stand-in for `onto` whose only parent is the commit's own: the merge then has exactly that parent as its base.
  const standIn = await gitLine(platform, ['commit-tree', `${onto}^{tree}`, '-p', `${commit}^`], {
    cwd: home.root,
    stdin: 'harness: stand-in\n',
    env: HARNESS_IDENTITY,
  });
  const merge = await tryGit(platform, ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', standIn, work], {
    cwd: home.root,
  });
  const [tree, ...paths] = merge.stdout
    .toString('utf8')
    .split('\0')
    .filter((part) => part !== '');
  if (merge.code === 0 && tree !== undefined) return { kind: 'merged', tree: await rejoin(tree) };
  if (merge.code === 1 && paths.length > 0) return { kind: 'conflict', paths };
  return { kind: 'unsupported', detail: merge.stderr.trim().split('\n')[0] ?? '' };
}

/** `commits`, oldest first, on top of `onto`. */
export async function replay(
  platform: Platform,
  home: Home,
  { commits, onto }: { commits: readonly string[]; onto: string },
  notes: ProgressNotes,
): Promise<Replayed> {
  let stands = onto;
  for (const commit of commits) {
    const merged = await mergeInto(platform, home, { onto: stands, commit }, notes);
    if (merged.kind !== 'merged') return merged;
    const message = await gitLine(platform, ['log', '-1', '--format=%B', commit], { cwd: home.root });
    stands = await createCommit(platform, home, { tree: merged.tree, parents: [stands], message });
  }
  return { kind: 'replayed', commit: stands, tree: await gitLine(platform, ['rev-parse', `${stands}^{tree}`], { cwd: home.root }) };
}
