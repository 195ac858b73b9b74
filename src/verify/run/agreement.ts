/**
 * What does not fit together about a run; empty: it can be believed.
 *
 * 1. A missing, short or unreadable report, a timeout and a signal are each a problem.
 * 2. Status 0 with a failure, and another status without one, contradict each other.
 * 3. A complete report without tests is no contradiction: whether tests had to be there is the judge's question.
 */
import { counted } from '../../domain/counted.ts';
import { holdsNoTest, isFailure } from '../../domain/test-results.ts';
import type { ParsedRun } from '../runners/runner.ts';

/** More than these are not compared one by one: the run is not believed, and its problem says why. */
export const MOST_TESTS = 200_000;

export const NEVER_ENDED = 'the run timed out and was stopped';

interface RunEnd {
  code: number | null;
  signal: string | null;
  timedOut: boolean;
  aborted: boolean;
}

export function findProblems(parsed: ParsedRun, end: RunEnd, most = MOST_TESTS): string[] {
  const problems = [...parsed.problems];
  if (parsed.tests.length > most)
    problems.unshift(
      `the test command reported ${parsed.tests.length} tests, more than the ${most} that can be compared: let testing.full run a part of them`,
    );
  if (end.timedOut) problems.unshift(NEVER_ENDED);
  else if (end.aborted) problems.unshift('the run was stopped from outside');
  else if (end.code === null) problems.unshift(`the runner was killed by ${end.signal ?? 'a signal'}`);
  const failed = parsed.tests.filter(isFailure);
  const endedEarly = failed.filter(holdsNoTest);
  if (end.code === 0 && failed.length > endedEarly.length) problems.push(`exit status 0, but ${counted(failed.length, 'test')} failed`);
  if (end.code !== null && end.code !== 0 && failed.length === 0 && parsed.tests.length > 0)
    problems.push(`exit status ${end.code}, but no test failed`);
  return problems;
}
