/**
 * The regression comparison: every test of the baseline is exactly `passed` on the candidate.
 *
 * 1. Failed, skipped, retried, expected to fail, vanished: each is a loss.
 * 2. What failed before the session is not the session's fault.
 */
import { fileOf, type TestResult, type TestRun, type TestStatus } from '../../domain/verdict.ts';

export interface Loss {
  id: string;
  file: string;
  now: TestStatus | 'vanished';
}

interface Comparison {
  kept: string[];
  lost: Loss[];
}

export function compareWithBaseline(passing: readonly string[], run: Pick<TestRun, 'tests'>): Comparison {
  const now = new Map(run.tests.map((test) => [test.id, test]));
  const kept: string[] = [];
  const lost: Loss[] = [];
  for (const id of passing) {
    const test = now.get(id);
    if (test?.status === 'passed') kept.push(id);
    else lost.push({ id, file: test?.file ?? fileOf(id), now: test?.status ?? 'vanished' });
  }
  return { kept, lost };
}

/** Ids that a baseline keeps: passed, and passed alone. */
export function passingIds(tests: readonly TestResult[]): string[] {
  return tests.filter((test) => test.status === 'passed').map((test) => test.id);
}
