/** What a session asks may stand in a helper that tests of other files use: those of them that fail on the code from before it with the helper as it is now. */
import { isFailure } from '../../domain/test-results.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { runSuite } from '../run/suite.ts';
import { testsRelyingOn } from './check-helpers.ts';

export async function redByHelpers(input: Case): Promise<string[]> {
  const {
    platform,
    judged: { helpers, changes },
  } = input;
  const known = new Set(input.baseline?.passing_tests ?? []);
  const files = helpers.length === 0 ? [] : await testsRelyingOn(input, helpers, new Set([...known].map(fileOf)));
  if (files.length === 0) return [];
  const now = changes.flatMap((change): TreeEdit[] =>
    helpers.includes(change.path) && change.to !== null ? [{ path: change.path, kind: 'entry', entry: change.to }] : [],
  );
  const tree = await input.trees.compose(input.base.tree, now);
  const run = await runSuite(platform, { ...input, tree, files, room: 'base', purpose: 'red', mixed: true });
  return run.tests.filter((test) => isFailure(test) && known.has(test.id) && test.failure !== 'import').map((test) => test.id);
}
