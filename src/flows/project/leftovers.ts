/**
 * What a process that died in the middle left lying about: cleared by the next one, with a line in the journal.
 *
 * 1. Called by the holder of the project's lock, before anything else.
 * 2. Nothing of the user's is touched. A lock on the index goes only if an interrupted step of the harness explains it and no git runs in the project.
 */
import { join } from 'node:path';
import type { ProjectState } from '../../domain/session.ts';
import { tidyPlace } from '../../kernel/hold-place.ts';
import { applyRetention, listCheckpoints } from '../../workspace/checkpoint.ts';
import { finishCommit, hasPendingCommit } from '../../workspace/commit-files.ts';
import { findStash, restoreStash } from '../../workspace/home.ts';
import { dropIndexLock } from '../../workspace/index-lock.ts';
import type { Project } from './project.ts';

export const STASH_MESSAGE = 'harness: set aside for a session';

export async function clearLeftovers(project: Project): Promise<void> {
  await tidyPlace(project);
  await finishPendingCommit(project);
}

export async function finishPendingCommit(project: Project): Promise<void> {
  const { platform, home } = project;
  if (!(await hasPendingCommit(platform, home))) return;
  await clearIndexLock(project);
  const commit = await finishCommit(platform, home);
  if (commit !== null) tell(project, `commit ${commit.slice(0, 10)}, whose files had not followed yet`, 'completed');
}

/** After the session is settled: checkpoints that were never finished, and changes of the user's that were set aside for it. */
export async function clearAfterSession(project: Project): Promise<void> {
  const { platform, home, stateDir } = project;
  const { unreadable } = await listCheckpoints(platform, stateDir);
  const halfMade: string[] = [];
  for (const id of unreadable) if (!(await platform.files.exists(join(stateDir, 'checkpoints', id, 'checkpoint.json')))) halfMade.push(id);
  await applyRetention(platform, { home, stateDir, drop: halfMade });
  for (const id of halfMade) tell(project, `checkpoint ${id}, which was never finished`, 'removed');
  const stash = await findStash(platform, home, STASH_MESSAGE);
  if (stash === null) return;
  const back = await restoreStash(platform, home, { commit: stash });
  if (back.restored) tell(project, 'your changes that were set aside for a session', 'put back');
  else
    project.emit({
      type: 'warning',
      message: `changes of yours that were set aside for a session could not be put back (${back.detail}); they are on the stash list: git stash list`,
    });
}

/** Git leaves its lock behind when it is cut off while it writes the index. */
export async function clearIndexLock(project: Project): Promise<void> {
  const path = await dropIndexLock(project.platform, project.home);
  if (path !== null) tell(project, `the lock ${path} of a git command that was cut off`, 'removed');
}

/** Whether a step that changes index or working tree was under way. */
export function wasChangingHome(state: ProjectState): boolean {
  return state.flight?.phase === 'landing' || state.rollback !== null;
}

function tell(project: Project, what: string, action: string): void {
  project.emit({ type: 'state.recovered', what, action });
}
