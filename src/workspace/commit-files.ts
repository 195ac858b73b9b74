/**
 * A commit of a few named files on top of HEAD.
 *
 * 1. Only these paths change between HEAD and the commit, and only their entries in the user's index; everything else that is
 *    staged, modified or untracked stays as it was.
 * 2. HEAD moves by compare and swap, before the first file changes. Nothing to commit is no commit.
 * 3. No path leads through a link: neither what is read nor what is written.
 * 4. While working tree and index follow, `refs/harness/pending` holds the commit: `finishCommit` completes it after a crash.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { containedPath } from '../platform/contained-path.ts';
import { TEMPORARY_PREFIX } from '../platform/files.ts';
import { git, GitError, gitLine, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import { createCommit } from './commit.ts';
import { readHead, resolveRevision, treeOf, type Home } from './home.ts';
import { finishLanding } from './land.ts';
import { refreshIndex, updateIndex, withOwnIndex, writeTree, type IndexChange } from './own-index.ts';
import { safeRelativePath } from './paths.ts';
import { createTreeStore } from './tree-store.ts';
import { HARNESS_REFS } from './refs.ts';

export interface FileToCommit {
  path: string;
  /** What the file will say; absent: the file as it stands there (missing: its deletion). */
  content?: string | Uint8Array;
  executable?: boolean;
}

export type CommitFilesResult =
  | { kind: 'committed'; commit: string }
  | { kind: 'unchanged'; head: string | null }
  | { kind: 'moved'; head: string | null };

export async function commitFiles(
  platform: Platform,
  home: Home,
  options: { files: readonly FileToCommit[]; message: string },
): Promise<CommitFilesResult> {
  for (const file of options.files)
    if (safeRelativePath(file.path) !== file.path) throw usageError(`"${file.path}" is not a path inside the project.`);
  await refuseLinks(platform, home, options.files);
  await finishCommit(platform, home);
  const { head } = await readHead(platform, home);
  const changes = await concurrently(options.files, 4, (file) => entryFor(platform, home, file));
  const tree = await withOwnIndex(platform, home, async (indexFile) => {
    await git(platform, head === null ? ['read-tree', '--empty'] : ['read-tree', head], { cwd: home.root, indexFile });
    await updateIndex(platform, home, indexFile, changes);
    return writeTree(platform, home, indexFile);
  });
  const unchanged = head !== null && tree === (await treeOf(platform, home, head));
  if (unchanged) {
    await follow(platform, home, options.files, changes);
    return { kind: 'unchanged', head };
  }
  const commit = await createCommit(platform, home, { tree, parents: head === null ? [] : [head], message: options.message });
  if (head !== null && home.branch !== null && (await home.land?.(home.branch, head, commit)) === 'moved')
    return { kind: 'moved', head: (await readHead(platform, home)).head };
  await git(platform, ['update-ref', PENDING, commit], { cwd: home.root });
  const swapped = await tryGit(
    platform,
    ['update-ref', '-m', `harness: ${options.message.split('\n')[0]}`, 'HEAD', commit, head ?? '0'.repeat(commit.length)],
    { cwd: home.root },
  );
  if (swapped.code !== 0) {
    const now = (await readHead(platform, home)).head;
    if (now === head) throw new GitError(['update-ref', 'HEAD', commit], swapped);
    await git(platform, ['update-ref', '-d', PENDING], { cwd: home.root });
    return { kind: 'moved', head: now };
  }
  await follow(platform, home, options.files, changes);
  await git(platform, ['update-ref', '-d', PENDING], { cwd: home.root });
  return { kind: 'committed', commit };
}

/** A folder that is a link leads anywhere: what is committed here is neither read nor written through one. */
async function refuseLinks(platform: Platform, home: Home, files: readonly FileToCommit[]): Promise<void> {
  for (const { path } of files) {
    const { link } = await containedPath(platform, home.root, path);
    if (link === 'intermediate') throw usageError(`"${path}" is in a folder that is a symbolic link.`, 'fix: name a path without links');
  }
}

const PENDING = HARNESS_REFS.pending;

/** Notes a commit that is about to land, so that `finishCommit` can complete it. */
export async function notePending(platform: Platform, home: Home, commit: string): Promise<void> {
  await git(platform, ['update-ref', PENDING, commit], { cwd: home.root });
}

export async function hasPendingCommit(platform: Platform, home: Home): Promise<boolean> {
  return (await resolveRevision(platform, home, `${PENDING}^{commit}`)) !== null;
}

/** Completes a commit whose working tree and index did not follow any more; its id, or null when there was none to complete. */
export async function finishCommit(platform: Platform, home: Home): Promise<string | null> {
  const commit = await resolveRevision(platform, home, `${PENDING}^{commit}`);
  if (commit === null) return null;
  const { head, branch } = await readHead(platform, home);
  const landed = head === commit && branch !== null;
  if (landed) {
    await sweepBeside(platform, home, commit);
    const base = (await resolveRevision(platform, home, `${commit}^`)) ?? (await createTreeStore(platform, home).emptyTree());
    await finishLanding(platform, { home, branch, base, commit });
  }
  await git(platform, ['update-ref', '-d', PENDING], { cwd: home.root });
  return landed ? commit : null;
}

/** Temporaries of interrupted writes beside the commit's files. */
async function sweepBeside(platform: Platform, home: Home, commit: string): Promise<void> {
  const names = (await git(platform, ['diff-tree', '--root', '--no-commit-id', '-r', '-z', '--name-only', commit], { cwd: home.root }))
    .toString('utf8')
    .split('\0');
  for (const folder of new Set(names.filter((name) => name !== '').map((name) => dirname(join(home.root, name))))) {
    for (const entry of await platform.files.list(folder).catch(() => []))
      if (entry.name.startsWith(TEMPORARY_PREFIX)) await platform.files.remove(join(folder, entry.name));
  }
}

/** Working tree and index as in the commit. */
async function follow(platform: Platform, home: Home, files: readonly FileToCommit[], changes: readonly IndexChange[]): Promise<void> {
  for (const file of files) {
    if (file.content === undefined) continue;
    await platform.files.mkdir(dirname(join(home.root, file.path)));
    await platform.files.writeAtomic(join(home.root, file.path), file.content, modeOf(file));
  }
  await updateIndex(platform, home, undefined, changes);
  await refreshIndex(platform, home);
}

function modeOf(file: FileToCommit): number {
  return file.executable === true ? 0o755 : 0o644;
}

/** As `git add` would store it: home's own filters apply. */
async function entryFor(platform: Platform, home: Home, file: FileToCommit): Promise<IndexChange> {
  if (file.content !== undefined) {
    const oid = await gitLine(platform, ['hash-object', '-w', `--path=${file.path}`, '--stdin'], { cwd: home.root, stdin: file.content });
    return { path: file.path, entry: { mode: file.executable === true ? '100755' : '100644', oid } };
  }
  const full = join(home.root, file.path);
  const stat = await platform.files.lstat(full).catch(() => null);
  if (stat === null) return { path: file.path, entry: null };
  if (stat.isSymbolicLink()) {
    const oid = await gitLine(platform, ['hash-object', '-w', '--stdin'], { cwd: home.root, stdin: await platform.files.readlink(full) });
    return { path: file.path, entry: { mode: '120000', oid } };
  }
  if (!stat.isFile()) throw usageError(`"${file.path}" is not a regular file, so it cannot be committed.`);
  const oid = await gitLine(platform, ['hash-object', '-w', `--path=${file.path}`, '--stdin'], {
    cwd: home.root,
    stdin: await platform.files.read(full),
  });
  return { path: file.path, entry: { mode: (stat.mode & 0o100n) === 0n ? '100644' : '100755', oid } };
}
