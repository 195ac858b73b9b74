/** The repository of a project that is to be set up: what it has to be, and what is made where there is none. */
import { usageError } from '../../domain/errors.ts';
import { git, tryGit } from '../../platform/git.ts';
import type { Platform } from '../../platform/platform.ts';
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
  return home;
}

/** For a project that begins: made where there is none, and it needs no commit. */
export async function ensureRepository(platform: Platform, root: string): Promise<void> {
  const inside = await tryGit(platform, ['rev-parse', '--show-toplevel'], { cwd: root });
  if (inside.code !== 0) await git(platform, ['init', '-q', '-b', 'main'], { cwd: root });
  else if (inside.stdout.toString('utf8').trim() !== (await platform.files.realpath(root))) {
    throw usageError(
      `${root} lies inside another repository.`,
      'Run the command at the top of the project, or make it a repository of its own: git init',
    );
  }
  const { branch, head } = await readHead(platform, await openHome(platform, root));
  if (head !== null && branch === null) throw usageError('HEAD is detached.', 'Check out a branch first: git switch BRANCH');
}

/** The commit of the set-up is there, and the harness was cut off before it had looked at it. */
export async function isHalfSetUp({ platform, root, documents }: Place): Promise<boolean> {
  const log = await tryGit(platform, ['log', '-1', '--format=%(trailers:key=Harness-Session,valueonly)', '--'], { cwd: root });
  return log.code === 0 && log.stdout.toString('utf8').trim() === '0' && !(await documents.has('state'));
}
