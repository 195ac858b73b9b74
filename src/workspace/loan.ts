/**
 * The user's own working tree, lent to an agent (`workspace.mode: in_place`).
 *
 * 1. What lies there before, tracked or not, is pinned under `refs/harness/loans/<session>` on top of the base: the loan is open while that ref
 *    is there. Ignored files are in nobody's keeping.
 * 2. The agent's work is what lies there afterwards, without the user's untracked files, whatever became of them.
 * 3. Given back, every path stands as it did, or as the branch has it where that went on meanwhile. What the agent left is kept under
 *    `refs/harness/saved/`. It can be repeated at any point; the ref goes last.
 */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { CaptureFinding, TreeEdit } from '../domain/tree.ts';
import { git } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { captureWorkspace } from './capture.ts';
import { readHead, type Home } from './home.ts';
import { writeIntoFolder } from './land-in-folder.ts';
import { HARNESS_REF_FOLDERS, harnessRef, mayHaveRefs } from './refs.ts';
import { NOTHING_HELD } from './held-copy.ts';
import type { HomeTreeStore } from './tree-store.ts';

export interface Loan {
  home: Home;
  store: HomeTreeStore;
  session: number;
}

/** `start`: the tree that the agent begins with, over the base. */
export async function lendWorkingTree(platform: Platform, loan: Loan, base: string, start: string): Promise<void> {
  const { home, store, session } = loan;
  const before = await captureHome(platform, loan, { base, ref: harnessRef('loans', session), parent: base });
  const edits = (await store.diff(await store.of(base), start)).map(({ path, to }) => editTo(path, to));
  if (edits.length > 0) await putInPlace(platform, home, before.tree, await store.compose(before.tree, edits));
}

/** What the agent made of it, for a captured tree that holds everything that lies there. */
export async function workOfLoan(
  { store, session }: Loan,
  base: string,
  captured: { tree: string; findings: readonly CaptureFinding[] },
): Promise<{ tree: string; findings: CaptureFinding[] }> {
  const before = await store.resolve(harnessRef('loans', session));
  if (before === null) return { tree: captured.tree, findings: [...captured.findings] };
  const own = (await store.diff(await store.of(base), before)).flatMap(({ status, to }) => (status === 'added' ? (to ?? []) : []));
  const folders = new Set(own.map(({ path }) => path.split('/')[0]));
  return {
    tree: await store.compose(
      captured.tree,
      own.map(({ path }) => ({ path, kind: 'delete' })),
    ),
    findings: captured.findings.filter(({ path }) => !folders.has(path.split('/')[0])),
  };
}

/** Null: nothing was lent; else how many files were put back. */
export async function returnWorkingTree(platform: Platform, loan: Loan): Promise<number | null> {
  const { home, store, session } = loan;
  const ref = harnessRef('loans', session);
  const before = await store.resolve(ref);
  if (before === null) return null;
  const base = (await git(platform, ['rev-parse', `${ref}^1`], { cwd: home.root })).toString('utf8').trim();
  const now = await captureHome(platform, loan, { base, ref: harnessRef('saved', `loan-${session}`), parent: null });
  const target = await store.compose(before, await editsSince(platform, loan, base));
  const changed = await putInPlace(platform, home, now.tree, target);
  await git(platform, ['update-ref', '-d', ref], { cwd: home.root });
  return changed;
}

export async function openLoans(platform: Platform, home: Home): Promise<number[]> {
  if (!(await mayHaveRefs(platform, home, HARNESS_REF_FOLDERS.loans))) return [];
  const output = await git(platform, ['for-each-ref', '--format=%(refname:lstrip=3)', `${HARNESS_REF_FOLDERS.loans}/`], { cwd: home.root });
  const names = output.toString('utf8').split('\n');
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

function captureHome(
  platform: Platform,
  { home, store, session }: Loan,
  { base, ref, parent }: { base: string; ref: string; parent: string | null },
): ReturnType<typeof captureWorkspace> {
  const copy = { path: home.root, held: NOTHING_HELD };
  return captureWorkspace(platform, {
    home,
    store,
    copy,
    baseTree: base,
    ref,
    parent,
    message: `harness: the working tree around session ${session}`,
  });
}

/** What the branch says now of the paths that it changed since the loan began. */
async function editsSince(platform: Platform, { home, store }: Loan, base: string): Promise<TreeEdit[]> {
  const { head } = await readHead(platform, home);
  if (head === null || head === base) return [];
  return (await store.diff(await store.of(base), await store.of(head))).map(({ path, to }) => editTo(path, to));
}

function editTo(path: string, to: { path: string; mode: string; oid: string } | null): TreeEdit {
  return to === null ? { path, kind: 'delete' } : { path, kind: 'entry', entry: to };
}

async function putInPlace(platform: Platform, home: Home, from: string, tree: string): Promise<number> {
  if (from === tree) return 0;
  const written = await writeIntoFolder(platform, { home, root: home.root, base: from, tree });
  if (written.kind === 'written') return written.changed.length;
  throw new HarnessError(`The working tree ${home.root} could not be put back as it was: ${written.detail}.`, {
    exitCode: EXIT.preflight,
    details: [`In the way: ${written.paths.slice(0, 5).join(', ')}. Move it aside and run again; nothing is lost.`],
  });
}
