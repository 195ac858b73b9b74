/**
 * A commit of a few named files on top of HEAD.
 *
 * 1. Only these paths change between HEAD and the commit, and only their entries in the user's index; everything else that is
 *    staged, modified or untracked stays as it was.
 * 2. HEAD moves by compare and swap. Nothing to commit is no commit.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { git, gitLine, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import { createCommit } from './commit.ts';
import { readHead, type Home } from './home.ts';
import { updateIndex, withOwnIndex, writeTree, type IndexChange } from './own-index.ts';
import { safeRelativePath } from './paths.ts';

export interface FileToCommit {
  path: string;
  /** Written to the working tree first; absent: the file as it stands there (missing: its deletion). */
  content?: string | Uint8Array;
  executable?: boolean;
}

export type CommitFilesResult = { kind: 'committed'; commit: string } | { kind: 'unchanged'; head: string | null } | { kind: 'moved'; head: string | null };

export async function commitFiles(platform: Platform, home: Home, options: { files: readonly FileToCommit[]; message: string }): Promise<CommitFilesResult> {
  for (const file of options.files) await place(platform, home, file);
  const { head } = await readHead(platform, home);
  const changes = await concurrently(options.files, 4, (file) => entryFor(platform, home, file));
  const tree = await withOwnIndex(platform, home, async (indexFile) => {
    await git(platform, head === null ? ['read-tree', '--empty'] : ['read-tree', head], { cwd: home.root, indexFile });
    await updateIndex(platform, home, indexFile, changes);
    return writeTree(platform, home, indexFile);
  });
  if (head !== null && tree === (await gitLine(platform, ['rev-parse', `${head}^{tree}`], { cwd: home.root }))) return { kind: 'unchanged', head };
  const commit = await createCommit(platform, home, { tree, parents: head === null ? [] : [head], message: options.message });
  const swapped = await tryGit(platform, ['update-ref', '-m', `harness: ${options.message.split('\n')[0]}`, 'HEAD', commit, head ?? '0'.repeat(commit.length)], { cwd: home.root });
  if (swapped.code !== 0) return { kind: 'moved', head: (await readHead(platform, home)).head };
  await updateIndex(platform, home, undefined, changes);
  await tryGit(platform, ['update-index', '-q', '--refresh'], { cwd: home.root });
  return { kind: 'committed', commit };
}

async function place(platform: Platform, home: Home, file: FileToCommit): Promise<void> {
  if (safeRelativePath(file.path) !== file.path) throw usageError(`"${file.path}" is not a path inside the project.`);
  if (file.content === undefined) return;
  await platform.files.mkdir(dirname(join(home.root, file.path)));
  await platform.files.writeAtomic(join(home.root, file.path), file.content, file.executable === true ? 0o755 : 0o644);
}

/** As `git add` would store it: home's own filters apply. */
async function entryFor(platform: Platform, home: Home, file: FileToCommit): Promise<IndexChange> {
  const full = join(home.root, file.path);
  const stat = await platform.files.lstat(full).catch(() => null);
  if (stat === null) return { path: file.path, entry: null };
  if (stat.isSymbolicLink()) {
    const oid = await gitLine(platform, ['hash-object', '-w', '--stdin'], { cwd: home.root, stdin: await platform.files.readlink(full) });
    return { path: file.path, entry: { mode: '120000', oid } };
  }
  if (!stat.isFile()) throw usageError(`"${file.path}" is not a regular file, so it cannot be committed.`);
  const oid = await gitLine(platform, ['hash-object', '-w', `--path=${file.path}`, '--stdin'], { cwd: home.root, stdin: await platform.files.read(full) });
  return { path: file.path, entry: { mode: (stat.mode & 0o100n) === 0n ? '100644' : '100755', oid } };
}
