/**
 * The user's own working tree, lent to an agent (`workspace.mode: in_place`).
 *
 * 1. What lies there before, tracked or not, is pinned under `refs/harness/loans/<session>` on top of the base: the loan is open while that ref
 *    is there. Ignored files are in nobody's keeping.
 * 2. The agent's work is what lies there afterwards, without the user's untracked files, whatever became of them.
 * 3. Given back, every path stands as it did, or as the branch has it where that went on meanwhile. What the agent left is kept under
 *    `refs/harness/saved/`. It can be repeated at any point; the ref goes last.
 * 4. Git directories, pipes and other things that no tree can hold are put aside unless they were there before: git, or a person's editor,
 *    would start what the settings in such a directory name.
 */
import { dirname, join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { CaptureFinding, TreeEdit } from '../domain/tree.ts';
import { git } from '../platform/git.ts';
import { isThroughLink } from '../platform/contained-path.ts';
import type { Platform } from '../platform/platform.ts';
import { captureWorkspace, pinTree } from './capture.ts';
import { readHead, type Home } from './home.ts';
import { removeEmptyParents, unsafePaths, writeIntoFolder } from './land-in-folder.ts';
import { HARNESS_REF_FOLDERS, harnessRef, mayHaveRefs } from './refs.ts';
import { NOTHING_HELD } from './held-copy.ts';
import type { HomeTreeStore } from './tree-store.ts';

export interface Loan {
  home: Home;
  store: HomeTreeStore;
  session: number;
  /** Where things of the agent lie that no tree can hold. */
  aside: string;
}

/** `start`: the tree that the agent begins with, over the base. */
export async function lendWorkingTree(platform: Platform, loan: Loan, base: string, start: string): Promise<void> {
  const { home, store, session } = loan;
  const before = await captureHome(platform, loan, { base, ref: harnessRef('loans', session), parent: base });
  const there = await outsideTrees(platform, home, before.findings);
  const message = [messageOf(session), '', LISTED, ...there.map((one) => JSON.stringify(one))].join('\n');
  await pinTree(platform, home, { tree: before.tree, parent: base, ref: harnessRef('loans', session), message });
  const changes = await store.diff(await store.of(base), start);
  const unsafe = new Set(await unsafePaths(store, changes));
  const edits = changes.filter(({ path }) => !unsafe.has(path)).map(({ path, to }) => editTo(path, to));
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
  const [known, found] = [await thereBefore(platform, home, ref), await outsideTrees(platform, home, now.findings)];
  const isNew = (other: Other): boolean => known?.some(({ inode }) => inode === other.inode) === false;
  for (const other of found.filter(isNew)) await putAside(platform, loan, other);
  const target = await store.compose(before, await editsSince(platform, loan, base));
  const changed = await putInPlace(platform, home, now.tree, target);
  for (const other of found) await moveBack(platform, home, other, known ?? []);
  await git(platform, ['update-ref', '-d', ref], { cwd: home.root });
  return changed;
}

export async function openLoans(platform: Platform, home: Home): Promise<number[]> {
  if (!(await mayHaveRefs(platform, home, HARNESS_REF_FOLDERS.loans))) return [];
  const output = await git(platform, ['for-each-ref', '--format=%(refname:lstrip=3)', `${HARNESS_REF_FOLDERS.loans}/`], { cwd: home.root });
  const names = output.toString('utf8').split('\n');
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** What an agent in the working tree may only read: submodules and other git directories, in which git starts what their settings name. */
export async function keptFromAgent(platform: Platform, home: Home, submodules: readonly string[]): Promise<string[]> {
  const there = await Promise.all((await openLoans(platform, home)).map((one) => thereBefore(platform, home, harnessRef('loans', one))));
  return [...new Set([...submodules, ...there.flatMap((one) => one ?? []).map(({ path }) => path)])].map((path) => join(home.root, path));
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
    message: messageOf(session),
  });
}

function messageOf(session: number): string {
  return `harness: the working tree around session ${session}`;
}

const OUTSIDE_TREES: ReadonlySet<CaptureFinding['kind']> = new Set(['nested_git', 'special_file', 'invalid_name']);

interface Other {
  path: string;
  inode: string;
}

async function outsideTrees({ files }: Platform, home: Home, findings: readonly CaptureFinding[]): Promise<Other[]> {
  const paths = findings.flatMap(({ kind, path }) => (OUTSIDE_TREES.has(kind) ? [path] : []));
  return await Promise.all(paths.map(async (path) => ({ path, inode: String((await files.lstat(join(home.root, path))).ino) })));
}

const LISTED = 'Outside of the tree:';

/** As the message of the loan lists them, one a line; null: it does not, so no agent has been there. */
async function thereBefore(platform: Platform, home: Home, ref: string): Promise<Other[] | null> {
  const body = await git(platform, ['log', '-1', '--format=%b', ref, '--'], { cwd: home.root });
  const lines = body.toString('utf8').split('\n');
  return lines.includes(LISTED) ? lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Other) : null;
}

/** Not removed: a person may have made it meanwhile. */
async function putAside(platform: Platform, { home, aside }: Loan, { path }: Other): Promise<void> {
  await platform.files.mkdir(aside);
  const to = join(aside, path.replaceAll(/[^\w-]/g, '_'));
  await platform.files.remove(to);
  await platform.files.rename(join(home.root, path), to);
  await removeEmptyParents(platform, home.root, path);
}

/** The agent may have moved it, with a folder around it. */
async function moveBack(platform: Platform, home: Home, { path, inode }: Other, known: readonly Other[]): Promise<void> {
  const place = known.find((one) => one.inode === inode)?.path ?? path;
  if (place === path || (await isThroughLink(platform, home.root, place))) return;
  await platform.files.mkdir(dirname(join(home.root, place)));
  await platform.files.rename(join(home.root, path), join(home.root, place)).catch(() => {});
  await removeEmptyParents(platform, home.root, path);
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
