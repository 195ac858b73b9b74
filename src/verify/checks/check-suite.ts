/** The suite on the judged tree: the run that the feature's tests and the accepted tests are read from. */
import type { Check } from '../check.ts';
import { runSuiteInParts } from '../run/suite-in-parts.ts';

import { testFilesOf } from '../../domain/test-files.ts';
import type { Case } from '../case.ts';
import { languageOf } from '../source/source.ts';
import { isTestFile, isTestPath } from './protected-paths.ts';
import { filesReachedFrom } from './reach.ts';
export const SUITE: Check = {
  id: 'suite',
  title: null,
  weight: 'reject',
  cost: 'trial',
  applies: ({ settings }) => settings.verification.regression_check,
  run: async (judged) => {
    const suite = await runSuiteInParts(judged.platform, judged, judged.judged.tree, await newTestFiles(judged));
    return { findings: [], detail: '', facts: { suite } };
  },
  doc: 'Runs the test suite of the candidate, existing tests apart from new ones.',
};

/** Test files that the session brought, and that nothing else needs: the suite can do without them. */
export async function newTestFiles(input: Case): Promise<string[]> {
  const { judged } = input;
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const own = testFilesOf(input.feature);
  const present = judged.changes.filter((change) => change.to !== null && change.to.mode !== '120000' && !replaced.has(change.path));
  const looksLikeOne = (path: string): boolean =>
    own.includes(path) || ((isTestFile(path) || isTestPath(path)) && languageOf(path) !== null);
  const added = present.filter((change) => change.from === null && looksLikeOne(change.path)).map((change) => change.path);
  const others = present.map((change) => change.path).filter((path) => !added.includes(path) && languageOf(path) !== null);
  const needed = new Set(others.length === 0 || added.length === 0 ? [] : await filesReachedFrom(input.trees, judged.tree, others));
  const files = added.filter((path) => !needed.has(path));
  return files.some((path) => own.includes(path) || isTestFile(path))
    ? files.filter((path) => own.includes(path) || isTestFile(path) || /^tests?\//.test(path))
    : [];
}
