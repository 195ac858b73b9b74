/**
 * A command that writes: the lock first, then everything else.
 *
 * 1. The journal is opened, leftovers are swept and older state is brought up to date only by the holder of the lock.
 * 2. A session that nobody is flying any more is settled before the command's own work, unless the command says it does not need that.
 */
import { join } from 'node:path';
import { loadSettings } from '../../config/user-settings.ts';
import type { Emit } from '../../domain/event.ts';
import type { ProjectState } from '../../domain/session.ts';
import type { Platform } from '../../platform/platform.ts';
import { withLock } from '../../store/lock.ts';
import { flushing } from '../../kernel/flushing.ts';
import { clearLeftovers } from './leftovers.ts';
import { bringUpToDate } from './migrate.ts';
import { openProject, type Project } from './project.ts';
import { recover } from './recover.ts';
import { recoverState } from './recover-state.ts';

export interface HoldOptions {
  emit: Emit;
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
  signal: AbortSignal;
  /** Waits while the screen or the pipe behind `emit` is behind. */
  drained?(): Promise<void> | null;
  /** False for commands that must be quick and can live with a session cut off. */
  recovers?: boolean;
}

export async function holdProject<Result>(
  platform: Platform,
  root: string,
  options: HoldOptions,
  work: (project: Project, state: ProjectState) => Promise<Result>,
): Promise<Result> {
  const { config } = await loadSettings(platform, root);
  return await withLock(platform, join(root, config.paths.state_dir, 'lock'), options.command, async () => {
    const project = await openProject(platform, root, { emit: options.emit, drained: options.drained, journal: true });
    return await flushing(project, async () =>
      (async () => await work(project, await tidyState(project, options.signal, options.recovers ?? true)))().finally(() =>
        project.rooms.dispose(),
      ),
    );
  });
}

/** The state as it should be before anything new begins. Called by the holder of the lock. */
export async function tidyState(project: Project, signal: AbortSignal, recovers = true): Promise<ProjectState> {
  await clearLeftovers(project);
  await bringUpToDate(project);
  const state = await recoverState(project);
  return recovers ? await recover(project, state, signal) : state;
}
