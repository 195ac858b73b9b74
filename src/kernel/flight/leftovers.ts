/**
 * What a process that died in the middle left lying about: cleared by the next one, with a line in the journal.
 *
 * 1. Called by the holder of the project's lock, before anything else.
 * 2. Nothing of the user's is touched. A lock on the index goes only if an interrupted step of the harness explains it and no git runs in the project.
 */
import { applyRetention, CHECKPOINT_FILE, listCheckpoints } from '../../workspace/checkpoint.ts';
import { finishCommit, hasPendingCommit } from '../../workspace/commit-files.ts';
import { findStash, restoreStash } from '../../workspace/home.ts';
import { dropIndexLock } from '../../workspace/index-lock.ts';
import type { Place } from '../place.ts';
import type { Flight } from '../../domain/session.ts';
import type { FlightPlace } from './contract.ts';

export const STASH_MESSAGE = 'harness: set aside for a session';

export async function finishPendingCommit(place: Place): Promise<void> {
  const { platform, home } = place;
  if (!(await hasPendingCommit(platform, home))) return;
  await clearIndexLock(place);
  const commit = await finishCommit(platform, home);
  if (commit !== null) tell(place, `commit ${commit.slice(0, 10)}, whose files had not followed yet`, 'completed');
}

/** Checkpoints that were never finished. */
export async function clearCheckpoints(place: Place): Promise<void> {
  const { platform, home, shelf } = place;
  const { unreadable } = await listCheckpoints(shelf);
  const halfMade: string[] = [];
  for (const id of unreadable) if (!(await shelf.has(`checkpoints/${id}/${CHECKPOINT_FILE}`))) halfMade.push(id);
  await applyRetention(platform, { home, shelf, drop: halfMade });
  for (const id of halfMade) tell(place, `checkpoint ${id}, which was never finished`, 'removed');
}

/** Changes of the user's that were set aside for a session that a process died over. */
export async function giveBackStash(place: Place): Promise<void> {
  const { platform, home } = place;
  const stash = await findStash(platform, home, STASH_MESSAGE);
  if (stash === null) return;
  const back = await restoreStash(platform, home, { commit: stash });
  if (back.restored) tell(place, 'your changes that were set aside for a session', 'put back');
  else
    place.emit({
      type: 'warning',
      message: `changes of yours that were set aside for a session could not be put back (${back.detail}); they are on the stash list: git stash list`,
    });
}

/** Git leaves its lock behind when it is cut off while it writes the index. */
export async function clearIndexLock(place: Place): Promise<void> {
  const path = await dropIndexLock(place.platform, place.home);
  if (path !== null) tell(place, `the lock ${path} of a git command that was cut off`, 'removed');
}

function tell(place: Place, what: string, action: string): void {
  place.emit({ type: 'state.recovered', what, action });
}

/** What becomes of a flight whose process died. */
export function tellCutOff(place: Pick<FlightPlace, 'emit'>, flight: Pick<Flight, 'session' | 'phase' | 'cut_off'>, action: string): void {
  place.emit({ type: 'state.recovered', what: `session ${flight.session}, cut off while ${flight.cut_off ?? flight.phase}`, action });
}
