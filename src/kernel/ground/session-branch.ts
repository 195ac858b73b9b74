/**
 * The branch of a session.
 *
 * 1. Creating it moves HEAD to a new name for the same commit: no file, index entry or hook is touched.
 * 2. Nobody's branch is used.
 */
import { counted } from '../../domain/counted.ts';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT, type Reason } from '../../domain/reasons.ts';
import { git, tryGit } from '../../platform/git.ts';
import { requireIdentity } from '../../workspace/commit.ts';
import { findStash, gitState, readHead, restoreStash, stashChanges } from '../../workspace/home.ts';
import type { Place } from '../place.ts';
import { branchExists, freeBranch } from './free-branch.ts';

type Ground = Pick<Place, 'platform' | 'home'>;

/** Whether work can start in the repository: the tracked files with changes to set aside; exit 6 with the reason when it cannot. */
export async function checkRepository(place: Place): Promise<string[]> {
  const state = await gitState(place.platform, place.home);
  if (state.operation !== null || state.unmerged.length > 0)
    throw refused(
      'git.conflict',
      `A ${state.operation ?? 'merge'} is under way in ${place.home.root}.`,
      'Finish or abort it, then run again.',
    );
  if (state.head === null) throw refused('git.no_commits', `${place.home.root} has no commit yet.`, 'Make a first commit, then run again.');
  if (state.detached)
    throw refused(
      'git.detached',
      `HEAD is detached at ${state.head.slice(0, 12)}.`,
      'Switch to a branch (git switch NAME), then run again.',
    );
  if (state.dirty.length > 0 && place.config.git.on_dirty === 'abort')
    throw refused(
      'git.dirty',
      `${counted(state.dirty.length, 'tracked file')} ${state.dirty.length === 1 ? 'has' : 'have'} uncommitted changes: ${state.dirty.slice(0, 5).join(', ')}`,
      'Commit or stash them, or set git.on_dirty: stash in .harness.yaml.',
    );
  await requireIdentity(place.platform, place.home);
  return state.dirty;
}

/** Sets modified tracked files aside, under the name of the session. */
export async function setAside({ platform, home }: Ground, slug: string): Promise<{ restore: string } | null> {
  return await stashChanges(platform, home, stashMessage(slug));
}

/** What was set aside for the session is put back; null where there is nothing of it. */
export async function giveBack({ platform, home }: Ground, slug: string): Promise<{ restored: boolean; detail: string } | null> {
  const commit = await findStash(platform, home, stashMessage(slug));
  return commit === null ? null : await restoreStash(platform, home, { commit });
}

function stashMessage(slug: string): string {
  return `harness workflow ${slug}`;
}

/** Can be repeated after a crash. */
export async function switchToBranch(place: Place, branch: string, base: string): Promise<void> {
  const { branch: current, head } = await readHead(place.platform, place.home);
  if (current === branch) return;
  if (head !== base)
    throw refused(
      'git.moved',
      `The repository moved while the session was set up (from ${base.slice(0, 12)} to ${String(head).slice(0, 12)}).`,
      'Run again.',
    );
  const cwd = place.home.root;
  if (!(await branchExists(place, branch)))
    await git(place.platform, ['update-ref', '-m', 'harness: workflow', `refs/heads/${branch}`, base, ''], { cwd });
  await git(place.platform, ['symbolic-ref', '-m', 'harness: workflow', 'HEAD', `refs/heads/${branch}`], { cwd });
}

/** Where HEAD is before a session moves it to this branch. */
export async function originOf({ platform, home }: Ground, branch: string | null): Promise<string | null> {
  const { branch: current } = await readHead(platform, home);
  return current === branch ? null : current;
}

/** HEAD goes back where the session found it, while neither branch has moved. `drop`: the session's branch goes too. */
export async function leaveBranch(
  place: Ground,
  { branch, origin }: { branch: string | null; origin: string | null },
  { drop }: { drop: boolean },
): Promise<boolean> {
  if (branch === null || origin === null) return false;
  const [tip, there] = [await tipOf(place, branch), await tipOf(place, origin)];
  if (tip === null || tip !== there) return false;
  const cwd = place.home.root;
  const isOn = (await readHead(place.platform, place.home)).branch === branch;
  if (isOn) await git(place.platform, ['symbolic-ref', '-m', 'harness: session left', 'HEAD', `refs/heads/${origin}`], { cwd });
  if (drop) await git(place.platform, ['update-ref', '-d', `refs/heads/${branch}`, tip], { cwd });
  return isOn;
}

async function tipOf({ platform, home }: Ground, branch: string): Promise<string | null> {
  const found = await tryGit(platform, ['rev-parse', '-q', '--verify', `refs/heads/${branch}`], { cwd: home.root });
  return found.code === 0 ? found.stdout.toString('utf8').trim() : null;
}

/** The branch of a session that was set aside. A branch that is gone stays gone. */
export async function returnToBranch(place: Ground, branch: string): Promise<void> {
  const { platform, home } = place;
  if ((await readHead(platform, home)).branch === branch || !(await branchExists(place, branch))) return;
  const switched = await tryGit(platform, ['checkout', '-q', branch], { cwd: home.root });
  if (switched.code !== 0)
    throw refused(
      'git.conflict',
      `Cannot switch to the branch ${branch} of this task.`,
      `Run git switch ${branch}, then the same command again.`,
    );
}

/** A branch that starts where the person stands; their files stay as they are. Null where there is no commit to start from. */
export async function branchOff(place: Ground, wanted: string): Promise<string | null> {
  const { platform, home } = place;
  const { operation, noCommits, branch: current } = await gitState(platform, home);
  if (operation !== null)
    throw new HarnessError(`A ${operation} is under way in ${home.root}.`, {
      exitCode: EXIT.preflight,
      details: ['Finish or abort it with git, then run the command again.'],
    });
  if (noCommits) return null;
  if (current === wanted) return wanted;
  const name = await freeBranch(place, wanted);
  await git(platform, ['checkout', '-q', '-b', name], { cwd: home.root });
  return name;
}

function refused(reason: Reason, message: string, fix: string): HarnessError {
  return new HarnessError(message, { exitCode: EXIT.preflight, details: [fix], reasons: [reason] });
}
