/**
 * A hidden test with other expected values: who passes both reads the test instead of doing what it asks.
 *
 * 1. Only literals that decide an exact comparison are changed, and only to plain literals of the same kind: the text tells nobody that it was
 *    changed.
 * 2. A test without such a literal has no twin.
 */
import { applyEdits, type Leaf, type SourceReading, type TextEdit } from '../source/source.ts';

export interface Twin {
  text: string;
  /** Literal parts of the titles of the tests that cannot pass now; null: a title is not known, so each test of the file counts. */
  titles: readonly string[] | null;
}

/** `offset` and `letter` are drawn for each run. */
export function twinOfTest(text: string, reading: SourceReading, { offset, letter }: { offset: number; letter: string }): Twin | null {
  const edits = new Map<number, TextEdit>();
  const titles: (string | null)[] = [];
  for (const test of reading.tests) {
    const leaves = test.assertions.flatMap((assertion) => [...assertion.leaves, ...assertion.bound]);
    const changed = leaves.flatMap((leaf) => otherLiteral(text, leaf, { offset, letter }) ?? []);
    if (changed.length === 0) continue;
    for (const edit of changed) edits.set(edit.at, edit);
    titles.push(test.title?.length === 1 ? (test.title[0] ?? null) : null);
  }
  if (edits.size === 0) return null;
  return { text: applyEdits(text, [...edits.values()]), titles: titles.every((title) => title !== null) ? titles : null };
}

function otherLiteral(text: string, leaf: Leaf, { offset, letter }: { offset: number; letter: string }): TextEdit | null {
  const value = text.slice(leaf.start, leaf.end);
  const edit = (written: string): TextEdit => ({ at: leaf.start, length: value.length, text: written });
  if (leaf.kind === 'number') {
    const sum = Number(value) + offset;
    return /^-?\d+(?:\.\d+)?$/.test(value) && Number.isFinite(sum) ? edit(String(Number(sum.toFixed(9)))) : null;
  }
  if (leaf.kind !== 'text') return null;
  const at = /^[rbfuRBFU]{0,2}(?:"""|'''|["'`])[^\\${}%]*?[A-Za-z]/.exec(value)?.[0].length;
  return at === undefined ? null : edit(`${value.slice(0, at)}${letter}${value.slice(at)}`);
}
