/**
 * Changed sources with their functions and values as they were before the session, and everything new in place.
 *
 * 1. A function gets its earlier words by its name. What stands inside of it without a name of its own goes with it.
 * 2. A member that is gone from a class that is still there comes back: taking it away was the change.
 * 3. Earlier words may need what the module no longer has (helpers, imports): that comes back too. Where it cannot, the file is left as it is,
 *    for a test that fell there would only have missed a name.
 */
import type { TreeChange, TreeStore } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import { readSource } from '../source/read-source.ts';
import { applyEdits, type Range, type SourceFunction, type SourceReading, type TextEdit } from '../source/source.ts';
import { changedUnits, readChanges, type ReadChange } from './changed-code.ts';
import type { MadeWrong } from './wrongness.ts';

type Named = Range & { name: string };

export async function setBack(platform: Platform, trees: TreeStore, changes: readonly TreeChange[]): Promise<MadeWrong> {
  const made: MadeWrong = { edits: [], count: 0 };
  for (const change of await readChanges(platform, trees, changes)) {
    if (change.old === null) continue;
    const edits = earlierEdits(change, change.old);
    const content = edits.length === 0 ? null : await withWhatItNeeds(platform, change, change.old, edits);
    if (content === null) continue;
    made.count += edits.length;
    made.edits.push({ path: change.path, kind: 'write', content, mode: change.mode });
  }
  return made;
}

function earlierEdits({ after, before, reading, old: then }: ReadChange, old: SourceReading): TextEdit[] {
  const units = changedUnits(after, reading, before, then);
  const edits = [
    ...earlierWords(before, outermost(units.functions), outermost(reading.functions), outermost(old.functions)),
    ...earlierWords(before, units.values, reading.values, old.values),
    ...goneMembers(after, before, reading, old),
  ];
  return edits.filter((edit) => !edits.some((other) => other !== edit && isWithin(edit, other)));
}

function earlierWords(before: string, changed: readonly Named[], now: readonly Named[], then: readonly Named[]): TextEdit[] {
  return changed.flatMap((one): TextEdit[] => {
    const [only, ...others] = then.filter(({ name }) => name === one.name);
    if (only === undefined || others.length > 0 || now.filter(({ name }) => name === one.name).length > 1) return [];
    return [{ at: one.start, length: one.end - one.start, text: before.slice(only.start, only.end) }];
  });
}

/** Without those that have their name from one that they stand in. */
function outermost(functions: readonly SourceFunction[]): SourceFunction[] {
  return functions.filter(
    (one) => !functions.some((other) => other !== one && other.name === one.name && other.start <= one.start && other.end >= one.end),
  );
}

/** Put in behind the first member that the class has now. */
function goneMembers(after: string, before: string, reading: SourceReading, old: SourceReading): TextEdit[] {
  const known = new Set(reading.functions.map((one) => one.name));
  return old.functions.flatMap((one): TextEdit[] => {
    const place = reading.functions.find((other) => other.isMember && classOf(other) === classOf(one));
    if (!one.isMember || known.has(one.name) || place === undefined) return [];
    const indent = after.slice(after.lastIndexOf('\n', place.start - 1) + 1, place.start);
    return [{ at: place.end, length: 0, text: `\n${/^\s*$/.test(indent) ? indent : ''}${before.slice(one.start, one.end)}` }];
  });
}

function classOf({ name }: SourceFunction): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** The text with earlier words in it, and with those statements of the earlier module whose names they miss; null where some name stays unknown. */
async function withWhatItNeeds(
  platform: Platform,
  { path, after, before, reading }: ReadChange,
  old: SourceReading,
  edits: readonly TextEdit[],
): Promise<string | null> {
  const free = new Set([...reading.globals, ...old.globals]);
  const brought = new Set<Range>();
  for (;;) {
    const imports = [...brought].filter((one) => old.imports.some((other) => other.start >= one.start && other.end <= one.end));
    const rest = [...brought].filter((one) => !imports.includes(one));
    const words = (ranges: readonly Range[]): string => ranges.map((one) => `\n${before.slice(one.start, one.end)}\n`).join('');
    const text = applyEdits(after, [...edits, { at: reading.afterImports, length: 0, text: words(imports) }]) + words(rest);
    const made = await readSource(platform, path, text);
    if (made === null) return null;
    const missing = made.globals.filter((name) => !free.has(name));
    if (missing.length === 0) return text;
    const needed = old.statements.filter((one) => !brought.has(one) && one.names.some((name) => missing.includes(name)));
    if (needed.length === 0) return null;
    for (const one of needed) brought.add(one);
  }
}

function isWithin(edit: TextEdit, other: TextEdit): boolean {
  return edit.length > 0 && edit.at >= other.at && edit.at + edit.length <= other.at + other.length;
}
