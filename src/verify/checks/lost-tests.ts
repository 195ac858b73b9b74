/** Tests of the baseline that a run of the candidate lost: those that only moved, and those that pass when that run is made again. */
import type { TestRun } from '../../domain/verdict.ts';
import type { OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { passingIds, type Loss } from '../memory/baseline.ts';
import { findMoves } from './moves.ts';

export async function movesOf(input: OpenCase, tree: string, suite: TestRun, lost: readonly Loss[]): Promise<Map<string, string>> {
  const { platform } = input;
  const vanished = lost.filter((loss) => loss.now === 'vanished').map((loss) => loss.id);
  const known = new Set(input.baseline?.passing_tests ?? []);
  const gained = passingIds(suite.tests).filter((id) => !known.has(id));
  return findMoves(platform, input.trees, { tree: input.base.tree, ids: vanished }, { tree, ids: gained });
}

/** Lost tests that pass when the very run in which they were lost is made again. */
export async function rerunLost(
  input: JudgeInput,
  runs: readonly { lost: readonly Loss[]; again: () => Promise<TestRun> }[],
  missing: readonly Loss[],
): Promise<string[]> {
  const stillLost = new Set<string>();
  for (const { lost, again } of runs) {
    let left = lost.filter((loss) => RERUN.has(loss.now) && missing.some((one) => one.id === loss.id)).map((loss) => loss.id);
    for (let attempt = 0; attempt < input.settings.verification.flaky_reruns && left.length > 0; attempt += 1) {
      const passed = new Set(passingIds((await again()).tests));
      left = left.filter((id) => !passed.has(id));
    }
    for (const id of left) stillLost.add(id);
  }
  return missing.filter((loss) => RERUN.has(loss.now) && !stillLost.has(loss.id)).map((loss) => loss.id);
}

const RERUN: ReadonlySet<string> = new Set(['failed', 'error', 'retried', 'vanished']);
