/**
 * A command that writes: the lock first, then everything else.
 *
 * 1. The journal is opened, leftovers are swept and older state is brought up to date only by the holder of the lock.
 * 2. What nobody is flying any more is brought to its end before the command's own work, unless the command says it does not need that: the
 *    event `reopened` says what each phase means, and the same driver goes on from there.
 * 3. Whatever happens, no agent and no environment lives on afterwards, and what was set aside is given back.
 */
import type { ProjectState } from '../../domain/session.ts';
import { clearCheckpoints, clearIndexLock, finishPendingCommit, giveBackStash } from '../../kernel/flight/leftovers.ts';
import { takeBackLeftLoans } from '../../kernel/flight/in-place.ts';
import { endAllLive } from '../../kernel/flight/live.ts';
import { holdPlace, type HoldOptions as HoldPlaceOptions } from '../../kernel/hold-place.ts';
import { driveProject } from './flow.ts';
import { flightsOf } from './machine/lanes.ts';
import { beginRun, type Running } from './machine/running.ts';
import { bringUpToDate } from '../../kernel/documents/migrate.ts';
import { asProject, type Project } from './project.ts';
import { readOrRebuild } from './read-or-rebuild.ts';
import { dropStaleEscalation } from './people/questions.ts';
import { checkStateObjects, readState } from './state-files.ts';

export interface HoldOptions extends Omit<HoldPlaceOptions, 'needs'> {
  signal: AbortSignal;
  /** False for commands that must be quick and can live with a session cut off. */
  reopens?: boolean;
}

export async function asWriter<Result>(
  platform: Project['platform'],
  root: string,
  { reopens = true, ...options }: HoldOptions,
  work: (project: Project, state: ProjectState) => Promise<Result>,
): Promise<Result> {
  return await holdPlace(platform, root, { ...options, needs: 'project', quick: !reopens }, async (place) => {
    const project = asProject(place);
    try {
      await finishPendingCommit(project);
      await bringUpToDate(project);
      const found = await readOrRebuild(project);
      await checkStateObjects(project, found);
      const state = reopens ? await reopen(project, found) : found;
      await dropStaleEscalation(project, state);
      const result = await work(project, state);
      await dropStaleEscalation(project, await readState(project, { writer: false }));
      return result;
    } finally {
      await endAllLive(project);
    }
  });
}

/** What was cut off is brought to its end. Called by the holder of the lock, who has done nothing else yet. */
export async function reopen(project: Project, before: ProjectState): Promise<ProjectState> {
  const { rollback } = before;
  if (flightsOf(before).some(({ phase }) => phase === 'landing') || rollback !== null) await clearIndexLock(project);
  const settled = (await bringToEnd(project, before, { opens: true })).project;
  if (rollback !== null)
    project.emit({
      type: 'state.recovered',
      what: `the return to checkpoint ${rollback.checkpoint}, which was cut off`,
      action: 'completed',
    });
  await clearCheckpoints(project);
  await takeBackLeftLoans(
    project,
    flightsOf(settled).map(({ session }) => session),
  );
  await giveBackStash(project);
  return settled;
}

/** Nothing new is begun. */
export async function bringToEnd(project: Project, state: ProjectState, how = { opens: false }): Promise<Running> {
  const begin = { project: state, run: beginRun({ wanted: 0, cleanup: false, knownSound: true }) };
  return (await driveProject(project, begin, how)).state;
}
