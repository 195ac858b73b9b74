/**
 * A task beside others in one project: a lock, documents, a journal, a copy and rooms of its own.
 *
 * 1. One process works on a task at a time (exit 9 for the second); tasks of one project work side by side.
 * 2. What a dead process left of this task is ended and settled before the work begins; other tasks are not touched.
 * 3. The project's lock is held only by `project`: for session numbers, costs and landings. It is waited for, then it is exit 9.
 */
import { dirname, join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import { openJournal } from '../journal/journal.ts';
import type { Platform } from '../platform/platform.ts';
import { chosenSandbox } from '../platform/sandbox.ts';
import { folderStore } from '../store/folder-store.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { sweepShared, sweepTemporaries } from '../store/sweep.ts';
import { createCleanRooms } from '../workspace/clean-room.ts';
import { taskBooks } from './books/task-books.ts';
import { settleCutOffRoles } from './books/role-record.ts';
import { openDocuments, type Documents } from './documents/documents.ts';
import { endLeftovers } from './flight/agent-processes.ts';
import { openPlace, type Place, flushing } from './place.ts';
import type { HoldOptions } from './hold-place.ts';
import { holdWhenFree } from './hold-when-free.ts';
import { placeSettings } from './place-settings.ts';
import { foldersIn, sweepPlace, tellSwept } from './sweep-place.ts';
import { taskLane, TASKS_FOLDER } from './task-lane.ts';

export interface TaskPlace extends Place {
  /** Name of its copy, its rooms and its ref. */
  lane: string;
  /** Works on the project's own documents, as their one holder. */
  project<Result>(work: (documents: Documents) => Promise<Result>): Promise<Result>;
}

export interface TaskHold extends Omit<HoldOptions, 'store' | 'logs' | 'needs' | 'quick'> {
  taskId: string;
}

export async function holdTask<Result>(
  platform: Platform,
  root: string,
  options: TaskHold,
  work: (place: TaskPlace) => Promise<Result>,
): Promise<Result> {
  const lane = taskLane(options.taskId);
  const { config: first } = await placeSettings(platform, root, options);
  const stateDir = join(root, first.paths.state_dir);
  const store = folderStore(platform, join(stateDir, TASKS_FOLDER, lane));
  const { config } = await placeSettings(platform, root, { ...options, store });
  const projectStore = folderStore(platform, stateDir);
  return await asTask(options.taskId, () =>
    store.hold(options.command, async () => {
      const level = config.logging.level;
      const logs = await openJournal(platform, join(store.where(), 'logs'), { level, harnessVersion: HARNESS_VERSION });
      const place = await openPlace(platform, root, { ...options, store, shelf: projectStore, logs, journal: true });
      return await flushing(place, () => workOn(place, lane, projectHolder(place, projectStore, options.command), work));
    }),
  );
}

/** The lock says "project" wherever it lies. */
async function asTask<Result>(taskId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HarnessError) || error.exitCode !== EXIT.locked || !error.message.includes('this project: ')) throw error;
    const message = error.message.replace('Another harness process holds this project', `Another harness process is at task ${taskId}`);
    throw new HarnessError(message, { exitCode: EXIT.locked, next: 'retry_at', details: ['Wait until it ends, then run again.'] });
  }
}

async function workOn<Result>(
  base: Place,
  lane: string,
  project: TaskPlace['project'],
  work: (place: TaskPlace) => Promise<Result>,
): Promise<Result> {
  const { platform, home, harnessHome, trees, config } = base;
  const sandboxed = (await chosenSandbox(platform, config.sandbox.mode)).hides;
  const rooms = createCleanRooms(platform, { home, harnessHome, stateDir: base.stateDir, store: trees, lane, sandboxed });
  const roles = join(base.stateDir, 'roles');
  const documents: Documents = { ...base.documents, where: (name) => (name === 'roles' ? roles : base.documents.where(name)) };
  const place: TaskPlace = { ...base, documents, lane, rooms, project, books: taskBooks(base, project) };
  try {
    await endLeftovers(place, async (other) => other === lane);
    await settleCutOffRoles(place);
    await sweep(place);
    return await work(place);
  } finally {
    await rooms.dispose();
  }
}

/** Of this task everything, as nobody else writes there; of the rest what dead processes left. */
async function sweep(place: TaskPlace): Promise<void> {
  const { platform, stateDir } = place;
  const own = await sweepTemporaries(platform, dirname(place.documents.where('logs')));
  const verdicts = join(stateDir, 'verdicts');
  const shared: string[] = [];
  for (const folder of [stateDir, ...(await foldersIn(platform, verdicts))]) shared.push(...(await sweepShared(platform, folder)));
  tellSwept(place, [...own, ...shared, ...(await sweepPlace(place))]);
}

/** Waits for others that hold the project for a moment. */
function projectHolder(place: Place, store: DocumentStore, command: string): TaskPlace['project'] {
  const { platform, config } = place;
  const documents = openDocuments(platform, store, { onNewerState: config.compatibility.on_newer_state });
  return (work) => holdWhenFree(place, store, { command, seconds: config.worker.lock_wait_seconds }, () => work(documents));
}
