/** Claims on the untouched base: whether their proofs can run there, and which of them hold already. */
import { isCollected, runProof } from '../../../kernel/flight/proofs.ts';
import type { Claim } from '../../../kernel/mission-schema.ts';
import type { MissionPlace } from '../contract.ts';
import { EMPTY_TREE } from '../../../domain/tree.ts';
import { headOf } from '../../../kernel/ground/head.ts';

export interface TriedClaims {
  /** Field and fix, a line each. */
  problems: string[];
  held: string[];
}

export async function tryClaims(place: MissionPlace, tree: string, claims: readonly Claim[]): Promise<TriedClaims> {
  const problems: string[] = [];
  const held: string[] = [];
  for (const { id, proof } of claims) {
    const unseen = proof.tests.filter((path) => !isCollected(place, path));
    if (unseen.length > 0)
      problems.push(`claims.${id}.proof.tests: the test runner would not collect ${unseen.join(', ')}; name it as tests are named here`);
    if (unseen.length > 0 || (proof.tests.length === 0 && proof.command === null)) continue;
    const run = await runProof(place, tree, proof);
    if (!run.starts) problems.push(`claims.${id}.proof.command: "${proof.command}" cannot be started here; name a command that can`);
    else if (run.why === '') held.push(id);
  }
  return { problems, held };
}

/** The tree of the branch as it stands. */
export async function headTree(place: MissionPlace): Promise<string> {
  return (await headOf(place))?.tree ?? EMPTY_TREE;
}
