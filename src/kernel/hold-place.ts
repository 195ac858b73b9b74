/**
 * A command that writes: the lock first, then everything else.
 *
 * 1. One process writes in a directory at a time, whichever flow it runs (exit 9 for the second).
 * 2. What a dead process left running or lying about is gone before the work begins; what it had spent is in the books.
 * 3. What is over its time in the logs goes first; the journal is on the disk before the result is told, also that of a failure.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { withLock } from '../store/lock.ts';
import { sweepShared, sweepTemporaries } from '../store/sweep.ts';
import { sweepOwnFiles } from '../workspace/own-index.ts';
import { projectKey } from '../workspace/paths.ts';
import { settleCutOffRoles } from './books/role-record.ts';
import { endLeftovers } from './flight/agent-processes.ts';
import { flushing } from './flushing.ts';
import { openPlace, type Place, type PlaceOptions } from './place.ts';
import { placeSettings } from './place-settings.ts';
import { pruneLogs } from './prune-logs.ts';
import { rememberAgent } from './state-file.ts';

export interface HoldOptions extends Omit<PlaceOptions, 'journal'> {
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
}

export async function holdPlace<Result>(
  platform: Platform,
  root: string,
  options: HoldOptions,
  work: (place: Place) => Promise<Result>,
): Promise<Result> {
  const { config } = await placeSettings(platform, root, options);
  const stateDir = join(root, config.paths.state_dir);
  return await withLock(platform, join(stateDir, 'lock'), options.command, async () => {
    await pruneLogs({ platform, stateDir, config });
    const place = await openPlace(platform, root, { ...options, journal: true });
    return await flushing(place, async () => {
      try {
        await tidyPlace(place);
        await rememberAgent(platform, stateDir, place.chosenAgent);
        return await work(place);
      } finally {
        await place.rooms.dispose();
      }
    });
  });
}

/** Called by the holder of the lock, before anything else. */
export async function tidyPlace(place: Place): Promise<void> {
  const { platform, home, harnessHome } = place;
  for (const { file, bytes } of place.journal?.recovered ?? [])
    place.emit({ type: 'state.recovered', what: `half a line at the end of ${file} (${bytes} bytes)`, action: 'cut off' });
  await endLeftovers(place);
  await settleCutOffRoles(place);
  const removed = [...(await sweepTemporaries(platform, place.stateDir)), ...(await sweepOwnFiles(platform, home))];
  const lanes = ['work', 'rooms'].map((name) => join(harnessHome, name, projectKey(home.root), 'main'));
  const shared = [join(harnessHome, 'scratch'), join(harnessHome, 'cache', 'results'), ...lanes, place.root];
  for (const folder of new Set([...shared, home.root])) removed.push(...(await sweepShared(platform, folder)));
  for (const path of removed) place.emit({ type: 'state.recovered', what: `temporary file ${path}`, action: 'removed' });
}
