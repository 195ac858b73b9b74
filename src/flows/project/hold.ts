/**
 * A command that writes: the lock first, then everything else.
 *
 * 1. The journal is opened, leftovers are swept and older state is brought up to date only by the holder of the lock.
 * 2. A session that nobody is flying any more is settled before the command's own work, unless the command says it does not need that.
 */
import type { ProjectState } from '../../domain/session.ts';
import { holdPlace, type HoldOptions as HoldPlaceOptions } from '../../kernel/hold-place.ts';
import type { Platform } from '../../platform/platform.ts';
import { finishPendingCommit } from './leftovers.ts';
import { bringUpToDate } from './migrate.ts';
import { asProject, type Project } from './project.ts';
import { recover } from './recover.ts';
import { recoverState } from './recover-state.ts';

export interface HoldOptions extends Omit<HoldPlaceOptions, 'needs'> {
  signal: AbortSignal;
  /** False for commands that must be quick and can live with a session cut off. */
  recovers?: boolean;
}

export async function holdProject<Result>(
  platform: Platform,
  root: string,
  { recovers = true, ...options }: HoldOptions,
  work: (project: Project, state: ProjectState) => Promise<Result>,
): Promise<Result> {
  return await holdPlace(platform, root, { ...options, needs: 'project' }, async (place) => {
    const project = asProject(place);
    await finishPendingCommit(project);
    await bringUpToDate(project);
    const state = await recoverState(project);
    return await work(project, recovers ? await recover(project, state, options.signal) : state);
  });
}
