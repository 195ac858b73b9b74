/**
 * New files that stand in the way of what tests import: an import without an ending finds them first.
 *
 * `./check` is a file of just that name before it is `check.js`, and `check.js` before it is `check/index.js`.
 */
import { posix } from 'node:path';
import type { TreeChange } from '../../domain/tree.ts';
import type { JudgeInput } from '../contract.ts';
import { isTestFile, isTestPath } from './protected-paths.ts';

const CODE = /\.[cm]?[jt]sx?$/;
const MOST_FILES = 500;

/** Those among the added files by which an import of a trusted test, or of a helper of one, may now lead elsewhere. */
export async function findShadows(
  input: Pick<JudgeInput, 'trees' | 'base'>,
  changes: readonly TreeChange[],
  paths: ReadonlySet<string>,
): Promise<Set<string>> {
  const helpers = [...paths].filter((path) => CODE.test(path) && isTestPath(path));
  const known = new Set(helpers.map(stemOf));
  const added = changes.filter((change) => change.from === null && couldShadow(change.path) && known.has(stemOf(change.path)));
  if (added.length === 0) return new Set();
  const imported = new Set<string>();
  for (const file of helpers.slice(0, MOST_FILES)) {
    const text = (await input.trees.read(input.base.tree, file))?.toString('utf8') ?? '';
    for (const [, , literal = ''] of text.matchAll(/(['"`])(\.{1,2}(?:\/[^'"`\n]*)?)\1/g))
      imported.add(posix.join(posix.dirname(file), literal));
  }
  return new Set(added.map((change) => change.path).filter((path) => imported.has(stemOf(path))));
}

function couldShadow(path: string): boolean {
  return isTestPath(path) && !isTestFile(path) && (CODE.test(path) || !posix.basename(path).includes('.'));
}

function stemOf(path: string): string {
  return path.replace(CODE, '').replace(/\/index$/, '');
}
