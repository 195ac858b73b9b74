/** Sources that the session brought or changed, read in both versions, and what of them is not as it was. */
import type { TreeChange, TreeStore } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import { readSources } from '../source/read-source.ts';
import type { Range, SourceReading } from '../source/source.ts';
import type { WrongUnits } from './wrongness.ts';

export interface ReadChange {
  path: string;
  mode: '100644' | '100755';
  after: string;
  before: string;
  reading: SourceReading;
  old: SourceReading | null;
}

export async function readChanges(platform: Platform, trees: TreeStore, changes: readonly TreeChange[]): Promise<ReadChange[]> {
  const texts = await Promise.all(
    changes.map(async (change) => ({
      path: change.path,
      mode: change.to!.mode === '100755' ? ('100755' as const) : ('100644' as const),
      after: (await trees.readBlob(change.to!.oid)).toString('utf8'),
      before: change.from === null || change.from.mode === '120000' ? '' : (await trees.readBlob(change.from.oid)).toString('utf8'),
    })),
  );
  const now = await readSources(
    platform,
    texts.map(({ path, after }) => ({ path, text: after })),
  );
  const old = await readSources(
    platform,
    texts.map(({ path, before }) => ({ path, text: before })),
  );
  return texts.flatMap((text, index) => {
    const reading = now[index] ?? null;
    return reading === null ? [] : [{ ...text, reading, old: old[index] ?? null }];
  });
}

/** What is not there in the same words before. */
export function changedUnits(after: string, reading: SourceReading, before: string, old: SourceReading | null): WrongUnits {
  const words = (text: string, ranges: readonly Range[]): Set<string> => new Set(ranges.map((one) => text.slice(one.start, one.end)));
  const isNew = <T extends Range>(ranges: readonly T[], known: ReadonlySet<string>): T[] =>
    ranges.filter((one) => !known.has(after.slice(one.start, one.end)));
  return {
    functions: isNew(reading.functions, words(before, old?.functions ?? [])),
    values: isNew(reading.values, words(before, old?.values ?? [])),
    classes: isNew(reading.madeClasses, words(before, old?.madeClasses ?? [])),
  };
}
