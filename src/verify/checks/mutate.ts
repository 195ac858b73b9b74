/**
 * A test file whose tests must fail: what each test expects is changed in the text.
 *
 * 1. Where an assertion names the expected value as a literal, the literal is changed; a test without such a literal has its
 *    assertions turned into their opposites. An assertion that ran and held then cannot hold.
 *    Asked for, a test without any known assertion has the last literal of its plain calls changed: they may assert in their own way.
 * 2. Only text inside single tests is touched. What is not understood is left alone.
 * 3. `titles` are the tests that must fail now; a title that stands for several tests is there only if all of them changed. Where a
 *    title is worked out only when the test runs, `untitled` says that the tests whose names stand nowhere were changed.
 * 4. A changed value must not tell that it was changed: who does not know the old one cannot tell the new one from it.
 */
import { applyEdits, endOfBracket, languageOf, maskSource, type Language, type TextEdit } from '../source/mask.ts';
import { testCasesIn, type TestCase } from '../source/test-cases.ts';

export interface MutatedTests {
  text: string;
  titles: string[];
  /** How many tests were changed, those without a plain title included. */
  count: number;
  /** Plain titles of all tests of the file. */
  known: string[];
  untitled: boolean;
}

/** What other values are made with. */
export interface Difference {
  /** Letters that do not occur in the text. */
  word: string;
  /** Added to numbers. */
  offset: number;
}

export function mutateTests(
  text: string,
  path: string,
  difference: Difference,
  options: { calls: boolean } = { calls: false },
): MutatedTests | null {
  const language = languageOf(path);
  if (language === null) return null;
  const mask = maskSource(text, language);
  const all = testCasesIn(text, language, mask);
  const cases = innermost(all);
  const edits = cases.map((one) => {
    const known = language === 'python' ? pythonEdits(text, mask, one, difference) : javascriptEdits(text, mask, one, difference);
    return known.length > 0 || !options.calls ? known : callEdits(text, mask, one, language, difference);
  });
  const changed = cases.filter((_one, index) => edits[index]!.length > 0);
  const unchanged = new Set(cases.filter((_one, index) => edits[index]!.length === 0).map((one) => one.title));
  const titles = changed.flatMap((one) => (one.title === null || unchanged.has(one.title) ? [] : [one.title]));
  return {
    text: applyEdits(text, edits.flat()),
    titles: [...new Set(titles)],
    count: changed.length,
    known: all.flatMap((one) => one.title ?? []),
    untitled: changed.some((one) => one.title === null) && !unchanged.has(null),
  };
}

/** Tests that hold no other test. */
export function innermost(cases: readonly TestCase[]): TestCase[] {
  const ordered = cases.toSorted((a, b) => a.start - b.start);
  return ordered.filter((one, index) => (ordered[index + 1]?.end ?? Number.POSITIVE_INFINITY) > one.end);
}

const EQUALITY = '(?:deep)?(?:[sS]trict)?[eE]qual|partialDeepStrictEqual|deepStrictEqual|deepEqual';
export const EXPECTED_LAST = new RegExp(`(?:^|[^\\w$])(?:\\w+\\.)?(?:${EQUALITY})\\s*\\(`, 'g');
export const MATCHER =
  /\.(toBe|toEqual|toStrictEqual|toMatchObject|toHaveLength|toContain|toContainEqual|toHaveBeenCalledTimes|toThrow|toThrowError|equal|equals|eql|lengthOf)\s*\(/g;

function javascriptEdits(text: string, mask: string, one: TestCase, difference: Difference): TextEdit[] {
  const inside = (pattern: RegExp): RegExpExecArray[] => [...mask.slice(one.body, one.end).matchAll(pattern)];
  const edits: TextEdit[] = [];
  for (const match of inside(MATCHER)) {
    const at = one.body + match.index;
    const chain = chainBefore(mask, at);
    if (chain === null || /\.not\b/.test(chain)) continue;
    const edit = changeLiteral(text, mask, skipSpace(mask, at + match[0].length), 'javascript', difference);
    if (edit !== null) edits.push(edit);
  }
  for (const match of inside(EXPECTED_LAST)) {
    const open = one.body + match.index + match[0].length - 1;
    if (chainBefore(mask, open - match[0].trimStart().length) !== null) continue;
    const edit = changeOneOf(text, mask, argumentsOf(mask, open), difference);
    if (edit !== null) edits.push(edit);
  }
  edits.push(...comparisonEdits(text, mask, one, difference));
  return edits.length > 0 ? distinct(edits) : javascriptOpposites(text, mask, one);
}

/** Literals that a condition is compared with, where the condition itself has to hold. */
function comparisonEdits(text: string, mask: string, one: TestCase, difference: Difference): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const match of mask.slice(one.body, one.end).matchAll(/(?<![\w$.])(?:assert(?:\.ok)?|expect)\s*\(/g)) {
    const open = one.body + match.index + match[0].length - 1;
    const end = endOfBracket(mask, open);
    if (mask.startsWith('expect', one.body + match.index) && !/^\s*\.toBeTruthy\s*\(/.test(mask.slice(end, end + 100))) continue;
    const condition = mask.slice(open, end);
    if (condition.includes('!')) continue;
    for (const found of condition.matchAll(/(?<=[^=<>])={2,3}\s*(?=['"`\d-])/g)) {
      const edit = changeLiteral(text, mask, open + found.index + found[0].length, 'javascript', difference);
      if (edit !== null) edits.push(edit);
    }
  }
  return edits;
}

function callEdits(text: string, mask: string, one: TestCase, language: Language, difference: Difference): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const match of mask.slice(one.body, one.end).matchAll(/(?:^|[\n;{:])[ \t]*(?:await\s+)?[A-Za-z_$][\w$.]*\(/g)) {
    const last = argumentsOf(mask, one.body + match.index + match[0].length - 1).at(-1);
    const edit = last === undefined ? null : changeLiteral(text, mask, last, language, difference);
    if (edit !== null) edits.push(edit);
  }
  return distinct(edits);
}

/** The chain between `expect(…)` and the matcher at `at`; null where there is no such call in front. */
export function chainBefore(mask: string, at: number): string | null {
  const match = /\)\s*((?:\s*\.\w+)*)\s*$/.exec(mask.slice(Math.max(0, at - 200), at));
  return match === null ? null : match[1]!;
}

function changeOneOf(text: string, mask: string, args: readonly number[], difference: Difference): TextEdit | null {
  for (const at of [args[1], args[0]]) {
    const edit = at === undefined ? null : changeLiteral(text, mask, at, 'javascript', difference);
    if (edit !== null) return edit;
  }
  return null;
}

/** Where the arguments of the call that opens at `open` begin. */
export function argumentsOf(mask: string, open: number): number[] {
  const end = endOfBracket(mask, open) - 1;
  const starts = [skipSpace(mask, open + 1)];
  for (let at = open + 1; at < end; at += 1) {
    if ('([{'.includes(mask[at]!)) at = endOfBracket(mask, at) - 1;
    else if (mask[at] === ',') starts.push(skipSpace(mask, at + 1));
  }
  return starts.filter((at) => at < end);
}

const OPPOSITES: Readonly<Record<string, string>> = {
  equal: 'notEqual',
  strictEqual: 'notStrictEqual',
  deepEqual: 'notDeepEqual',
  deepStrictEqual: 'notDeepStrictEqual',
  notEqual: 'equal',
  notStrictEqual: 'strictEqual',
  notDeepEqual: 'deepEqual',
  notDeepStrictEqual: 'deepStrictEqual',
  match: 'doesNotMatch',
  doesNotMatch: 'match',
  throws: 'doesNotThrow',
  doesNotThrow: 'throws',
  rejects: 'doesNotReject',
  doesNotReject: 'rejects',
};

function javascriptOpposites(text: string, mask: string, one: TestCase): TextEdit[] {
  const inside = (pattern: RegExp): RegExpExecArray[] => [...mask.slice(one.body, one.end).matchAll(pattern)];
  const edits: TextEdit[] = [];
  for (const match of inside(/\)((?:\s*\.(?:not|resolves|rejects))*)\s*\.(?=to[A-Z]\w*\s*\()/g)) {
    const at = one.body + match.index + match[0].length;
    const not = /\.not\b/.exec(match[0]);
    edits.push(not === null ? { at, length: 0, text: 'not.' } : { at: one.body + match.index + not.index, length: 4, text: '' });
  }
  for (const match of inside(/(?<![\w$.])assert\.(\w+)(?=\s*\()/g)) {
    const opposite = OPPOSITES[match[1]!];
    if (opposite !== undefined) edits.push({ at: one.body + match.index + 7, length: match[1]!.length, text: opposite });
  }
  for (const match of inside(/(?<![\w$.])assert(?:\.ok)?\s*\(/g)) {
    const open = one.body + match.index + match[0].length - 1;
    const [first, second] = argumentsOf(mask, open);
    if (first === undefined) continue;
    const end = second === undefined ? endOfBracket(mask, open) - 1 : mask.lastIndexOf(',', second);
    edits.push({ at: first, length: end - first, text: `!(${text.slice(first, end)}\n)` });
  }
  return edits;
}

function pythonEdits(text: string, mask: string, one: TestCase, difference: Difference): TextEdit[] {
  const edits: TextEdit[] = [];
  const statements = pythonAsserts(mask, one);
  for (const { at, end } of statements) edits.push(...pythonLiterals(text, mask, at, end, difference));
  for (const match of mask.slice(one.body, one.end).matchAll(/\.assert(?:List|Dict|Tuple|Set|Sequence|MultiLine|Count)?Equals?\s*\(/g)) {
    const [first, second] = argumentsOf(mask, one.body + match.index + match[0].length - 1);
    for (const at of [second, first]) {
      const edit = at === undefined ? null : changeLiteral(text, mask, at, 'python', difference);
      if (edit === null) continue;
      edits.push(edit);
      break;
    }
  }
  if (edits.length > 0) return distinct(edits);
  return statements.map(({ at, end }) => ({ at, length: end - at, text: `not (${text.slice(at, end)})` }));
}

/** The expressions of plain `assert` statements, without their messages. */
export function pythonAsserts(mask: string, one: TestCase): { at: number; end: number }[] {
  const found: { at: number; end: number }[] = [];
  for (const match of mask.slice(one.body, one.end).matchAll(/(?:^|[:;])[ \t]*assert(?=[\s(])[ \t]*/gm)) {
    const at = one.body + match.index + match[0].length;
    const end = endOfExpression(mask, at, one.end);
    if (end > at) found.push({ at, end });
  }
  return found;
}

function endOfExpression(mask: string, from: number, limit: number): number {
  for (let at = from; at < limit; at += 1) {
    const char = mask[at]!;
    if ('([{'.includes(char)) at = endOfBracket(mask, at) - 1;
    else if (char === ',' || char === ';' || (char === '\n' && mask[at - 1] !== '\\')) return mask.slice(from, at).trimEnd().length + from;
  }
  return mask.slice(from, limit).trimEnd().length + from;
}

function pythonLiterals(text: string, mask: string, from: number, end: number, difference: Difference): TextEdit[] {
  if (/^not\b/.test(mask.slice(from, end))) return [];
  const edits: TextEdit[] = [];
  for (let at = from; at < end; at += 1) {
    if ('([{'.includes(mask[at]!)) {
      at = endOfBracket(mask, at) - 1;
      continue;
    }
    const match = /^==\s*(?:pytest\.approx\(\s*)?|^is\s+(?=True|False|None)/.exec(mask.slice(at, end));
    if (match === null || (match[0].startsWith('is') && /\w/.test(mask[at - 1] ?? ' '))) continue;
    const edit =
      changeLiteral(text, mask, at + match[0].length, 'python', difference) ??
      (match[0].startsWith('==') && edits.length === 0 ? changeLiteral(text, mask, from, 'python', difference) : null);
    if (edit !== null) edits.push(edit);
    at += match[0].length - 1;
  }
  return edits;
}

const CONSTANTS: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };

/** Another value in the place of the literal that begins at `at`; null where no literal does, or where it goes on as a bigger expression. */
export function changeLiteral(text: string, mask: string, at: number, language: Language, { word, offset }: Difference): TextEdit | null {
  const rest = mask.slice(at, at + 4_000);
  const quoted = /^[rbfuRBFU]{0,2}("""|'''|["'`])/.exec(language === 'python' ? rest : rest.replace(/^[rbfuRBFU]+(?=["'`])/, '-'));
  if (quoted !== null) {
    const open = at + quoted[0].length;
    const close = mask.indexOf(quoted[1]!, open);
    return close < 0 ? null : insideText(text.slice(open, close), open, { word, offset });
  }
  if (rest[0] === '[' || rest[0] === '(')
    return language === 'javascript' && rest[0] === '(' ? null : { at: at + 1, length: 0, text: `'${word}', ` };
  if (rest[0] === '{')
    return {
      at: at + 1,
      length: 0,
      text: language === 'javascript' ? `${word}: 1, ` : isPythonSet(mask, at) ? `'${word}', ` : `'${word}': 1, `,
    };
  const plain = /^(-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|undefined|True|False|None)(?=\s*(?:[,;)\]}#\n]|==|and\b|$))/.exec(
    rest,
  );
  if (plain === null) return null;
  const value = plain[1]!;
  const replacement = CONSTANTS[value] ?? (/^-?\d/.test(value) ? `(${value} + ${offset})` : `'${word}'`);
  return { at, length: value.length, text: replacement };
}

/** After the first letter or digit that is no part of an escape or a placeholder, and of its kind: beginning and end stay what they were. */
function insideText(content: string, open: number, { word, offset }: Difference): TextEdit {
  const before = /^[^\\${}%]*?[A-Za-z0-9]/.exec(content);
  const added = /[a-z]/.test(content) ? word : /[A-Z]/.test(content) ? word.toUpperCase() : /\d/.test(content) ? String(offset) : word;
  return { at: open + (before === null ? content.length : before[0].length), length: 0, text: added };
}

function isPythonSet(mask: string, at: number): boolean {
  const end = endOfBracket(mask, at);
  for (let inner = at + 1; inner < end - 1; inner += 1) {
    if ('([{'.includes(mask[inner]!)) inner = endOfBracket(mask, inner) - 1;
    else if (mask[inner] === ':' || mask.startsWith('**', inner)) return false;
    else if (mask[inner] === ',') return true;
  }
  return mask.slice(at + 1, end - 1).trim() !== '';
}

export function skipSpace(mask: string, at: number): number {
  return at + /^\s*/.exec(mask.slice(at, at + 2_000))![0].length;
}

function distinct(edits: readonly TextEdit[]): TextEdit[] {
  const taken = new Set<number>();
  return edits.filter((edit) => !taken.has(edit.at) && taken.add(edit.at));
}
