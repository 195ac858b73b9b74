/** The repository of a project that is to be set up: what it has to be, and what is made where there is none. */
import { HarnessError, usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { git, tryGit } from '../../platform/git.ts';
import type { Platform } from '../../platform/platform.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { requireIdentity } from '../../workspace/commit.ts';
import { openHome, readHead, type Home } from '../../workspace/home.ts';
import type { Place } from '../place.ts';

/** For a project whose files are there: a repository of its own, with a commit and a branch. */
export async function adoptRepository(platform: Platform, root: string): Promise<Home> {
  const home = await openHome(platform, root);
  if (home.root !== (await platform.files.realpath(root)))
    throw usageError(`${root} lies inside the repository ${home.root}.`, `Run the command at its top: harness init --cwd ${home.root} ...`);
  if (home.head === null)
    throw usageError('The repository has no commit yet.', 'Commit your files first: git add -A && git commit -m "Start"');
  if (home.branch === null)
    throw usageError('HEAD is detached.', 'Check out the branch that the harness should work on: git switch BRANCH');
  await requireIdentity(platform, home);
  return home;
}

/** Where there is a repository; one that is still to be made is looked at then. */
export async function checkIdentity(platform: Platform, root: string): Promise<void> {
  const inside = await tryGit(platform, ['rev-parse', '--show-toplevel'], { cwd: root });
  if (inside.code === 0) await requireIdentity(platform, await openHome(platform, root));
}

/** For a project that begins: made where there is none, and it needs no commit. */
export async function ensureRepository(platform: Platform, root: string): Promise<void> {
  const inside = await tryGit(platform, ['rev-parse', '--show-toplevel'], { cwd: root });
  if (inside.code !== 0) await git(platform, ['init', '-q', '-b', 'main'], { cwd: root });
  else if (inside.stdout.toString('utf8').trim() !== (await platform.files.realpath(root))) {
    throw usageError(
      `${root} lies inside another repository.`,
      'Run the command at the top of the project, or make it a separate repository: git init',
    );
  }
  const home = await openHome(platform, root);
  const { branch, head } = await readHead(platform, home);
  if (head !== null && branch === null) throw usageError('HEAD is detached.', 'Check out a branch first: git switch BRANCH');
  await requireIdentity(platform, home);
}

/** The commit of the set-up is there, and the harness was cut off before it had looked at it. */
export async function isHalfSetUp({ platform, root, documents }: Place): Promise<boolean> {
  const log = await tryGit(platform, ['log', '-1', '--format=%(trailers:key=Harness-Session,valueonly)', '--'], { cwd: root });
  return log.code === 0 && log.stdout.toString('utf8').trim() === '0' && !(await documents.has('state'));
}

/** Sessions work from HEAD: a list that is only in the working tree would not be theirs. */
export async function requireCommitted(platform: Platform, { root }: Home, list: string): Promise<void> {
  const status = await git(platform, ['status', '--porcelain', '--untracked-files=all', '--ignored', '--', list], { cwd: root });
  const state = status.toString('utf8').slice(0, 2);
  if (state === '') return;
  const isNew = /^[?!A]/.test(state);
  throw new HarnessError(isNew ? `${list} is not committed.` : `${list} has changes that are not committed.`, {
    exitCode: EXIT.preflight,
    reasons: ['git.dirty'],
    details: [
      `Commit it, then run the command again: git add ${state === '!!' ? '-f ' : ''}${quoteWord(list)} && git commit -m "${isNew ? 'Add' : 'Change'} the feature list"`,
    ],
  });
}
