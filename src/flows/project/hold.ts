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
import { dropStaleEscalation } from './questions.ts';
import { recover } from './recover.ts';
import { recoverState } from './recover-state.ts';
import { checkStateObjects, readState } from './state-files.ts';

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
    const found = await recoverState(project);
    await checkStateObjects(project, found);
    const state = recovers ? await recover(project, found, options.signal) : found;
    await dropStaleEscalation(project, state);
    const result = await work(project, state);
    await dropStaleEscalation(project, await readState(project, { writer: false }));
    return result;
  });
}
