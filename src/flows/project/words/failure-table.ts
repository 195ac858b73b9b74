/**
 * What can go wrong, one row a failure: how it is noticed, what the harness does, what it is called, how the command ends, and the test
 * that makes it happen. The page docs/failures.md is made from this table.
 *
 * 1. `outcome` and `reason` are those of the session or run that the failure ends; null: the session goes on.
 * 2. The exit code is not written down but follows from them, as everywhere.
 */
import { CONTEXT, PROGRESS, PROVIDER } from './failures/agent.ts';
import type { Failure } from './failures/failure.ts';
import { ENVIRONMENT, GIT, GITHUB } from './failures/surroundings.ts';
import { VERIFICATION } from './failures/verification.ts';

export const CATEGORIES = ['Verification', 'Progress', 'Context', 'Environment', 'Provider', 'Git', 'GitHub'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface FailureRow extends Failure {
  category: Category;
}

const TABLE: Readonly<Record<Category, readonly Failure[]>> = {
  Verification: VERIFICATION,
  Progress: PROGRESS,
  Context: CONTEXT,
  Environment: ENVIRONMENT,
  Provider: PROVIDER,
  Git: GIT,
  GitHub: GITHUB,
};

export const FAILURES: readonly FailureRow[] = CATEGORIES.flatMap((category) => TABLE[category].map((row) => ({ category, ...row })));
