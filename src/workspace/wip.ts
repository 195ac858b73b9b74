/**
 * Unfinished work, kept under `refs/harness/wip/<feature>` as a commit on the base it started from.
 * If home has moved since, the work is merged onto its new HEAD where that goes without conflict; else the session starts from HEAD
 * and the old work stays under its ref.
 */
import type { TreeEdit } from '../domain/tree.ts';
import { git, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { pinTree } from './capture.ts';
import { resolveRevision, treeOf, type Home } from './home.ts';
import { HARNESS_REF_FOLDERS, harnessRef, mayHaveRefs } from './refs.ts';
import { setNotesAside, type ProgressNotes } from './progress-notes.ts';
import { beforeFirst } from '../domain/text-parts.ts';

export interface Wip {
  ref: string;
  commit: string;
  tree: string;
  base: string | null;
}

export interface LoadedWip extends Wip {
  /** Tree to start from: the work, the work merged onto HEAD, or HEAD's own. */
  start: string;
  state: 'current' | 'merged' | 'conflict';
  detail: string;
  /** In a conflict: HEAD with the work merged into it, both sides standing where they differ. */
  marked: string | null;
}

export async function saveWip(
  platform: Platform,
  options: { home: Home; feature: number | string; tree: string; base: string; message: string },
): Promise<Wip> {
  const ref = wipRef(options.feature);
  const commit = await pinTree(platform, options.home, { tree: options.tree, parent: options.base, ref, message: options.message });
  return { ref, commit, tree: options.tree, base: options.base };
}

/** `null` when nothing is kept for the feature. */
export async function loadWip(
  platform: Platform,
  options: { home: Home; feature: number | string; head: string; notes: ProgressNotes },
): Promise<LoadedWip | null> {
  const { home, head, notes } = options;
  const ref = wipRef(options.feature);
  const commit = await resolveRevision(platform, home, `${ref}^{commit}`);
  if (commit === null) return null;
  const tree = await treeOf(platform, home, commit);
  const base = await resolveRevision(platform, home, `${commit}^`);
  const { start, state, marked } = await bringOnto(platform, home, { commit, tree, base }, { head, notes });
  const detail = {
    current: `work in progress from ${ref}`,
    merged: `work in progress from ${ref}, merged onto ${head.slice(0, 12)}`,
    conflict: `the project moved on and the work in progress no longer fits; it stays under ${ref} (git show ${ref})`,
  }[state];
  return { ref, commit, tree, base, start, state, detail, marked };
}

/** Work that was refused, with some files set back: as it was, or merged onto HEAD; null where it does not fit there or is not kept any more. */
export async function loadRefused(
  platform: Platform,
  options: { home: Home; notes: ProgressNotes; tree: string; base: string; head: string; edits: readonly TreeEdit[] },
): Promise<string | null> {
  const { home, notes, base, head } = options;
  for (const object of [`${options.tree}^{tree}`, `${base}^{commit}`])
    if ((await resolveRevision(platform, home, object)) === null) return null;
  const tree = await notes.trees.compose(options.tree, options.edits);
  if (base === head) return tree;
  const commit = await pinTree(platform, home, { tree, parent: base, ref: null, message: 'harness: refused work' });
  const { start, state } = await bringOnto(platform, home, { commit, tree, base }, { head, notes });
  return state === 'conflict' ? null : start;
}

/** Where HEAD has moved since, the work is merged onto it, if that goes without conflict. */
async function bringOnto(
  platform: Platform,
  home: Home,
  work: Pick<Wip, 'commit' | 'tree' | 'base'>,
  { head, notes }: { head: string; notes: ProgressNotes },
): Promise<Pick<LoadedWip, 'start' | 'state' | 'marked'>> {
  if (work.base === head) return { start: work.tree, state: 'current', marked: null };
  const onHead = await treeOf(platform, home, head);
  const base = work.base === null ? null : await treeOf(platform, home, work.base);
  const { theirs, rejoin } = await setNotesAside(notes, { base, ours: onHead, theirs: work.tree });
  const commit =
    theirs === work.tree
      ? work.commit
      : await pinTree(platform, home, { tree: theirs, parent: work.base, ref: null, message: 'harness: work without its notes' });
  const merged = await tryGit(platform, ['merge-tree', '--write-tree', '--no-messages', head, commit], { cwd: home.root });
  const start = beforeFirst(merged.stdout.toString('utf8'), '\n').trim();
  if (merged.code === 0 && start !== '') return { start: await rejoin(start), state: 'merged', marked: null };
  const marked = merged.code === 1 && /^[0-9a-f]{40,64}$/.test(start) ? await rejoin(start) : null;
  return { start: onHead, state: 'conflict', marked };
}

/** Everything that is kept for features. */
export async function listWip(platform: Platform, home: Home): Promise<{ feature: number; ref: string; tree: string }[]> {
  if (!(await mayHaveRefs(platform, home, HARNESS_REF_FOLDERS.wip))) return [];
  const output = await git(platform, ['for-each-ref', '--format=%(refname) %(tree)', `${HARNESS_REF_FOLDERS.wip}/`], { cwd: home.root });
  const rows = output
    .toString('utf8')
    .split('\n')
    .map((line) => line.split(' ') as [string, string]);
  return rows.flatMap(([ref, tree]) => (/\/wip\/\d+$/.test(ref) ? [{ feature: Number(ref.split('/').at(-1)), ref, tree }] : []));
}

function wipRef(feature: number | string): string {
  return harnessRef('wip', feature);
}
