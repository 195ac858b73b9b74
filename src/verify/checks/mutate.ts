/**
 * A test file whose tests must fail: what each test expects is changed.
 *
 * 1. A test has every value that its assertions expect changed; a test without such a value has its assertions turned into their
 *    opposites. An assertion that ran and held then cannot hold.
 *    Asked for, a test without any known assertion has the last literal of its plain calls changed: they may assert in their own way.
 * 2. Beside it stand copies of the test, each with one of the values changed and all others as they were: literals of the assertion, and those
 *    that it has by the name of a constant, of a loop's rows or of a table; or with one expected list in another order. Of too many some are
 *    chosen by chance.
 * 3. Only text inside single tests is touched. What is not understood is left alone.
 * 4. `titles` are the tests that must fail now; a title that stands for several tests is there only if all of them changed. Where a
 *    title is worked out only when the test runs, `untitled` says that the tests whose names stand nowhere were changed.
 * 5. A changed value must not tell that it was changed: who does not know the old one cannot tell the new one from it.
 */
import type { TestResult } from '../../domain/verdict.ts';
import { isNamed } from '../source/test-names.ts';
import {
  applyEdits,
  type Assertion,
  type ExpectedList,
  type Leaf,
  type SourceReading,
  type SourceTest,
  type TextEdit,
} from '../source/source.ts';
import { inOtherOrder, isOrdered } from './other-order.ts';
import { firstItem, itemAt } from '../../domain/items.ts';
import { matched } from '../../domain/text-parts.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface MutatedTests {
  text: string;
  titles: string[];
  /** How many tests were changed, those without a plain title included. */
  count: number;
  /** Plain titles of all tests of the file. */
  known: string[];
  untitled: boolean;
  copies: Copy[];
}

/** A copy of a test with one value or one order changed. */
export interface Copy {
  name: string;
  /** Of the test that it is a copy of. */
  title: string;
  assertion: Assertion;
  test: SourceTest;
  /** What is in another order; absent: a value is another. */
  list?: ExpectedList;
}

/** What other values are made with. */
export interface Difference {
  /** Letters that do not occur in the text. */
  word: string;
  /** Added to numbers. */
  offset: number;
}

interface Options {
  calls: boolean;
  /** Names for copies; absent: none are made. */
  names?: () => string;
  /** Which values get copies where there are too many; absent: the first ones. */
  dice?: (limit: number) => number;
  /** Copies in this file; default 160. */
  most?: number;
  /** Which assertions are copied at all; absent: every one. */
  isWanted?: (test: SourceTest, assertion: Assertion) => boolean;
}

const MOST_COPIES = 40;
const MOST_IN_FILE = 160;
const LEAST_IN_FILE = 16;
/** Characters of copies in one file. */
const MOST_TEXT = 400_000;

/** Files that are looked at together share what one has by itself, and each has a few. */
export function mostCopies(files: number): number {
  return Math.max(LEAST_IN_FILE, Math.floor(MOST_IN_FILE / files));
}

export function mutateTests(
  text: string,
  reading: SourceReading,
  difference: Difference,
  options: Options = { calls: false },
): MutatedTests {
  const cases = innermost(reading.tests);
  const edits = cases.map((one) => testEdits(text, one, { difference, isPython: reading.language === 'python', calls: options.calls }));
  const changed = cases.filter((_one, index) => itemAt(edits, index).length > 0);
  const unchanged = new Set(cases.filter((one) => !changed.includes(one)).map(plainTitle));
  const titles = changed.flatMap((one) => {
    const title = plainTitle(one);
    return title === null || unchanged.has(title) ? [] : [title];
  });
  const { copies, inserted } = copiesOf(text, reading, { cases, difference }, options);
  return {
    text: applyEdits(text, [...edits.flat(), ...inserted]),
    titles: [...new Set(titles)],
    count: changed.length,
    known: reading.tests.flatMap((one) => plainTitle(one) ?? []),
    untitled: changed.some((one) => plainTitle(one) === null) && !unchanged.has(null),
    copies,
  };
}

/** The file with the assertions of some copies thrown instead of asked: what passes then never came to its assertion. */
export function throwInCopies(text: string, reading: SourceReading, copies: readonly Copy[], word: string): string {
  const isPython = reading.language === 'python';
  const inserted = copies.map(({ test, name, assertion }): TextEdit => {
    const thrown = isPython
      ? assertion.name === 'assert'
        ? `raise RuntimeError('${word}')`
        : `(_ for _ in ()).throw(RuntimeError('${word}'))`
      : `(() => { throw new Error('${word}'); })()`;
    return copyAt(text, test, { name, edits: [{ at: assertion.start, length: assertion.end - assertion.start, text: thrown }], isPython });
  });
  return applyEdits(text, inserted);
}

/** Tests that hold no other test. */
function innermost(cases: readonly SourceTest[]): SourceTest[] {
  return cases.filter((one) => !cases.some((other) => other !== one && other.start > one.start && other.end <= one.end));
}

/** Whether every result of a copy passed, those of all its rows. */
export function isHeld(copy: Copy, tests: readonly TestResult[]): boolean {
  const own = tests.filter((test) => isNamed(test.name, copy.name));
  return own.length > 0 && own.every((test) => test.status === 'passed');
}

export function plainTitle(one: SourceTest): string | null {
  return one.title === null || one.title.length !== 1 || (one.isTable && one.titleRange === null) ? null : firstItem(one.title);
}

function testEdits(
  text: string,
  one: SourceTest,
  { difference, isPython, calls }: { difference: Difference; isPython: boolean; calls: boolean },
): TextEdit[] {
  const leaves = one.assertions.flatMap((assertion) => assertion.leaves.map((leaf) => ({ leaf, assertion })));
  if (leaves.length > 0)
    return distinct(leaves.map(({ leaf, assertion }) => changeLeaf(text, leaf, differenceIn(text, assertion, leaf, difference), isPython)));
  const turned = distinct(one.assertions.flatMap((assertion) => assertion.opposite));
  if (turned.length > 0 || !calls || one.assertions.length > 0) return turned;
  return distinct(
    one.calls.map((leaf) => changeLeaf(text, leaf, leaf.kind === 'number' ? { ...difference, offset: 1 } : difference, isPython)),
  );
}

function copiesOf(
  text: string,
  reading: SourceReading,
  { cases, difference }: { cases: readonly SourceTest[]; difference: Difference },
  { names, dice, most = MOST_IN_FILE, isWanted = () => true }: Options,
): { copies: Copy[]; inserted: TextEdit[] } {
  const copies: Copy[] = [];
  const inserted: TextEdit[] = [];
  const isPython = reading.language === 'python';
  const wanted = (names === undefined ? [] : cases).flatMap((test) =>
    some(
      copyable(test, text).filter(({ assertion }) => isWanted(test, assertion)),
      MOST_COPIES,
      dice,
    ),
  );
  let left = MOST_TEXT;
  for (const { test, leaf, list, assertion } of inOrder(wanted, some(wanted, most, dice))) {
    const statement = mustHave(test.statement, 'only tests that are statements are copied');
    left -= statement.end - statement.start;
    if (left < 0) break;
    const name = names!();
    copies.push({ name, title: test.title!.join('…'), assertion, test, ...(list === undefined ? {} : { list }) });
    const edit =
      list === undefined
        ? changeLeaf(text, leaf, differenceIn(text, assertion, leaf, difference), isPython)
        : inOtherOrder(text, list, dice);
    inserted.push(copyAt(text, test, { name, edits: [throughName(text, (list ?? leaf).through, edit)], isPython }));
  }
  return { copies, inserted };
}

type Value = { test: SourceTest; assertion: Assertion } & ({ leaf: Leaf; list?: undefined } | { leaf?: undefined; list: ExpectedList });

/** Values of a test, and lists, that a copy can have changed by itself. */
function copyable(test: SourceTest, text: string): Value[] {
  const leaves = test.assertions.flatMap((assertion) => [
    ...valuesOf(test, assertion).map((leaf) => ({ test, leaf, assertion })),
    ...assertion.lists.filter((list) => isOrdered(text, list)).map((list) => ({ test, list, assertion })),
  ]);
  const isAlone = leaves.length < 2 && leaves.every(({ assertion }) => assertion.bound.length === 0);
  return isAlone || test.statement === null || test.copyRange === null || test.title === null ? [] : leaves;
}

function inOrder<T>(all: readonly T[], chosen: readonly T[]): T[] {
  const taken = new Set(chosen);
  return all.filter((one) => taken.has(one));
}

/** In a table only what its rows expect: every row has the rest. */
function valuesOf(test: SourceTest, { leaves, bound }: Assertion): Leaf[] {
  return test.isTable ? bound : [...leaves, ...bound];
}

/** Chosen at random where there are more. */
function some<T>(values: readonly T[], most: number, dice: Options['dice']): T[] {
  if (values.length <= most || dice === undefined) return values.slice(0, Math.max(most, 0));
  const left = [...values];
  return Array.from({ length: Math.max(most, 0) }, () => firstItem(left.splice(dice(left.length), 1)));
}

/** What is changed outside of the test: what it lies in stands in the place of its name. */
function throughName(text: string, through: Leaf['through'], edit: TextEdit): TextEdit {
  if (through === undefined) return edit;
  const { name, value } = through;
  const changed = applyEdits(text.slice(value.start, value.end), [{ ...edit, at: edit.at - value.start }]);
  return { at: name.start, length: name.end - name.start, text: `(${changed})` };
}

/** The copy of a test, to be put in behind it. */
function copyAt(
  text: string,
  test: SourceTest,
  { name, edits, isPython }: { name: string; edits: readonly TextEdit[]; isPython: boolean },
): TextEdit {
  const { start, end } = mustHave(test.statement, 'only tests that are statements are copied');
  const range = mustHave(test.copyRange, 'only tests with a plain title are copied');
  const named = { at: range.start, length: range.end - range.start, text: isPython ? name : JSON.stringify(name) };
  const moved = [...edits, named].map((edit) => ({ ...edit, at: edit.at - start }));
  const copy = applyEdits(text.slice(start, end), moved);
  const indent = matched(/[ \t]*$/, text.slice(text.lastIndexOf('\n', start - 1) + 1, start));
  return { at: end, length: 0, text: isPython ? `\n\n${indent}${copy}\n` : `;\n${copy};\n` };
}

const LOOSE = /approx|almost|close|within|delta|epsilon|tolerance|precision|contain|include|\b(?:in|some|any|oneOf)\b/i;

/** Where nothing but the value itself will do, the next one is wrong already. */
function differenceIn(text: string, { start, end }: Assertion, { kind }: Leaf, difference: Difference): Difference {
  return kind !== 'number' || LOOSE.test(text.slice(start, end)) ? difference : { ...difference, offset: 1 };
}

/** Another value in the place of a literal. */
function changeLeaf(text: string, leaf: Leaf, { word, offset }: Difference, isPython: boolean): TextEdit {
  const value = text.slice(leaf.start, leaf.end);
  const whole = (replacement: string): TextEdit => ({ at: leaf.start, length: value.length, text: replacement });
  switch (leaf.kind) {
    case 'number':
      return whole(value.endsWith('n') ? `(${value} + ${offset}n)` : `(${value} + ${offset})`);
    case 'truth':
      return whole(
        /^[tT]/.test(value)
          ? value.replace(/^t.*/, 'false').replace(/^T.*/, 'False')
          : value.replace(/^f.*/, 'true').replace(/^F.*/, 'True'),
      );
    case 'nothing':
      return whole(`'${word}'`);
    case 'pattern':
      return { at: leaf.start + 1, length: 0, text: word };
    case 'list':
      return { at: leaf.start + 1, length: 0, text: `'${word}'` };
    case 'record':
      return { at: leaf.start + 1, length: 0, text: isPython ? `'${word}': 1` : `${word}: 1` };
    case 'text':
      return insideText(value, leaf.start, { word, offset });
  }
}

/** After the first letter or digit that is no part of an escape or a placeholder, and of its kind: beginning and end stay what they were. */
function insideText(value: string, start: number, { word, offset }: Difference): TextEdit {
  const quote = matched(/^[rbfuRBFU]{0,2}("""|'''|["'`])/, value);
  const open = quote.length;
  const close = value.length - (quote.endsWith('"""') || quote.endsWith("'''") ? 3 : 1);
  const content = value.slice(open, close);
  const before = /^[^\\${}%]*?[A-Za-z0-9]/.exec(content);
  const added = /[a-z]/.test(content) ? word : /[A-Z]/.test(content) ? word.toUpperCase() : /\d/.test(content) ? String(offset) : word;
  return { at: start + open + (before === null ? content.length : before[0].length), length: 0, text: added };
}

function distinct(edits: readonly TextEdit[]): TextEdit[] {
  return edits.filter((edit, index) => edits.findIndex((other) => other.at === edit.at && other.length === edit.length) === index);
}
