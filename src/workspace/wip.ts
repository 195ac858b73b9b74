/**
 * Unfinished work, kept under `refs/harness/wip/<feature>` as a commit on the base it started from.
 * If home has moved since, the work is merged onto its new HEAD where that goes without conflict; else the session starts from HEAD
 * and the old work stays under its ref.
 */
import { git, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { pinTree } from './capture.ts';
import { resolveRevision, treeOf, type Home } from './home.ts';
import { HARNESS_REF_FOLDERS, harnessRef } from './refs.ts';

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
  options: { home: Home; feature: number | string; head: string },
): Promise<LoadedWip | null> {
  const { home, head } = options;
  const ref = wipRef(options.feature);
  const commit = await resolveRevision(platform, home, `${ref}^{commit}`);
  if (commit === null) return null;
  const tree = await treeOf(platform, home, commit);
  const base = await resolveRevision(platform, home, `${commit}^`);
  const wip: Wip = { ref, commit, tree, base };
  if (base === head) return { ...wip, start: tree, state: 'current', detail: `work in progress from ${ref}` };
  const merged = await tryGit(platform, ['merge-tree', '--write-tree', '--no-messages', head, commit], { cwd: home.root });
  const result = merged.stdout.toString('utf8').split('\n')[0]!.trim();
  if (merged.code === 0 && result !== '')
    return { ...wip, start: result, state: 'merged', detail: `work in progress from ${ref}, merged onto ${head.slice(0, 12)}` };
  const headTree = await treeOf(platform, home, head);
  return {
    ...wip,
    start: headTree,
    state: 'conflict',
    detail: `the project moved on and the work in progress no longer fits; it stays under ${ref} (git show ${ref})`,
  };
}

/** Everything that is kept for features. */
export async function listWip(platform: Platform, home: Home): Promise<{ feature: number; ref: string; tree: string }[]> {
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
