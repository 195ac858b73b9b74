/**
 * Red, then green: what the feature's tests say about the code from before the session.
 *
 * 1. Green on the candidate and not passed before: proof. At least one is needed. A test of the baseline has to fail by itself.
 * 2. Green on both and not known from the baseline: a test that proves nothing about this feature; recorded.
 * 3. Red by an assertion is no better than red by a missing import: a test may catch that and assert on it. Hollow stand-ins decide both.
 */
import type { TestResult } from '../../domain/verdict.ts';

interface RedInput {
  /** Tests of the feature that passed on the candidate. */
  green: readonly string[];
  /** Results of the same files on base code. */
  before: readonly TestResult[];
  baseline: ReadonlySet<string>;
}

interface RedResult {
  redToGreen: string[];
  alreadyGreen: string[];
}

export function compareRed(input: RedInput): RedResult {
  const passedBefore = new Set(input.before.filter((test) => test.status === 'passed').map((test) => test.id));
  const failedBefore = new Set(input.before.filter((test) => test.status === 'failed').map((test) => test.id));
  const redToGreen = input.green.filter((id) => (input.baseline.has(id) ? failedBefore.has(id) : !passedBefore.has(id)));
  const alreadyGreen = input.green.filter((id) => passedBefore.has(id) && !input.baseline.has(id));
  return { redToGreen, alreadyGreen };
}
