/**
 * The branch of a session.
 *
 * 1. Creating it moves HEAD to a new name for the same commit: no file, index entry or hook is touched.
 * 2. Nobody's branch is used.
 */
import { HarnessError } from '../../domain/errors.ts';
import { EXIT, type Reason } from '../../domain/reasons.ts';
import { git } from '../../platform/git.ts';
import { gitState, readHead, stashChanges, type GitState } from '../../workspace/home.ts';
import type { Place } from '../../kernel/place.ts';
import { branchExists } from '../../kernel/free-branch.ts';

/** The state of the repository, when work can start there; exit 6 with the reason when it cannot. */
export async function checkRepository(place: Place): Promise<GitState & { head: string }> {
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
      `${state.dirty.length} tracked files have changes that are not committed: ${state.dirty.slice(0, 5).join(', ')}`,
      'Commit or stash them, or set git.on_dirty: stash in .harness.yaml.',
    );
  return { ...state, head: state.head };
}

/** Sets modified tracked files aside where the settings say so. */
export async function setAside(place: Place, state: GitState, slug: string): Promise<{ restore: string } | null> {
  return state.dirty.length === 0 ? null : await stashChanges(place.platform, place.home, stashMessage(slug));
}

export function stashMessage(slug: string): string {
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

function refused(reason: Reason, message: string, fix: string): HarnessError {
  return new HarnessError(message, { exitCode: EXIT.preflight, details: [fix], reasons: [reason] });
}
