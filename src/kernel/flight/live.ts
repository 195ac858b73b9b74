/** The end of what a process holds of its flights: no agent and no environment lives on, and what was set aside for it is back. */
import { restoreStash } from '../../workspace/home.ts';
import { disposeLanes } from '../lanes/lane-place.ts';
import type { FlightPlace, LiveFlight, Stash } from './contract.ts';

export function newLive(): LiveFlight {
  return {
    copy: null,
    startTree: null,
    agent: null,
    environment: null,
    baseline: null,
    sanity: [],
    conversation: null,
    spares: null,
    chores: null,
    stash: null,
  };
}

/** What was set aside is given back once nobody flies any more. */
export async function endLive(place: FlightPlace, session: number): Promise<void> {
  const live = place.live.get(session);
  place.live.delete(session);
  await live?.conversation?.session.close();
  await live?.environment?.stop();
  await live?.chores?.catch(() => {});
  await (await live?.spares)?.dispose();
  if (live === undefined || live.stash === null) return;
  const [beside] = place.live.values();
  if (beside === undefined) await giveBack(place, live.stash);
  else beside.stash = live.stash;
}

/** Whatever happened: for the last lines of a command. */
export async function endAllLive(place: FlightPlace): Promise<void> {
  for (const session of place.live.keys()) await endLive(place, session);
  await disposeLanes(place);
}

async function giveBack(place: FlightPlace, stash: Stash): Promise<void> {
  const back = await restoreStash(place.platform, place.home, stash);
  if (back.restored) return;
  place.emit({
    type: 'warning',
    message: `your stashed changes could not be restored automatically (${back.detail}); they are kept: ${stash.restore}`,
  });
}
