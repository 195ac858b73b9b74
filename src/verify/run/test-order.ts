/** A JavaScript test file with its tests in the opposite order, for runners that have no order but that of the text. */
import { applyEdits, maskSource } from '../source/mask.ts';
import { testCasesIn, type TestCase } from '../source/test-cases.ts';

/** Tests change places with those of the same group; the same text where there is nothing to change. */
export function reverseTests(text: string): string {
  const mask = maskSource(text, 'javascript');
  const groups = new Map<number, TestCase[]>();
  for (const one of testCasesIn(text, 'javascript', mask)) {
    const parent = enclosing(mask, one.start);
    groups.set(parent, [...(groups.get(parent) ?? []), one]);
  }
  const edits = [...groups.values()]
    .filter((cases) => !cases.some((one) => holdsAnother(one, groups)))
    .flatMap((cases) =>
      cases.map((one, index) => ({ at: one.start, length: one.end - one.start, text: pieceOf(text, cases[cases.length - 1 - index]!) })),
    );
  return applyEdits(text, edits);
}

function pieceOf(text: string, one: TestCase): string {
  return text.slice(one.start, one.end);
}

function holdsAnother(one: TestCase, groups: ReadonlyMap<number, readonly TestCase[]>): boolean {
  return [...groups.values()].flat().some((other) => other.start > one.start && other.end <= one.end);
}

/** Where the innermost open bracket stands; -1 at the top level. */
function enclosing(mask: string, position: number): number {
  const open: number[] = [];
  for (let at = 0; at < position; at += 1) {
    if ('([{'.includes(mask[at]!)) open.push(at);
    else if (')]}'.includes(mask[at]!)) open.pop();
  }
  return open.at(-1) ?? -1;
}
