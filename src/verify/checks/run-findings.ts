/** What is wrong with a run as a whole. */
import type { Finding, TestRun } from '../../domain/verdict.ts';
import { STEP_FAILED } from '../run/execute.ts';
import { make } from './again.ts';
import { firstItem } from '../../domain/items.ts';

/** A status that no test explains may be older than the session: a question. */
export function runFindings(check: Finding['check'], run: TestRun): Finding[] {
  if (run.consistent) return [];
  if (run.timed_out) return [make(check, 'test.timeout', 'reject', 'the tests timed out', run.problems)];
  if (run.command.length === 0) return [make(check, 'test.none_ran', 'ask', 'the tests could not be started', run.problems)];
  const onlyStatus = run.problems.length === 1 && /^exit status \d+, but no test failed$/.test(firstItem(run.problems));
  if (onlyStatus) return [make(check, 'test.failed', 'ask', 'every test passed, but the test command failed', run.problems)];
  if (run.problems[0]?.startsWith(STEP_FAILED) === true) return [make(check, 'test.failed', 'reject', run.problems[0], [])];
  return [make(check, 'test.failed', 'reject', 'the test report is incomplete or contradicts the exit status', run.problems)];
}
