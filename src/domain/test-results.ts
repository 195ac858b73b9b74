/** What the results of a run mean for people and for the judge alike. */
import type { TestResult } from './verdict.ts';

/** A file that ran and told of no test: a helper among the tests, or one that ended before its tests did. */
export function holdsNoTest(test: TestResult): boolean {
  return test.message === 'the file ended without reporting a test';
}

/** How many tests there are for people. What a file without tests hides is missing by the names of its tests. */
export function countTests(tests: readonly TestResult[]): number {
  return tests.filter((test) => !holdsNoTest(test)).length;
}

export function isFailure(test: TestResult): boolean {
  return test.status === 'failed' || test.status === 'error';
}

/** Tests that did not hold. A helper among the tests is none; a file that is called a test and told of none is. */
export function failuresIn(tests: readonly TestResult[]): TestResult[] {
  return tests.filter((test) => isFailure(test) && (!holdsNoTest(test) || CALLED_A_TEST.test(test.file)));
}

const CALLED_A_TEST = /[._-](?:test|spec)s?\.\w+$|(?:^|\/)test[._-][^/]*$/i;

/** Ids of those that pass. */
export function passingIds(tests: readonly TestResult[]): Set<string> {
  return new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
}
