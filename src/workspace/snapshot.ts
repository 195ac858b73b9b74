/**
 * Home's working tree as it stands, kept under a ref.
 *
 * 1. Tracked, staged and untracked files are in it; ignored ones only where named in `also`; the harness's own state never.
 * 2. The snapshot's commit has HEAD as its first parent and, where something is staged, a commit of the index as its second.
 * 3. The user's index, HEAD, files and stash are not touched.
 */
import { git, gitLine, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { HARNESS_IDENTITY } from './commit.ts';
import { readHead, type Home } from './home.ts';
import { copyUserIndex, withOwnIndex, writeTree } from './own-index.ts';

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
  options: { ref: string; message: string; also?: readonly string[] },
): Promise<Snapshot> {
  const { head } = await readHead(platform, home);
  const { tree, skipped } = await withOwnIndex(platform, home, (indexFile) => snapshotTree(platform, home, indexFile, options.also ?? []));
  const staged = await stagedTree(platform, home);
  const parents = head === null ? [] : [head];
  if (staged !== null && (head === null || staged !== (await gitLine(platform, ['rev-parse', `${head}^{tree}`], { cwd: home.root })))) {
    parents.push(await commitTree(platform, home, staged, parents, `index: ${options.message}`));
  }
  const commit = await commitTree(platform, home, tree, parents, options.message);
  await git(platform, ['update-ref', '--end-of-options', options.ref, commit], { cwd: home.root });
  return { ref: options.ref, commit, tree, skipped };
}

/** The tree of the working tree as it stands, pinned by nothing. */
export async function workingTree(platform: Platform, home: Home): Promise<string> {
  return withOwnIndex(platform, home, async (indexFile) => (await snapshotTree(platform, home, indexFile, [])).tree);
}

async function snapshotTree(
  platform: Platform,
  home: Home,
  indexFile: string,
  also: readonly string[],
): Promise<{ tree: string; skipped: string[] }> {
  await copyUserIndex(platform, home, indexFile);
  const skipped: string[] = [];
  const add = async (args: readonly string[], env: Record<string, string> = {}): Promise<void> => {
    const result = await tryGit(platform, ['-c', 'advice.addEmbeddedRepo=false', 'add', '--ignore-errors', ...args], {
      cwd: home.root,
      indexFile,
      env,
    });
    if (result.code !== 0) skipped.push(...result.stderr.trim().split('\n'));
  };
  await add(['--all', '--', ':(top)', ':(top,exclude).harness']);
  if (also.length > 0) await add(['--force', '--', ...also], { GIT_LITERAL_PATHSPECS: '1' });
  return { tree: await writeTree(platform, home, indexFile), skipped };
}

/** `null` while the index has conflicts. Over a copy: git notes the trees it wrote in the index it wrote them from. */
async function stagedTree(platform: Platform, home: Home): Promise<string | null> {
  return withOwnIndex(platform, home, async (indexFile) => {
    await copyUserIndex(platform, home, indexFile);
    const result = await tryGit(platform, ['write-tree'], { cwd: home.root, indexFile });
    return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
  });
}

function commitTree(platform: Platform, home: Home, tree: string, parents: readonly string[], message: string): Promise<string> {
  return gitLine(platform, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
    cwd: home.root,
    stdin: `${message}\n`,
    env: HARNESS_IDENTITY,
  });
}
