/**
 * What can go wrong, one row a failure in `words/failures.json`: how it is noticed, what the harness does, what it is called, how the command
 * ends, and the test that makes it happen. The page docs/failures.md is made from it.
 *
 * 1. `outcome` and `reason` are those of the session or run that the failure ends; null: the session goes on.
 * 2. The exit code is not written down but follows from them, as everywhere.
 */
import failures from '../../../../words/failures.json' with { type: 'json' };
import type { Outcome, Reason } from '../../../domain/reasons.ts';

export interface Failure {
  category: string;
  failure: string;
  detection: string;
  response: string;
  ends: { outcome: Outcome; reason: Reason } | null;
  /** File and title of a test that provokes it for real. */
  shown: { file: string; test: string };
}

export const FAILURES = failures as readonly Failure[];
