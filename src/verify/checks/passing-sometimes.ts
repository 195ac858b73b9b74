/** Tests that pass in some runs and fail in others. */
import { counted } from '../../domain/counted.ts';
import { isFailure } from '../../domain/test-results.ts';
import { describeTest, type Finding, type TestResult, type TestRun } from '../../domain/verdict.ts';
import type { OpenCase } from '../case.ts';
import { againIn, repeatFailures } from '../repeats.ts';
import { withFailures } from './with-failures.ts';

interface OwnFailures {
  tree: string;
  tests: readonly TestResult[];
  /** Ids of those that failed before in the same way. */
  old: ReadonlySet<string>;
  plain: TestRun;
  /** The feature's files ran without the rest of the suite. */
  isApart: boolean;
}

/** Of the feature's tests that failed, those that pass when they are repeated. */
export async function passingSometimes(input: OpenCase, { tree, tests, old, plain, isApart }: OwnFailures): Promise<ReadonlySet<string>> {
  const failed = tests.filter((test) => isFailure(test) && !old.has(test.id)).map((test) => test.id);
  if (failed.length === 0 || !plain.consistent) return new Set();
  const { flaky } = await repeatFailures({
    failed,
    onCandidate: againIn(input.platform, { ...input, tree, purpose: 'again' }, plain),
    onBase: null,
    isOnBase: () => false,
    isPartOfMore: !isApart,
  });
  return new Set(flaky);
}

export function sometimesFinding(file: string, failed: readonly TestResult[]): Finding {
  const message = `${counted(failed.length, 'test')} in ${file} ${failed.length === 1 ? 'fails' : 'fail'} in some runs and ${failed.length === 1 ? 'passes' : 'pass'} in others`;
  const subjects = failed.slice(0, 50).map(describeTest);
  return withFailures({ check: 'feature-test', reason: 'test.flaky', weight: 'ask', message, subjects }, failed);
}

/** Of tests that passed before the session and pass every time on base. */
export function flakyFinding(flaky: readonly string[], tests: readonly TestResult[]): Finding {
  const message = `${counted(flaky.length, 'test')} that passed on base ${flaky.length === 1 ? 'fails' : 'fail'} in some runs and ${flaky.length === 1 ? 'passes' : 'pass'} in others; on base ${flaky.length === 1 ? 'it passes' : 'they pass'} in every run`;
  return withFailures(
    { check: 'regression', reason: 'test.flaky', weight: 'ask', message, subjects: flaky.slice(0, 50) },
    tests.filter((test) => isFailure(test) && flaky.includes(test.id)),
  );
}
