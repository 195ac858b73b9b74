/** A JavaScript test file with its tests in the opposite order, for runners that have no order but that of the text. */
import { applyEdits, type SourceReading, type SourceTest } from '../source/source.ts';

/** Tests that are statements of their own change places with those of the same list and suite; the same text where there is nothing to change. */
export function reverseTests(text: string, reading: SourceReading): string {
  const groups = new Map<string, SourceTest[]>();
  for (const one of reading.tests) {
    const group = `${one.list} ${/^[\w$]*/.exec(text.slice(one.start))![0]}`;
    if (one.statement !== null) groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  const holdsAnother = (one: SourceTest): boolean => reading.tests.some((other) => other.start > one.start && other.end <= one.end);
  const edits = [...groups.values()]
    .filter((tests) => !tests.some(holdsAnother))
    .flatMap((tests) =>
      tests.map((one, index) => {
        const other = tests[tests.length - 1 - index]!.statement!;
        return {
          at: one.statement!.start,
          length: one.statement!.end - one.statement!.start,
          text: `;${text.slice(other.start, other.end)};`,
        };
      }),
    )
    .filter((edit) => edit.text !== `;${text.slice(edit.at, edit.at + edit.length)};`);
  return applyEdits(text, edits);
}
