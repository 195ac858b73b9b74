/** The tree of the branch as it stands. */
import { headOf } from '../../../kernel/ground/head.ts';
import type { MissionPlace } from '../contract.ts';

export async function headTree(place: MissionPlace): Promise<string> {
  return (await headOf(place))?.tree ?? EMPTY_TREE;
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
