import { testFilesOf } from '../../domain/test-files.ts';
import type { TestResult, TestRun } from '../../domain/verdict.ts';
import type { OpenCase } from '../case.ts';
import { holdsNoTest, isFailure } from '../../domain/test-results.ts';
import { bodiesOf } from './moves.ts';

/** Failed tests beside the feature's own that the session brought: in a file of its own, or into one that was there. */
export async function failedAnew(input: OpenCase, tree: string, suite: TestRun, fresh: readonly string[]): Promise<TestResult[]> {
  const { platform } = input;
  const own = testFilesOf(input.feature);
  const known = new Set(input.baseline?.passing_tests ?? []);
  const failed = suite.tests.filter((test) => !own.includes(test.file) && isFailure(test) && !holdsNoTest(test) && !known.has(test.id));
  const others = failed.filter((test) => !fresh.includes(test.file)).map((test) => test.id);
  if (others.length === 0) return failed;
  const before = await bodiesOf(platform, input.trees, input.base.tree, others);
  const now = await bodiesOf(platform, input.trees, tree, others);
  return failed.filter((test) => fresh.includes(test.file) || (now.has(test.id) && !before.has(test.id)));
}
