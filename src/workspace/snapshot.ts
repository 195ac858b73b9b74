/**
 * Home's working tree as it stands, kept under a ref. `clean`: it was seen a moment ago that it is as HEAD has it.
 *
 * 1. Tracked, staged and untracked files are in it; ignored ones only where named in `also`; the harness's own state never.
 * 2. The snapshot's commit has HEAD as its first parent and, where something is staged, a commit of the index as its second.
 * 3. The user's index, HEAD, files and stash are not touched.
 */
import { join } from 'node:path';
import { tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { pinningCommit } from './commit.ts';
import { isCleanNow, readHead, treeOf, type Home } from './home.ts';
import { copyUserIndex, withOwnIndex, writeTree } from './own-index.ts';
import { setRef } from './set-ref.ts';
import { formatOf, objectId, writeObjects, type NewObject } from './write-objects.ts';
import { lastItem } from '../domain/items.ts';

export interface Snapshot {
  ref: string;
  commit: string;
  tree: string;
  /** What git could not take, in its own words; empty when all is in. */
  skipped: string[];
}

export async function snapshotWorkingTree(
  platform: Platform,
  home: Home,
  options: { ref: string; message: string; also?: readonly string[]; clean?: boolean },
): Promise<Snapshot> {
  const [{ head }, clean] = await Promise.all([readHead(platform, home), isClean(platform, home, options)]);
  const headTree = head === null ? null : await treeOf(platform, home, head);
  const { tree, skipped } =
    clean && headTree !== null
      ? { tree: headTree, skipped: [] }
      : await withOwnIndex(platform, home, (indexFile) => snapshotTree(platform, home, { indexFile, also: options.also ?? [] }));
  const staged = clean ? headTree : await stagedTree(platform, home);
  const parents = head === null ? [] : [head];
  const objects: NewObject[] = [];
  const commitOf = (ofTree: string, message: string): string => {
    objects.push(pinningCommit(ofTree, parents, message, platform.clock.now()));
    return objectId(lastItem(objects), formatOf(tree));
  };
  if (staged !== null && staged !== headTree) parents.push(commitOf(staged, `index: ${options.message}`));
  const commit = commitOf(tree, options.message);
  await writeObjects(platform, home.commonDir, objects, formatOf(tree));
  await setRef(platform, home, options.ref, commit);
  return { ref: options.ref, commit, tree, skipped };
}

/** Whether files, index and HEAD are the same, nothing is untracked, and nothing else is asked for: then HEAD's tree says it all. */
async function isClean(
  platform: Platform,
  home: Home,
  { also = [], clean = false }: { also?: readonly string[]; clean?: boolean },
): Promise<boolean> {
  return also.length === 0 && (clean || (await isCleanNow(platform, home)));
}

/** The tree of the working tree as it stands, pinned by nothing. */
export async function workingTree(platform: Platform, home: Home): Promise<string> {
  return withOwnIndex(platform, home, async (indexFile) => (await snapshotTree(platform, home, { indexFile })).tree);
}

/** The same, with everything that git writes kept in another repository, which borrows the objects of this one. */
export async function workingTreeElsewhere(platform: Platform, home: Home, borrowed: Home): Promise<{ tree: string; skipped: string[] }> {
  const env = { GIT_OBJECT_DIRECTORY: join(borrowed.commonDir, 'objects') };
  return withOwnIndex(platform, borrowed, async (indexFile) => snapshotTree(platform, home, { indexFile, env }));
}

interface SnapshotOptions {
  indexFile: string;
  /** Ignored paths that are taken as well. */
  also?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

async function snapshotTree(
  platform: Platform,
  home: Home,
  { indexFile, also = [], env = {} }: SnapshotOptions,
): Promise<{ tree: string; skipped: string[] }> {
  await copyUserIndex(platform, home, indexFile);
  const skipped: string[] = [];
  const add = async (args: readonly string[], more: Record<string, string> = {}): Promise<void> => {
    const result = await tryGit(platform, [...NOTHING_BESIDE, 'add', '--ignore-errors', ...args], {
      cwd: home.root,
      indexFile,
      env: { ...env, ...more },
    });
    if (result.code !== 0) skipped.push(...result.stderr.trim().split('\n'));
  };
  await add(['--all', '--', ':(top)', ':(top,exclude).harness']);
  if (also.length > 0) await add(['--force', '--', ...also], { GIT_LITERAL_PATHSPECS: '1' });
  return { tree: await writeTree(platform, home, indexFile, env), skipped };
}

/** A shared index would be written beside the user's own. */
const NOTHING_BESIDE = ['-c', 'advice.addEmbeddedRepo=false', '-c', 'core.splitIndex=false'];

/** `null` while the index has conflicts. Over a copy: git notes the trees it wrote in the index it wrote them from. */
async function stagedTree(platform: Platform, home: Home): Promise<string | null> {
  return withOwnIndex(platform, home, async (indexFile) => {
    await copyUserIndex(platform, home, indexFile);
    const result = await tryGit(platform, ['write-tree'], { cwd: home.root, indexFile });
    return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
  });
}
