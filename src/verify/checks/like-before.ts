/** What did not pass before the session either. */
import { isFailure } from '../../domain/test-results.ts';
import { fileOf, type TestResult } from '../../domain/verdict.ts';
import type { OpenCase } from '../case.ts';
import { runSuite } from '../run/suite.ts';
import { bodiesOf } from './moves.ts';

export interface LikeBefore {
  /** Failed before, and say what they said. */
  failed: ReadonlySet<string>;
  /** Were skipped, put off or expected to fail before. */
  left: ReadonlySet<string>;
}

/** Tests that did not pass on the code from before the session either, in files that had tests which passed. */
export async function likeBefore(input: OpenCase, tree: string, tests: readonly TestResult[]): Promise<LikeBefore> {
  const { platform } = input;
  const known = new Set(input.baseline?.passing_tests ?? []);
  const files = new Set([...known].map(fileOf));
  const apart = tests.filter((test) => test.status !== 'passed' && !known.has(test.id) && files.has(test.file));
  if (apart.length === 0) return { failed: new Set(), left: new Set() };
  const asked = [...new Set(apart.map((test) => test.file))];
  const run = await runSuite(platform, { ...input, tree: input.base.tree, files: asked, room: 'base', purpose: 'feature' });
  const then = new Map(run.tests.map((test) => [test.id, test.status]));
  const same = apart.filter((test) => then.get(test.id) === test.status);
  const failed = same.filter(isFailure).map((test) => test.id);
  const bodies = failed.length === 0 ? new Map<string, string>() : await bodiesOf(platform, input.trees, input.base.tree, failed);
  const now = failed.length === 0 ? bodies : await bodiesOf(platform, input.trees, tree, failed);
  return {
    failed: new Set(failed.filter((id) => bodies.has(id) && bodies.get(id) === now.get(id))),
    left: new Set(same.filter((test) => !isFailure(test) && test.status !== 'retried').map((test) => test.id)),
  };
}
