/** A JavaScript test file with its tests in the opposite order, for runners that have no order but that of the text. */
import { applyEdits, type SourceReading, type SourceTest } from '../source/source.ts';
import { itemAt } from '../../domain/items.ts';
import { matched } from '../../domain/text-parts.ts';

type Movable = Pick<SourceTest, 'start' | 'end'> & { statement: NonNullable<SourceTest['statement']> };

/** Tests that are statements of their own change places with those of the same list and suite; the same text where there is nothing to change. */
export function reverseTests(text: string, reading: SourceReading): string {
  const groups = new Map<string, Movable[]>();
  for (const one of reading.tests) {
    const group = `${one.list} ${matched(/^[\w$]*/, text.slice(one.start))}`;
    const { statement, start, end } = one;
    if (statement !== null) groups.set(group, [...(groups.get(group) ?? []), { statement, start, end }]);
  }
  const holdsAnother = (one: Movable): boolean => reading.tests.some((other) => other.start > one.start && other.end <= one.end);
  const edits = [...groups.values()]
    .filter((tests) => !tests.some(holdsAnother))
    .flatMap((tests) =>
      tests.map(({ statement }, index) => {
        const other = itemAt(tests, tests.length - 1 - index).statement;
        return {
          at: statement.start,
          length: statement.end - statement.start,
          text: `;${text.slice(other.start, other.end)};`,
        };
      }),
    )
    .filter((edit) => edit.text !== `;${text.slice(edit.at, edit.at + edit.length)};`);
  return applyEdits(text, edits);
}
