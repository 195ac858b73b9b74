/** Where the initializer starts from, and its work as the first commit on the branch, also in a repository that has none yet. */
import { join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { git } from '../../platform/git.ts';
import { pinTree } from '../../workspace/capture.ts';
import { commitFiles, finishCommit, notePending, type FileToCommit } from '../../workspace/commit-files.ts';
import { readHead } from '../../workspace/home.ts';
import { finishLanding, makeCommit } from '../../workspace/land.ts';
import type { Head } from '../flight/contract.ts';
import type { Place } from '../place.ts';
import { harnessRef } from '../../workspace/refs.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface StartingPoint extends Head {
  /** The repository has no commit yet. */
  unborn: boolean;
}

export async function startingPoint(place: Place): Promise<StartingPoint> {
  const { platform, home, trees } = place;
  const { branch, head } = await readHead(platform, home);
  if (head !== null)
    return { commit: head, tree: await trees.of(head), branch: mustHave(branch, 'a branch is checked out'), unborn: false };
  const tree = (await git(platform, ['hash-object', '-w', '-t', 'tree', '--stdin'], { cwd: home.root, stdin: '' })).toString('utf8').trim();
  const commit = await pinTree(platform, home, {
    tree,
    parent: null,
    ref: harnessRef('starts', 'project-initializer'),
    message: 'Start of the project',
  });
  return { commit, tree, branch: branch ?? 'main', unborn: true };
}

const MESSAGE =
  'Set up the project\n\nFeature list, scripts and test stubs by the initializer; settings by the harness.\n\nHarness-Session: 0\n';

/** Puts the first commit on the branch. */
export async function commitSetUp(
  place: Place,
  base: StartingPoint,
  tree: string,
  edits: readonly (TreeEdit & { kind: 'write' })[],
): Promise<string> {
  const { platform, home, trees } = place;
  const final = await trees.compose(tree, edits);
  if (base.unborn) return await commitFirst(place, final);
  const commit = await makeCommit(platform, { home, base: base.commit, tree: final, message: MESSAGE });
  await notePending(platform, home, commit);
  const landed = await finishLanding(platform, { home, branch: base.branch, base: base.commit, commit });
  await finishCommit(platform, home);
  if (landed.kind === 'landed') return commit;
  throw usageError(
    landed.kind === 'moved'
      ? `Branch ${base.branch} moved during the session.`
      : `Files in the working tree are in the way: ${landed.paths.slice(0, 5).join(', ')}.`,
    'Move them away and run harness init again.',
  );
}

async function commitFirst({ platform, home, trees }: Place, tree: string): Promise<string> {
  const files: FileToCommit[] = [];
  for (const entry of await trees.list(tree)) {
    const content = await trees.readBlob(entry.oid);
    const present = await platform.files.read(join(home.root, entry.path)).catch(() => null);
    if (present !== null && !present.equals(content))
      throw usageError(
        `${entry.path} exists already and differs from what the initializer made.`,
        'Move it away and run harness init again.',
      );
    if (entry.mode === '120000')
      throw usageError(
        `The initializer made a symbolic link (${entry.path}) in an empty repository.`,
        'Make a first commit by hand, then run harness init again.',
      );
    files.push({ path: entry.path, content, executable: entry.mode === '100755' });
  }
  const result = await commitFiles(platform, home, { files, message: MESSAGE });
  if (result.kind !== 'committed')
    throw usageError('The first commit could not be made, because the branch moved.', 'Run harness init again.');
  return result.commit;
}
