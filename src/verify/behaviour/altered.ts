/** What was there before and is altered: modules that the change touches, and names of functions that they offered already. */
import type { Case } from '../case.ts';
import { readChanges, type ReadChange } from '../checks/changed-code.ts';
import type { TestSide } from '../checks/test-side.ts';
import { languageOf } from '../source/source.ts';

export interface Altered {
  paths: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

export async function alteredFunctions({ platform, trees, judged }: Case, isOfTests: TestSide): Promise<Altered> {
  const changes = judged.changes.filter(
    ({ path, from, to }) => from !== null && to !== null && from.mode !== '120000' && languageOf(path) !== null && !isOfTests(path),
  );
  const read = (await readChanges(platform, trees, changes)).map((one) => ({ path: one.path, names: offeredBefore(one) }));
  const offering = read.filter(({ names }) => names.length > 0);
  return { paths: new Set(offering.map(({ path }) => path)), names: new Set(offering.flatMap(({ names }) => names)) };
}

/** Exported functions and classes of both versions. */
function offeredBefore({ reading, old }: ReadChange): string[] {
  if (old === null) return [];
  const rootsOf = (one: NonNullable<ReadChange['old']>): string[] =>
    [...one.functions, ...one.values].map(({ name }) => name.split('.')[0] ?? '').filter((name) => name !== '');
  const before = new Set([...rootsOf(old), 'default'].filter((name) => isOffered(old.exports, name)));
  return [...rootsOf(reading), 'default'].filter((name) => before.has(name) && isOffered(reading.exports, name));
}

/** What is handed on by another name may be any of them. */
function isOffered(exports: readonly string[], name: string): boolean {
  return exports.includes(name) || (name !== 'default' && exports.includes('default'));
}
