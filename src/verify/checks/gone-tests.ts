/** A test file that is gone: whether what it held stands in another one of the candidate. */
import type { TreeChange } from '../../domain/tree.ts';
import { titlesOf } from '../source/test-text.ts';
import { isTestFile } from './protected-paths.ts';

interface Texts extends TreeChange {
  before: string | null;
  after: string | null;
}

/** The same text stands in another test file. */
export function isSameElsewhere(change: TreeChange, changes: readonly TreeChange[]): boolean {
  return changes.some((one) => one.path !== change.path && isTestFile(one.path) && one.to !== null && one.to.oid === change.from?.oid);
}

/** Every title of it stands in another test file that was changed; what is asked there may be anything. */
export function hasTitlesElsewhere(change: Texts, changes: readonly Texts[]): boolean {
  const others = changes.filter((one) => one.after !== null && one.path !== change.path && isTestFile(one.path));
  const titles = titlesOf(change.before ?? '');
  const there = new Set(others.flatMap((one) => titlesOf(one.after ?? '')));
  return titles.length > 0 && titles.every((title) => there.has(title));
}
