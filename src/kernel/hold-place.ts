/**
 * A command that writes: the lock first, then everything else.
 *
 * 1. One process writes in a directory at a time, whichever flow it runs (exit 9 for the second).
 * 2. What a dead process left running or lying about is gone before the work begins; what it had spent is in the books.
 * 3. A `stop` that was asked of an earlier holder is not for this one; one that comes later aborts the signal of the place.
 * 4. What is over its time in the logs goes first, unless the command has to be quick; the journal is on the disk before the result is told, also that of a failure.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import { sweepTemporaries } from '../store/sweep.ts';
import { settleCutOffRoles } from './books/role-record.ts';
import { landedSetUp } from './founding/landed-set-up.ts';
import { endLeftovers } from './flight/agent-processes.ts';
import { openPlace, type Place, type PlaceOptions, flushing } from './place.ts';
import { openDocuments } from './documents/documents.ts';
import { openRequests } from './documents/requests.ts';
import { placeSettings } from './place-settings.ts';
import { rememberAgent } from './state-file.ts';
import { watchForStop } from './stop.ts';
import { sweepPlace, tellSwept } from './sweep-place.ts';
import { isTaskLane, TASKS_FOLDER } from './task-lane.ts';
import { pruneJournal } from '../journal/retention.ts';
import { localFolder } from './local-folder.ts';
import { readCosts } from './books/costs-file.ts';

export interface HoldOptions extends Omit<PlaceOptions, 'journal'> {
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
  quick?: boolean;
}

export async function holdPlace<Result>(
  platform: Platform,
  root: string,
  options: HoldOptions,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const { config } = await placeSettings(platform, root, options);
  const store = options.store ?? folderStore(platform, join(root, config.paths.state_dir));
  return await store.hold(options.command, async () => {
    const requests = openRequests(platform, store.in('requests'));
    await requests.drop('stop');
    const foreign = await requests.setForeignAside();
    const documents = openDocuments(platform, store, { onNewerState: config.compatibility.on_newer_state });
    if (options.quick !== true) await pruneLogs({ platform, documents, config, stateDir: join(root, config.paths.state_dir) });
    const stop = watchForStop(platform, requests);
    try {
      const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
      const place = await openPlace(platform, root, { ...options, store, signal, journal: true });
      for (const file of foreign)
        place.emit({ type: 'warning', message: `Set aside a request that was not made in this project on this machine: ${file}` });
      return await workAt(place, work);
    } finally {
      await stop.end();
    }
  });
}

async function workAt<Result>(place: Place, work: (place: Place) => Promise<Result>): Promise<Result> {
  return await flushing(place, async () => {
    try {
      await tidyPlace(place);
      await rememberAgent(place, place.chosenAgent);
      return await work(place);
    } finally {
      await place.rooms.dispose();
    }
  });
}

/** Called by the holder of the lock, before anything else. */
async function tidyPlace(place: Place): Promise<void> {
  await endLeftovers(place, async (lane) => !isTaskLane(lane) || !(await isHeldTask(place, lane)));
  await settleCutOffRoles(place, (running) => landedSetUp(place, running));
  tellSwept(place, [...(await sweepTemporaries(place.platform, place.stateDir, [TASKS_FOLDER])), ...(await sweepPlace(place))]);
}

/** A living worker looks after its own lane. */
async function isHeldTask({ platform, stateDir }: Place, lane: string): Promise<boolean> {
  return (await folderStore(platform, join(stateDir, TASKS_FOLDER, lane)).holder()) !== null;
}

/**
 * `logging.retention_days`: old entries of the logs go when a command that writes begins.
 *
 * 1. Called by the holder of the lock, before the journal is opened.
 * 2. Entries of the last session and of role sessions that nobody has settled stay: what they had spent is read from them.
 * 3. Pruning is housekeeping: where it does not succeed, the command goes on and the next one tries again.
 */
async function pruneLogs(ground: Pick<Place, 'platform' | 'documents' | 'stateDir' | 'config'>): Promise<void> {
  const { platform, documents, config } = ground;
  try {
    const { running = [] } = await readCosts(ground, { writer: false });
    const state = await documents.read('state', { writer: false });
    const underWay = new Set(running.map((session) => session.session_id));
    if (state !== null) underWay.add(state.last_session);
    await pruneJournal(platform, localFolder(ground, 'logs'), { retentionDays: config.logging.retention_days, underWay });
  } catch {
    return;
  }
}
