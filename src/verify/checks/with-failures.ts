import type { Finding, TestFailure, TestResult } from '../../domain/verdict.ts';

const MOST_FAILURES = 20;

/** A finding together with what the tests said that it is about. */
export function withFailures(
  finding: Finding,
  tests: readonly (Pick<TestResult, 'id' | 'message'> & { status: TestFailure['status'] })[],
): Finding {
  const failures = tests.slice(0, MOST_FAILURES).map(({ id, status, message = '' }) => ({ test: id, status, message }));
  return failures.every(({ message }) => message === '') ? finding : { ...finding, failures };
}
