/**
 * A command that writes: the lock first, then everything else.
 *
 * 1. The journal is opened, leftovers are swept and older state is brought up to date only by the holder of the lock.
 * 2. What nobody is flying any more is brought to its end before the command's own work, unless the command says it does not need that: the
 *    event `reopened` says what each phase means, and the same driver goes on from there.
 * 3. Whatever happens, no agent and no environment lives on afterwards, and what was set aside is given back.
 */
import { join } from 'node:path';
import { loadSettings } from '../../config/user-settings.ts';
import type { Emit } from '../../domain/event.ts';
import type { ProjectState } from '../../domain/session.ts';
import { settleCutOffRoles } from '../../kernel/books/role-record.ts';
import { endLeftovers } from '../../kernel/flight/agent-processes.ts';
import { clearCheckpoints, clearIndexLock, clearLeftovers, giveBackStash } from '../../kernel/flight/leftovers.ts';
import { endAllLive } from '../../kernel/flight/live.ts';
import { tellCutOff } from '../../kernel/flight/tell-cut-off.ts';
import { flushing } from '../../kernel/flushing.ts';
import type { Platform } from '../../platform/platform.ts';
import { withLock } from '../../store/lock.ts';
import type { Asker } from './asker.ts';
import { driveProject } from './flow.ts';
import { beginRun, type Running } from './machine/run.ts';
import { bringUpToDate } from './migrate.ts';
import { openProject, type Project } from './project.ts';
import { readOrRebuild } from './read-or-rebuild.ts';
import { step } from './state-files.ts';

export interface HoldOptions {
  emit: Emit;
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
  signal: AbortSignal;
  asker?: Asker;
  /** Waits while the screen or the pipe behind `emit` is behind. */
  drained?(): Promise<void> | null;
  /** False for commands that must be quick and can live with a session cut off. */
  reopens?: boolean;
}

export async function asWriter<Result>(
  platform: Platform,
  root: string,
  options: HoldOptions,
  work: (project: Project, state: ProjectState) => Promise<Result>,
): Promise<Result> {
  const { config } = await loadSettings(platform, root);
  return await withLock(platform, join(root, config.paths.state_dir, 'lock'), options.command, async () => {
    const project = await openProject(platform, root, { ...options, journal: true });
    return await flushing(project, async () => {
      try {
        await clearLeftovers(project);
        await bringUpToDate(project);
        const state = await readOrRebuild(project);
        return await work(project, options.reopens === false ? state : await reopen(project, state));
      } finally {
        await endAllLive(project);
        await project.rooms.dispose();
      }
    });
  });
}

/** What was cut off is brought to its end. Called by the holder of the lock, who has done nothing else yet. */
export async function reopen(project: Project, before: ProjectState): Promise<ProjectState> {
  await endLeftovers(project);
  await settleCutOffRoles(project);
  const { flight, rollback } = before;
  if (flight?.phase === 'landing' || rollback !== null) await clearIndexLock(project);
  const state = flight === null ? before : (await step(project, before, { type: 'reopened' })).state;
  if (flight !== null && state.flight === null) tellCutOff(project, flight, 'dropped: its agent had not started');
  const settled = (await bringToEnd(project, state)).project;
  if (rollback !== null)
    project.emit({
      type: 'state.recovered',
      what: `the return to checkpoint ${rollback.checkpoint}, which was cut off`,
      action: 'completed',
    });
  await clearCheckpoints(project);
  await giveBackStash(project);
  return settled;
}

/** Nothing new is begun. */
export async function bringToEnd(project: Project, state: ProjectState): Promise<Running> {
  return (await driveProject(project, { project: state, run: beginRun({ wanted: 0, cleanup: false, knownSound: true }) })).state;
}
