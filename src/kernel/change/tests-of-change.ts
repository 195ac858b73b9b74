/** The test files that show what a change does: those with a test that the base does not have, word for word. */
import { matchesGlob } from '../../domain/glob.ts';
import type { TreeChange, TreeStore } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import { isTestFile, isTestPath } from '../../verify/checks/protected-paths.ts';
import { readSources } from '../../verify/source/read-source.ts';
import { languageOf } from '../../verify/source/source.ts';

/** `glob`: what the user calls tests; null: told by path and text. */
export async function testsOfChange(
  platform: Platform,
  trees: TreeStore,
  changes: readonly TreeChange[],
  glob: string | null,
): Promise<string[]> {
  const present = changes.filter(({ to }) => to !== null && to.mode !== '120000' && to.mode !== '160000');
  if (glob !== null) return present.map(({ path }) => path).filter((path) => matchesGlob(path, glob));
  const isTest = (path: string): boolean => isTestFile(path) || isTestPath(path);
  const known = new Set(await testsIn(platform, trees, changes, 'from').then((all) => all.flatMap(({ tests }) => tests)));
  const now = await testsIn(platform, trees, present, 'to');
  const shown = now.filter(({ path, tests }) => isTest(path) && tests.some((text) => !known.has(text))).map(({ path }) => path);
  const unread = present.filter(({ path }) => isTestFile(path) && languageOf(path) === null).map(({ path }) => path);
  return [...shown, ...unread].toSorted();
}

const LARGEST_TEXT = 1_000_000;

async function testsIn(
  platform: Platform,
  trees: TreeStore,
  changes: readonly TreeChange[],
  side: 'from' | 'to',
): Promise<{ path: string; tests: string[] }[]> {
  const sources = changes.flatMap((change) => {
    const entry = change[side];
    return entry === null || languageOf(change.path) === null ? [] : [{ path: change.path, oid: entry.oid }];
  });
  const read = await Promise.all(
    sources.map(async ({ path, oid }) => ({ path, text: (await trees.readBlob(oid)).toString('utf8').slice(0, LARGEST_TEXT) })),
  );
  const readings = await readSources(platform, read);
  return read.map(({ path, text }, index) => ({
    path,
    tests: (readings[index]?.tests ?? []).map(({ start, end }) => text.slice(start, end).replace(/\s+/g, ' ')),
  }));
}
