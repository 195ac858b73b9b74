/** The tree of the branch as it stands. */
import { EMPTY_TREE } from '../../../domain/tree.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import type { MissionPlace } from '../contract.ts';

export async function headTree(place: MissionPlace): Promise<string> {
  return (await headOf(place))?.tree ?? EMPTY_TREE;
}
