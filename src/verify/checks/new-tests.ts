/** Test files that the session brought, and that nothing else needs: the suite can do without them. */
import { testFilesOf } from '../../domain/test-files.ts';
import type { Case } from '../case.ts';
import { languageOf } from '../source/source.ts';
import { isTestFile, isTestPath } from './protected-paths.ts';
import { filesReachedFrom } from './reach.ts';

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
