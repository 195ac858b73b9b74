/** What the first session would wait for on a project of many files: the rooms and the agent's copy, made when the project is adopted. */
import { layOutAhead } from '../../workspace/agent-copy.ts';
import { MANY_FILES } from '../../domain/tree.ts';
import type { FlightPlace, Head } from '../flight/contract.ts';
import { prepareRooms } from '../flight/judge-candidate.ts';
import { NEUTRAL_ROOM } from '../../verify/checks/again.ts';

/** That something cannot be made is told by the session that needs it. */
export async function makeAhead(place: FlightPlace, { commit, branch, tree }: Head): Promise<void> {
  const { platform, home, harnessHome, trees } = place;
  if ((await trees.list(tree)).length >= MANY_FILES) {
    await prepareRooms(place, tree);
    place.rooms.prepareAhead?.(tree, { name: NEUTRAL_ROOM });
    await layOutAhead(platform, { home, harnessHome, store: trees, base: commit, branch, tree }).catch(() => {});
  }
  await place.rooms.dispose();
}
