/**
 * Copies of a file's tests, each with one expected value changed: a copy that passes shows that its value decides nothing.
 *
 * 1. In tables and nested values every literal is a value of its own, whatever stands beside it.
 * 2. Only tests with a plain title are copied, to the place right behind them and under another name.
 */
import { applyEdits, endOfBracket, languageOf, maskSource, type Language, type TextEdit } from '../source/mask.ts';
import {
  argumentsOf,
  chainBefore,
  changeLiteral,
  EXPECTED_LAST,
  innermost,
  MATCHER,
  pythonAsserts,
  skipSpace,
  type Difference,
} from './mutate.ts';
import { testCasesIn, type TestCase } from '../source/test-cases.ts';

export interface LeafCopies {
  text: string;
  /** By the name of the copy: the title of its test and the value that was changed. */
  copies: Map<string, { title: string; value: string }>;
}

const MOST_COPIES = 200;
const MOST_OF_ONE = 40;

export function copyWithLeaves(text: string, path: string, difference: Difference, names: () => string): LeafCopies | null {
  const language = languageOf(path);
  if (language === null) return null;
  const mask = maskSource(text, language);
  const copies: LeafCopies['copies'] = new Map();
  const inserted: TextEdit[] = [];
  for (const one of innermost(testCasesIn(text, language, mask))) {
    const places = one.title === null ? [] : expectedPlaces(mask, one, language);
    const leaves = places.flatMap((at) => leavesAt(text, mask, at, language, difference)).slice(0, MOST_OF_ONE);
    for (const leaf of leaves.length < 2 ? [] : leaves) {
      if (copies.size === MOST_COPIES) break;
      const name = names();
      copies.set(name, { title: one.title!, value: text.slice(leaf.at, leaf.at + Math.max(leaf.length, 1)) });
      inserted.push({ at: one.end, length: 0, text: copyOf(text, one, leaf, name, language) });
    }
  }
  return copies.size === 0 ? null : { text: applyEdits(text, inserted), copies };
}

function copyOf(text: string, one: TestCase, leaf: TextEdit, name: string, language: Language): string {
  const body = applyEdits(text.slice(one.body, one.end), [{ ...leaf, at: leaf.at - one.body }]);
  const head = text.slice(one.start, one.body);
  if (language === 'javascript') return `;\n${head.slice(0, head.indexOf('(') + 1)}${JSON.stringify(name)}${body};\n`;
  const indent = /[ \t]*$/.exec(text.slice(0, one.start))![0];
  return `\n${indent}${head.replace(/def[ \t]+\w+/, `def ${name}`)}${body.trimEnd()}\n\n`;
}

/** Where assertions of the test name what they expect. */
function expectedPlaces(mask: string, one: TestCase, language: Language): number[] {
  const inside = (pattern: RegExp): RegExpExecArray[] => [...mask.slice(one.body, one.end).matchAll(pattern)];
  if (language === 'python') {
    const compared = pythonAsserts(mask, one).flatMap(({ at, end }) =>
      /^not\b/.test(mask.slice(at, end)) ? [] : comparedIn(mask, at, end),
    );
    const called = inside(/\.assert(?:List|Dict|Tuple|Set|Sequence|MultiLine|Count)?Equals?\s*\(/g);
    return [...compared, ...called.flatMap((match) => argumentsOf(mask, one.body + match.index + match[0].length - 1)[1] ?? [])];
  }
  const matched = inside(MATCHER).flatMap((match) => {
    const at = one.body + match.index;
    const chain = chainBefore(mask, at);
    return chain === null || /\.not\b/.test(chain) ? [] : skipSpace(mask, at + match[0].length);
  });
  const called = inside(EXPECTED_LAST).flatMap((match) => {
    const open = one.body + match.index + match[0].length - 1;
    return chainBefore(mask, open - match[0].trimStart().length) === null ? (argumentsOf(mask, open)[1] ?? []) : [];
  });
  return [...new Set([...matched, ...called])];
}

/** What stands behind `==`, outside of brackets. */
function comparedIn(mask: string, from: number, end: number): number[] {
  const places: number[] = [];
  for (let at = from; at < end; at += 1) {
    if ('([{'.includes(mask[at]!)) at = endOfBracket(mask, at) - 1;
    else if (mask.startsWith('==', at)) places.push(skipSpace(mask, (at += 1) + 1));
  }
  return places;
}

/** A change for the literal at a place, or one for each literal inside the table that begins there. */
function leavesAt(text: string, mask: string, from: number, language: Language, difference: Difference): TextEdit[] {
  const edits: TextEdit[] = [];
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined && edits.length < MOST_OF_ONE; at = waiting.pop()) {
    const char = mask[at] ?? '';
    if (char === '[' || char === '{' || (char === '(' && language === 'python')) waiting.push(...valuesIn(mask, at).toReversed());
    else edits.push(...[changeLiteral(text, mask, at, language, difference)].filter((edit) => edit !== null));
  }
  return edits;
}

/** Where the values of the table at `open` begin; keys are none. */
function valuesIn(mask: string, open: number): number[] {
  const end = endOfBracket(mask, open) - 1;
  const starts: { at: number; isKey: boolean }[] = [{ at: skipSpace(mask, open + 1), isKey: false }];
  for (let at = open + 1; at < end; at += 1) {
    if ('([{'.includes(mask[at]!)) at = endOfBracket(mask, at) - 1;
    else if (mask[at] === ',') starts.push({ at: skipSpace(mask, at + 1), isKey: false });
    else if (mask[at] === ':' && mask[open] === '{') {
      starts.at(-1)!.isKey = true;
      starts.push({ at: skipSpace(mask, at + 1), isKey: false });
    }
  }
  return starts.filter((one) => !one.isKey && one.at < end).map((one) => one.at);
}
