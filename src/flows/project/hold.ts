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
import { acquireLock } from '../../store/lock.ts';
import { sweepTemporaries } from '../../store/sweep.ts';
import { bringUpToDate } from './migrate.ts';
import { openProject, type Project } from './project.ts';
import { recover } from './recover.ts';
import { readState } from './state-files.ts';

export interface HoldOptions {
  emit: Emit;
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
  signal: AbortSignal;
  /** False for commands that must be quick and can live with a session cut off. */
  recovers?: boolean;
}

export async function holdProject<Result>(platform: Platform, root: string, options: HoldOptions, work: (project: Project, state: ProjectState) => Promise<Result>): Promise<Result> {
  const { config } = await loadSettings(platform, root);
  const lock = await acquireLock(platform, join(root, config.paths.state_dir, 'lock'), options.command);
  try {
    const project = await openProject(platform, root, { emit: options.emit, journal: true });
    const state = await tidyState(project, options.signal, options.recovers ?? true);
    const result = await work(project, state);
    await project.journal?.close();
    return result;
  } finally {
    await lock.release();
  }
}

/** The state as it should be before anything new begins. Called by the holder of the lock. */
export async function tidyState(project: Project, signal: AbortSignal, recovers = true): Promise<ProjectState> {
  for (const path of await sweepTemporaries(project.platform, project.stateDir)) project.emit({ type: 'state.recovered', what: `temporary file ${path}`, action: 'removed' });
  await bringUpToDate(project);
  const state = await readState(project, { writer: true });
  return recovers ? await recover(project, state, signal) : state;
}
