/** What an assertion compares, by which comparison: of node, of runners that hand it over, of chai, uvu, pytest and unittest. Pure. */
import type { Assertion, Range } from './source.ts';
import { groupOf, matched } from '../../domain/text-parts.ts';

/** `yes`: a truth that was none by accident before. */
export type Comparison = 'is' | 'loose' | 'deep' | 'like' | 'near' | 'truth' | 'yes';

/** null: an assertion of another kind. `text` is the whole file. */
export function partsOf(text: string, mask: string, isPython: boolean): (one: Assertion) => Parts | null {
  const strictness = strictnessOf(text);
  return (one) => (isPython ? (conditionIn(text, mask, one) ?? methodIn(text, mask, one)) : comparisonIn(text, mask, one, strictness));
}

export interface Parts {
  compares: Comparison;
  ranges: Range[];
  /** The condition has to be none. */
  isTurned?: true;
}

const METHODS: Readonly<Record<string, Omit<Parts, 'ranges'>>> = {
  assertEqual: { compares: 'like' },
  assertEquals: { compares: 'like' },
  assertListEqual: { compares: 'like' },
  assertTupleEqual: { compares: 'like' },
  assertDictEqual: { compares: 'like' },
  assertSetEqual: { compares: 'like' },
  assertMultiLineEqual: { compares: 'like' },
  assertTrue: { compares: 'truth' },
  assertFalse: { compares: 'truth', isTurned: true },
};

/** A method of a class of tests; what follows what it needs is a message. */
function methodIn(text: string, mask: string, { name, start, end }: Assertion): Parts | null {
  const [method, callee] = [METHODS[name], /^\w+\.\w+\s*\(/.exec(text.slice(start, end))];
  if (method === undefined || callee === null) return null;
  const ranges = splitAt(mask, { start: start + callee[0].length, end: text.lastIndexOf(')', end - 1) });
  const wanted = method.compares === 'truth' ? 1 : 2;
  return ranges.length < wanted ? null : { ...method, ranges: ranges.slice(0, wanted) };
}

/** `assert` in front of a condition; what follows a comma is a message. */
function conditionIn(text: string, mask: string, { name, start, end }: Assertion): Parts | null {
  const word = /^assert\b\s*/.exec(text.slice(start, end));
  if (name !== 'assert' || word === null) return null;
  const [condition] = splitAt(mask, { start: start + word[0].length, end });
  if (condition === undefined) return null;
  const sides = sidesOf(mask, condition);
  return sides === null ? { compares: 'truth', ranges: [condition] } : { compares: 'like', ranges: sides };
}

/** Both sides of an equality that is the whole condition. */
function sidesOf(mask: string, { start, end }: Range): Range[] | null {
  let depth = 0;
  let outer = '';
  for (let at = start; at < end; at += 1) {
    if ('([{'.includes(mask.charAt(at))) depth += 1;
    outer += depth === 0 ? mask.charAt(at) : ' ';
    if (')]}'.includes(mask.charAt(at))) depth -= 1;
  }
  const at = outer.indexOf('==');
  const others = `${outer.slice(0, Math.max(0, at))} ${outer.slice(at + 2)}`;
  if (at <= 0 || /[<>=!]|\b(?:and|or|not|in|is|if|lambda|await)\b/.test(others)) return null;
  return [
    { start, end: start + at },
    { start: start + at + 2, end },
  ];
}

const KINDS: Readonly<Record<string, Comparison>> = {
  strictEqual: 'is',
  toBe: 'is',
  deepStrictEqual: 'deep',
  toStrictEqual: 'like',
  toEqual: 'like',
  toBeCloseTo: 'near',
  toBeTruthy: 'truth',
  assert: 'truth',
};

/** Of tests that are handed what they assert with, and of libraries: what one takes for strict, another does not. */
const HANDED: Readonly<Record<string, Comparison>> = {
  equal: 'like',
  equals: 'like',
  is: 'like',
  strictEqual: 'like',
  strictEquals: 'like',
  deepEqual: 'like',
  deepEquals: 'like',
  same: 'like',
  strictSame: 'like',
  true: 'truth',
  truthy: 'truth',
  assert: 'truth',
};

/** What `equal` of the file's assertions means. */
type Strictness = 'strict' | 'loose' | 'deep';

function strictnessOf(text: string): Strictness {
  if (/['"]uvu\/assert['"]/.test(text)) return 'deep';
  return /assert\/strict|\bstrict as\b|\bassert\.strict\b/.test(text) ? 'strict' : 'loose';
}

const EQUAL: Readonly<Record<Strictness, Comparison>> = { strict: 'is', loose: 'loose', deep: 'like' };
const DEEP_EQUAL: Readonly<Record<Strictness, Comparison>> = { strict: 'deep', loose: 'like', deep: 'like' };

function comparisonIn(text: string, mask: string, one: Assertion, strictness: Strictness): Parts | null {
  const { name, start, end } = one;
  const words = text.slice(start, end);
  if (/^expect\s*\(/.test(words)) return expectationIn(text, mask, one);
  const word = name === 'assert' ? '(?:assert|ok|true|truthy)' : name.replaceAll('$', '');
  const callee = new RegExp(`^(?:([A-Za-z_$][\\w$]*)\\.)?${word}\\s*\\(`).exec(words);
  if (callee === null) return null;
  const isHanded = callee[1] !== undefined && callee[1] !== 'assert';
  const own = name === 'equal' ? EQUAL[strictness] : name === 'deepEqual' ? DEEP_EQUAL[strictness] : KINDS[name];
  const compares = isHanded || (strictness === 'deep' && name !== 'equal') ? HANDED[name] : own;
  if (compares === undefined) return null;
  const ranges = splitAt(mask, { start: start + callee[0].length, end: text.lastIndexOf(')', end - 1) });
  const wanted = compares === 'truth' ? 1 : 2;
  return ranges.length < wanted ? null : { compares, ranges: ranges.slice(0, wanted) };
}

/** Words of chai that only say how deep, or nothing. */
const CHAIN = /^\)((?:\s*\.\s*(?:to|be|been|is|that|which|and|has|have|with|at|of|same|still|also|deep))*)\s*\.\s*(\w+)\s*\(/;

/** `expect` with a matcher of the runner, or with an equality of chai behind a chain of words. */
function expectationIn(text: string, mask: string, { name, start, end }: Assertion): Parts | null {
  const from = start + matched(/^expect\s*\(/, text.slice(start, end)).length;
  const close = closing(mask, from);
  const matcher = CHAIN.exec(text.slice(close, end));
  if (matcher === null) return null;
  const own = matcher[1] === '' ? KINDS[name] : /^(?:equals?|eqls?|eq)$/.test(groupOf(matcher, 2)) ? 'like' : undefined;
  if (own === undefined) return null;
  const [left] = splitAt(mask, { start: from, end: close });
  const wanted = splitAt(mask, { start: close + matcher[0].length, end: text.lastIndexOf(')', end - 1) });
  if (own === 'truth') return left === undefined ? null : { compares: own, ranges: [left] };
  return left === undefined || wanted.length === 0 ? null : { compares: own, ranges: [left, ...wanted] };
}

/** Where the bracket closes in which a position lies. */
function closing(mask: string, from: number): number {
  let depth = 0;
  for (let at = from; at < mask.length; at += 1) {
    if ('([{'.includes(mask.charAt(at))) depth += 1;
    else if (')]}'.includes(mask.charAt(at)) && (depth -= 1) < 0) return at;
  }
  return mask.length;
}

/** Parts between commas that stand in no bracket. */
function splitAt(mask: string, { start, end }: Range): Range[] {
  const found: Range[] = [];
  let [from, depth] = [start, 0];
  for (let at = start; at < end; at += 1) {
    if ('([{'.includes(mask.charAt(at))) depth += 1;
    else if (')]}'.includes(mask.charAt(at))) depth -= 1;
    else if (mask[at] === ',' && depth === 0) {
      found.push({ start: from, end: at });
      from = at + 1;
    }
  }
  if (mask.slice(from, end).trim() !== '') found.push({ start: from, end });
  return found;
}
