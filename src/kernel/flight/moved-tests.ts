/** Tests that go by another name than before, and are the same by their bodies: a title may say the time. */
import { bodiesOf, matchMoves } from '../../verify/checks/moves.ts';
import type { FlightPlace } from './contract.ts';

interface Tests {
  tree: string;
  ids: readonly string[];
}

/** From the old id to the new one. */
export async function movedTests(
  { platform, trees }: Pick<FlightPlace, 'platform' | 'trees'>,
  gone: Tests,
  gained: Tests,
): Promise<Map<string, string>> {
  if (gone.ids.length === 0 || gained.ids.length === 0) return new Map();
  const bodies = ({ tree, ids }: Tests): Promise<Map<string, string>> => bodiesOf(platform, trees, tree, ids);
  return matchMoves(gone.ids, gained.ids, await bodies(gone), await bodies(gained));
}
