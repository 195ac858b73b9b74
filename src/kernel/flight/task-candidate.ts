/**
 * What a task has made: its tree, its commit, its branch. All of it beside home's own branch, until it lands.
 *
 * 1. Every part can be repeated after a crash.
 * 2. A branch of somebody else is never moved: it is created where there is none, or moved by compare and swap from the commit that the task left.
 */
import { notesOf } from './keep-work.ts';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { git, GitError, tryGit } from '../../platform/git.ts';
import { isOfTheDisk } from '../../workspace/commit.ts';
import { resolveRevision } from '../../workspace/home.ts';
import { harnessRef } from '../../workspace/refs.ts';
import { mergeInto, type Merged } from '../../workspace/replay.ts';
import type { Capture } from '../../domain/tree.ts';
import type { TaskPlace } from '../hold-task.ts';
import { reopenCopy } from './copies.ts';
import { captureAgentWork } from './agent-session.ts';
import { commitCandidate, type CommitText } from './land-candidate.ts';

/** Where a person finds it. */
export function taskRef({ lane }: Pick<TaskPlace, 'lane'>): string {
  return harnessRef('worker', lane);
}

/** Nothing but the task's own ref is moved. */
export async function commitTask(place: TaskPlace, work: { base: string; tree: string }, text: CommitText): Promise<string> {
  const commit = await commitCandidate(place, work, text);
  await git(place.platform, ['update-ref', '-m', 'harness: work of a task', taskRef(place), commit], { cwd: place.home.root });
  return commit;
}

/** The commit that a branch stands at; null: there is none. */
export async function branchAt({ platform, home }: Pick<TaskPlace, 'platform' | 'home'>, branch: string): Promise<string | null> {
  return await resolveRevision(platform, home, `refs/heads/${branch}`);
}

/** Exit 6 where somebody has it checked out: their files would not follow. Null: it stands at the commit now; else why it does not. */
export async function moveTaskBranch(
  place: Pick<TaskPlace, 'platform' | 'home'>,
  move: { branch: string; from: string | null; to: string },
): Promise<string | null> {
  const { platform, home } = place;
  const now = await branchAt(place, move.branch);
  if (now === move.to) return null;
  if (now !== null && now !== move.from)
    return `The branch ${move.branch} stands at ${now.slice(0, 12)}, not at ${move.from?.slice(0, 12) ?? 'no commit'}: another process moved it.`;
  const listing = await git(platform, ['worktree', 'list', '--porcelain'], { cwd: home.root });
  if (listing.toString('utf8').split('\n').includes(`branch refs/heads/${move.branch}`))
    throw new HarnessError(`The branch ${move.branch} is checked out, so it cannot be moved.`, {
      exitCode: EXIT.preflight,
      details: ['Switch that working tree to another branch, then run again.'],
    });
  const expected = now ?? '0'.repeat(move.to.length);
  const args = ['update-ref', '-m', 'harness: work of a task', `refs/heads/${move.branch}`, move.to, expected];
  const moved = await tryGit(platform, args, { cwd: home.root });
  if (moved.code !== 0 && isOfTheDisk(moved.stderr)) throw new GitError(args, moved);
  return moved.code === 0 ? null : `The branch ${move.branch} could not be set: ${moved.stderr.trim().split('\n')[0] ?? ''}`;
}

/** What a session that was cut off left in its copy; null: there is no copy. */
export async function salvageTask(place: TaskPlace, session: number, baseTree: string): Promise<Capture | null> {
  const copy = await reopenCopy(place, place.lane);
  return copy === null ? null : await captureAgentWork(place, copy, { session, baseTree }, { afterCrash: true });
}

/** What a task's commit changed, on top of another commit. */
export function mergeTask(place: TaskPlace, onto: string, commit: string): Promise<Merged> {
  return mergeInto(place.platform, place.home, { onto, commit }, notesOf(place));
}

/** A task that has landed needs its copy no longer. */
export async function clearTask(place: TaskPlace): Promise<void> {
  const copy = await reopenCopy(place, place.lane);
  if (copy !== null) await place.platform.files.remove(copy.folder);
}

/** Where its agent works; null: there is no copy. */
export async function taskWorkspace(place: TaskPlace): Promise<string | null> {
  return (await reopenCopy(place, place.lane))?.path ?? null;
}
