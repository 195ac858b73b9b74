/**
 * Back to a checkpoint: working tree, branch, state documents.
 *
 * 1. Everything is checked before anything changes: snapshot, commit and the copies' hashes.
 * 2. What is there now (tracked, staged, untracked, and ignored files that would be overwritten) is saved under
 *    `refs/harness/saved/` first; replaced state documents stay beside the checkpoint.
 * 3. The branch moves by compare and swap. Untracked files that the checkpoint did not have are left where they are.
 * 4. Every step can be repeated: after a crash the same rollback ends in the same place.
 */
import { join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { TreeChange } from '../domain/tree.ts';
import { git, gitLine, tryGit } from '../platform/git.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { hashDocument, hashFile, type Checkpoint, type DocumentShelf } from './checkpoint.ts';
import { readHead, type Home } from './home.ts';
import { refreshIndex, withOwnIndex } from './own-index.ts';
import { snapshotWorkingTree, workingTree } from './snapshot.ts';
import { createTreeStore } from './tree-store.ts';
import { harnessRef } from './refs.ts';

export interface RestorePreview {
  checkpoint: Checkpoint;
  /** What happens to files of the working tree. */
  changes: TreeChange[];
  /** Untracked files that stay although the checkpoint did not have them. */
  left: string[];
  /** Commits that the branch leaves behind: id and subject, newest first. */
  commits: { commit: string; subject: string }[];
  /** State documents that differ from their copies. */
  documents: string[];
}

export interface Restored {
  checkpoint: Checkpoint;
  saved_as: string;
  /** How to get the saved work back. */
  hint: string;
  commits: RestorePreview['commits'];
  changes: TreeChange[];
}

export async function previewRestore(
  platform: Platform,
  options: { home: Home; shelf: DocumentShelf; checkpoint: Checkpoint },
): Promise<RestorePreview> {
  const { home, shelf, checkpoint } = options;
  await checkCheckpoint(platform, options);
  const { head } = await readHead(platform, home);
  const target = await gitLine(platform, ['rev-parse', `${checkpoint.snapshot}^{tree}`], { cwd: home.root });
  const differences = await createTreeStore(platform, home).diff(await workingTree(platform, home), target);
  const tracked = new Set((await git(platform, ['ls-files', '-z', '--cached'], { cwd: home.root })).toString('utf8').split('\0'));
  const isLeft = (change: TreeChange): boolean => change.status === 'deleted' && !tracked.has(change.path);
  const documents: string[] = [];
  for (const [name, hash] of Object.entries(checkpoint.copies)) if ((await hashDocument(shelf, name)) !== hash) documents.push(name);
  return {
    checkpoint,
    changes: differences.filter((change) => !isLeft(change)),
    left: differences.filter(isLeft).map((change) => change.path),
    commits: head === null ? [] : await commitsBetween(platform, home, checkpoint.git_ref, head),
    documents,
  };
}

export interface RestoreOptions {
  home: Home;
  shelf: DocumentShelf;
  checkpoint: Checkpoint;
  /** Documents that the caller brings back itself, in one write with what else has to change in them. */
  leave?: readonly string[];
}

export async function restoreCheckpoint(platform: Platform, options: RestoreOptions): Promise<Restored> {
  const { home, shelf, checkpoint } = options;
  const preview = await previewRestore(platform, options);
  const { head, branch } = await readHead(platform, home);
  if (branch !== checkpoint.branch) {
    throw new HarnessError(`The checkpoint was made on ${place(checkpoint.branch)}, and ${home.root} stands on ${place(branch)}.`, {
      exitCode: EXIT.preflight,
      details: [checkpoint.branch === null ? `Detach HEAD first: git switch --detach` : `Switch first: git switch ${checkpoint.branch}`],
    });
  }
  const stamp = isoNow(platform.clock).replace(/[-:.]/g, '').toLowerCase();
  const saved = await snapshotWorkingTree(platform, home, {
    ref: harnessRef('saved', `${checkpoint.id}-${stamp}`),
    message: `harness: saved before rollback to ${checkpoint.id}`,
    also: await wouldBeOverwritten(platform, home, preview.changes),
  });
  await moveBranch(platform, home, checkpoint, { branch, head });
  await bringBackFiles(platform, home, checkpoint);
  const leave = options.leave ?? [];
  await bringBackDocuments(shelf, checkpoint, { stamp, leave });
  await verifyRestored(platform, options, saved.ref);
  return {
    checkpoint,
    saved_as: saved.ref,
    hint: `git restore --source=${saved.ref} --worktree -- <path>`,
    commits: preview.commits,
    changes: preview.changes,
  };
}

async function checkCheckpoint(platform: Platform, options: { home: Home; shelf: DocumentShelf; checkpoint: Checkpoint }): Promise<void> {
  const { home, shelf, checkpoint } = options;
  for (const commit of [checkpoint.git_ref, checkpoint.snapshot]) {
    const found = await tryGit(platform, ['cat-file', '-e', `${commit}^{commit}`], { cwd: home.root });
    if (found.code !== 0) throw damaged(checkpoint, `commit ${commit} is no longer in the repository`);
  }
  for (const [name, hash] of Object.entries(checkpoint.copies)) {
    if (hash !== null && (await hashDocument(shelf.in('checkpoints').in(checkpoint.id), name)) !== hash)
      throw damaged(checkpoint, `its copy of ${name} was changed`);
  }
}

/** Ignored files are in no snapshot by themselves: those that the restore would replace are named here. */
async function wouldBeOverwritten(platform: Platform, home: Home, changes: readonly TreeChange[]): Promise<string[]> {
  const paths: string[] = [];
  for (const change of changes)
    if (change.status === 'added' && (await platform.files.exists(join(home.root, change.path)))) paths.push(change.path);
  return paths;
}

async function moveBranch(
  platform: Platform,
  home: Home,
  checkpoint: Checkpoint,
  { branch, head }: { branch: string | null; head: string | null },
): Promise<void> {
  if (head === checkpoint.git_ref) return;
  const target = branch === null ? ['--no-deref', 'HEAD'] : [`refs/heads/${branch}`];
  const old = head ?? '0'.repeat(checkpoint.git_ref.length);
  const moved = await tryGit(platform, ['update-ref', '-m', `harness: rollback to ${checkpoint.id}`, ...target, checkpoint.git_ref, old], {
    cwd: home.root,
  });
  if (moved.code !== 0) {
    throw new HarnessError('The branch moved while the rollback began; nothing was changed.', {
      exitCode: EXIT.preflight,
      next: 'retry_now',
      details: [moved.stderr.trim(), 'Run the rollback again.'],
    });
  }
}

/** Files as in the snapshot, index as in the commit: what was uncommitted then is uncommitted again. */
async function bringBackFiles(platform: Platform, home: Home, checkpoint: Checkpoint): Promise<void> {
  await git(platform, ['read-tree', '--reset', '-u', checkpoint.snapshot], { cwd: home.root });
  await git(platform, ['read-tree', '-m', checkpoint.git_ref], { cwd: home.root });
  await refreshIndex(platform, home);
}

async function bringBackDocuments(
  shelf: DocumentShelf,
  checkpoint: Checkpoint,
  { stamp, leave }: { stamp: string; leave: readonly string[] },
): Promise<void> {
  const folder = shelf.in('checkpoints').in(checkpoint.id);
  for (const [name, hash] of Object.entries(checkpoint.copies)) {
    if ((await hashDocument(shelf, name)) === hash) continue;
    const current = await shelf.readBytes(name);
    if (current !== null) await folder.in(`replaced-${stamp}`).write(name, current);
    if (leave.includes(name)) continue;
    const copy = hash === null ? null : await folder.readBytes(name);
    if (copy === null) await shelf.remove(name);
    else await shelf.write(name, copy);
  }
}

async function verifyRestored(platform: Platform, options: RestoreOptions, saved: string): Promise<void> {
  const { home, shelf, checkpoint, leave = [] } = options;
  const problems: string[] = [];
  if ((await readHead(platform, home)).head !== checkpoint.git_ref) problems.push('HEAD does not stand at the checkpoint');
  const { features, progress } = checkpoint.files;
  if ((await hashFile(platform, join(home.root, features))) !== checkpoint.features_json_hash)
    problems.push(`${features} differs from the checkpoint`);
  if ((await hashFile(platform, join(home.root, progress))) !== checkpoint.progress_file_hash)
    problems.push(`${progress} differs from the checkpoint`);
  for (const [name, hash] of Object.entries(checkpoint.copies))
    if (!leave.includes(name) && (await hashDocument(shelf, name)) !== hash) problems.push(`${name} differs from the checkpoint`);
  for (const path of await differingFiles(platform, home, checkpoint)) problems.push(`${path} differs from the checkpoint`);
  if (problems.length === 0) return;
  throw new HarnessError(`The rollback to ${checkpoint.id} did not end as it should.`, {
    exitCode: EXIT.defect,
    details: [...problems.slice(0, 10), `The state before it is kept under ${saved}.`],
  });
}

async function differingFiles(platform: Platform, home: Home, checkpoint: Checkpoint): Promise<string[]> {
  return withOwnIndex(platform, home, async (indexFile) => {
    await git(platform, ['read-tree', checkpoint.snapshot], { cwd: home.root, indexFile });
    await refreshIndex(platform, home, indexFile);
    const output = await git(platform, ['diff-files', '-z', '--name-only', '--ignore-submodules=all'], { cwd: home.root, indexFile });
    return output
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== '');
  });
}

async function commitsBetween(platform: Platform, home: Home, from: string, to: string): Promise<RestorePreview['commits']> {
  const log = await git(platform, ['log', '-z', '--format=%H %s', `${from}..${to}`, '--'], { cwd: home.root });
  return log
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => ({ commit: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

function damaged(checkpoint: Checkpoint, detail: string): HarnessError {
  return new HarnessError(`Checkpoint ${checkpoint.id} cannot be restored: ${detail}.`, {
    exitCode: EXIT.usage,
    next: 'never',
    details: ['Nothing was changed. Choose another one: harness checkpoints'],
  });
}

function place(branch: string | null): string {
  return branch === null ? 'a detached HEAD' : `branch ${branch}`;
}
