/** Tests of the baseline that a run of the candidate lost: those that only moved, and those that fail every time. */
import type { TestRun } from '../../domain/verdict.ts';
import type { OpenCase } from '../case.ts';
import { passingIds, type Loss } from '../memory/baseline.ts';
import { againIn, joinRepeated, repeatFailures, type Repeated } from '../repeats.ts';
import { findMoves } from './moves.ts';
import { lastItem } from '../../domain/items.ts';

export async function movesOf(input: OpenCase, tree: string, suite: TestRun, lost: readonly Loss[]): Promise<Map<string, string>> {
  const { platform } = input;
  const vanished = lost.filter((loss) => loss.now === 'vanished').map((loss) => loss.id);
  const known = new Set(input.baseline?.passing_tests ?? []);
  const gained = passingIds(suite.tests).filter((id) => !known.has(id));
  return findMoves(platform, input.trees, { tree: input.base.tree, ids: vanished }, { tree, ids: gained });
}

/** A run in which every test of the baseline has to pass, on a tree of the candidate. */
export interface KeptRun {
  run: TestRun;
  tree: string;
  lost: readonly Loss[];
}

/** Lost tests, repeated on the candidate where they were lost, and on base. */
export async function repeatLost(input: OpenCase, runs: readonly KeptRun[], missing: readonly Loss[]): Promise<Repeated> {
  const { platform, base } = input;
  const found: Repeated[] = [];
  const left = new Set(missing.map((loss) => loss.id));
  for (const { run, tree, lost } of runs) {
    const failed = lost.map((loss) => loss.id).filter((id) => left.has(id));
    if (failed.length === 0) continue;
    found.push(
      await repeatFailures({
        failed,
        onCandidate: againIn(platform, { ...input, tree, purpose: 'again' }, run),
        onBase: againIn(platform, { ...input, tree: base.tree, room: 'base', purpose: 'base' }, run),
        isOnBase: () => true,
        isPartOfMore: true,
      }),
    );
    for (const id of lastItem(found).counts) left.delete(id);
  }
  return joinRepeated(found);
}
