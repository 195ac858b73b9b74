/**
 * Tests that a suite tells more than once because other files load theirs: `adds`, `adds #2`, `adds #3`. Their file has them once, and so do runs
 * of it alone. What its text has twice is two tests, and stays so.
 */
import type { TreeStore } from '../../domain/tree.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { readSource } from '../source/read-source.ts';
import { lastItem } from '../../domain/items.ts';

const AGAIN = / #\d+$/;

export async function withoutLoadedAgain(platform: Platform, trees: TreeStore, tree: string, ids: readonly string[]): Promise<string[]> {
  const all = new Set(ids);
  const copies = ids.filter((id) => AGAIN.test(id) && all.has(id.replace(AGAIN, '')));
  if (copies.length === 0) return [...ids];
  const once = new Set<string>();
  for (const path of new Set(copies.map(fileOf))) {
    const text = (await trees.read(tree, path))?.toString('utf8') ?? null;
    const tests = text === null ? [] : ((await readSource(platform, path, text))?.tests ?? []);
    for (const id of copies.filter((one) => fileOf(one) === path)) {
      const name = lastItem(
        id
          .slice(path.length + 2)
          .replace(AGAIN, '')
          .split(' > '),
      );
      const named = tests.filter(({ title, isTable }) => !isTable && title?.length === 1 && title[0] === name);
      if (named.length === 1) once.add(id);
    }
  }
  return ids.filter((id) => !once.has(id));
}
