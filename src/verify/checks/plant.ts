/**
 * Controls: tests of the harness's own, written into a test file beside its tests.
 *
 * 1. They use the file's own names for the test function and the assertions, so that whatever the code under test did to those
 *    meets them too. There is one for each kind of assertion that the file uses, a bare throw, and one that must pass: it asks
 *    whether what tests compute with still gives right answers.
 * 2. They stand after the imports and again at the end of the file: a run that ends early loses the later ones.
 * 3. Their names are made of words of the file, and their values are random, numbers and words, some far apart and some next to each other:
 *    nothing tells them from the others.
 * 4. A file that only got such as must pass looks the same to the code under test, and its own tests must pass in it.
 */
import loadingTooProgram from '../../../assets/checks/loading-too.py';
import { fill } from '../../domain/fill-program.ts';
import type { RunnerName } from '../../domain/verdict.ts';
import { assertionsUsed, shapesCompared, type Values } from './assertions.ts';
import { depthsOf, maskSource } from '../source/mask.ts';
import { languageOf, type Language } from '../source/source.ts';
import { primitiveAnswers } from './primitives.ts';
import { singleTests } from '../runners/registry.ts';
import { allGroups, beforeFirst, matched } from '../../domain/text-parts.ts';
import { firstItem, itemAt } from '../../domain/items.ts';

export interface PlantedTests {
  text: string;
  mustFail: string[];
  mustPass: string[];
}

/** Unguessable whole numbers below the limit. */
export type Dice = (limit: number) => number;

/** `null` where the harness does not know how to write such a test. */
export function plantControls(
  { text, path }: { text: string; path: string },
  runner: RunnerName,
  dice: Dice,
  before = '',
): PlantedTests | null {
  return plant({ text, path, runner, dice, before }, ({ mask, language, names, write }) => {
    const isNumbersFirst = dice(2) === 0;
    const kinds = (isFirst: boolean): string[] => [
      ...[FAR, ...NEAR].flatMap((distance) =>
        assertionsUsed(text, mask, { language, runner }, valuesFrom(dice, (isFirst === isNumbersFirst) === (distance === FAR), distance)),
      ),
      ...shapesCompared(text, mask, { language, runner }, valuesFrom(dice, isFirst === isNumbersFirst, FAR)),
    ];
    return { first: [...kinds(true), write.thrown(names()), null], last: [null, ...kinds(false), write.thrownLater(names())] };
  });
}

/** As many as there might be of the others, and none that fails. */
export function plantPassing(
  { text, path }: { text: string; path: string },
  runner: RunnerName,
  dice: Dice,
  before = '',
): PlantedTests | null {
  const some = (): null[] => Array.from({ length: 1 + dice(5) }, () => null);
  return plant({ text, path, runner, dice, before }, () => ({ first: some(), last: some() }));
}

interface Place {
  text: string;
  path: string;
  runner: RunnerName;
  dice: Dice;
  /** The file as it was before the session. */
  before: string;
}

interface Ground {
  mask: string;
  language: Language;
  names: () => string;
  write: Writer;
}

/** Bodies of tests that must fail; null: one that must pass. */
interface Bodies {
  first: (string | null)[];
  last: (string | null)[];
}

function plant({ text, path, runner, dice, before }: Place, bodiesOf: (ground: Ground) => Bodies): PlantedTests | null {
  const language = languageOf(path);
  if (language === null || language !== singleTests(runner)?.language) return null;
  const mask = maskSource(text, language);
  const names = nameMaker(text, language, dice);
  const planted: PlantedTests = { text, mustFail: [], mustPass: [] };
  const write = writerFor(text, language, runner);
  const make = (body: string | null): string => {
    const name = names();
    const number = (): number => 1_000 + dice(90_000);
    const made = write.test(name, body ?? `${primitiveAnswers(mask, language, number)}${write.passing(number())}`);
    (body === null ? planted.mustPass : planted.mustFail).push(made.name);
    return made.text;
  };
  const bodies = bodiesOf({ mask, language, names, write });
  const [first, last] = [bodies.first, bodies.last].map((some) => shuffle(some.map(make), dice)) as [string[], string[]];
  const at = language === 'python' ? afterPythonImports(text, mask) : afterImports(text, mask);
  const footer = write.footer(isLoadingAsBefore(text, before) ? [...planted.mustFail, ...planted.mustPass] : []);
  planted.text = `${text.slice(0, at)}\n${write.header}${first.join('')}${text.slice(at)}\n${last.join('')}${footer}`;
  return planted;
}

/** A file that names its tests itself, by unittest's `load_tests`, and named them in the same way before the session. */
function isLoadingAsBefore(text: string, before: string): boolean {
  const loading = (one: string): string | undefined => /^def load_tests\([^\n]*\n(?:(?:[ \t][^\n]*)?\n)*/m.exec(`${one}\n`)?.[0].trimEnd();
  return loading(text) !== undefined && loading(text) === loading(before);
}

/** How the second of two values is made of the first; null: it is another one. */
interface Distance {
  /** The other comes first. */
  isSwapped?: true;
  number: ((one: number) => number) | null;
  word: ((one: string) => string) | null;
}

const FAR: Distance = { number: null, word: null };

/** What somebody who is not strict would take for the same. */
const NEAR: readonly Distance[] = [
  { number: (one) => one + 0.25, word: (one) => one.toUpperCase() },
  { number: (one) => one + 0.25, word: (one) => one.slice(1), isSwapped: true },
  { number: (one) => one + 1, word: (one) => `${one} ` },
  { number: (one) => -one, word: (one) => `${one}s` },
];

function valuesFrom(dice: Dice, isNumbers: boolean, distance: Distance): Values {
  const number = (): number => 1_000 + dice(90_000);
  const word = (): string => lettersFrom(dice, 3 + dice(6));
  const numbers = (one: number): string[] => [String(one), String(distance.number?.(one) ?? number())];
  const words = (one: string): string[] => [`'${one}'`, `'${distance.word?.(one) ?? word()}'`];
  const pair = (): readonly [string, string] => {
    const [one = '', other = ''] = isNumbers ? numbers(number()) : words(word());
    if (one === other) return pair();
    return distance.isSwapped === true ? [other, one] : [one, other];
  };
  return { number, pair };
}

export function lettersFrom(dice: Dice, count: number): string {
  return Array.from({ length: count }, () => String.fromCodePoint(97 + dice(26))).join('');
}

/** How tests of the harness's own are written beside those of a file. */
export interface Writer {
  header: string;
  /** Ends the file; planted tests that it has to name as its own are told as these. */
  footer(named: readonly string[]): string;
  /** What a test is handed to assert with; empty: nothing. */
  parameter: string;
  /** Ends a test that must pass, with a number that is like itself. */
  passing(number: number): string;
  /** `name`: what it is told as. */
  test(name: string, body: string): { name: string; text: string };
  thrown(message: string): string;
  thrownLater(message: string): string;
}

export function writerFor(text: string, language: Language, runner: RunnerName): Writer {
  const mask = maskSource(text, language);
  return language === 'python' ? pythonWriter(mask, runner) : javascriptWriter(text, mask, runner);
}

function javascriptWriter(text: string, mask: string, runner: RunnerName): Writer {
  const script = singleTests(runner)?.script;
  const called = /(?<![\w.$])(test|it)(?:\.\w+)*\s*\(/.exec(mask)?.[1];
  const own = called !== undefined && (script?.isImported !== true || isBound(called, mask)) ? called : undefined;
  const header = own === undefined ? importOf(text, runner) : '';
  const parameter = script?.parameter ?? '';
  const ended = script?.ended !== undefined && !/\basync\b/.test(mask) ? script.ended : (body: string): string => body;
  return {
    header,
    parameter,
    footer: () => script?.start?.(own ?? OWN_NAME) ?? '',
    passing: (number) => {
      const assertion = script?.passing ?? (isExpecting(mask) ? script?.equal(String(number), String(number)) : undefined);
      return assertion === undefined || (script?.passing === undefined && !assertion.startsWith('expect(')) ? '' : ` ${assertion}`;
    },
    test: (name, body) => ({ name, text: `;${own ?? OWN_NAME}(${JSON.stringify(name)}, async (${parameter}) => { ${ended(body)} });\n` }),
    thrown: (message) => `throw new Error(${JSON.stringify(message)});`,
    thrownLater: (message) => `await Promise.resolve(); throw new Error(${JSON.stringify(message)});`,
  };
}

/** The file asserts by the runner's own `expect`, which its tests are not handed over: projects can ask that every test does. */
function isExpecting(mask: string): boolean {
  const isHandedOver = /\(\s*\{[^{}()]*\bexpect\b[^{}()]*\}\s*\)\s*=>/.test(mask);
  return !isHandedOver && /(?<![\w.$])expect\s*\(/.test(mask) && /\)\s*\.(?:\w+\s*\.\s*)*to[A-Z]\w*\s*\(/.test(mask);
}

/** The name is one of the whole file: where runners hand it over, a function may have it for itself alone. */
function isBound(name: string, mask: string): boolean {
  const word = `(?<![\\w.$])${name}(?![\\w$])`;
  return (
    new RegExp(`^import\\b[^;]*?${word}[^;]*?\\bfrom\\b`, 'm').test(mask) ||
    new RegExp(`^(?:export\\s+)?(?:const|let|var)\\b[^;=]*?${word}[^;=]*?=|^(?:export\\s+)?(?:async\\s+)?function\\s+${name}\\b`, 'm').test(
      mask,
    )
  );
}

const OWN_NAME = 'testOfThisFile';

function importOf(text: string, runner: RunnerName): string {
  return singleTests(runner)?.script?.testAs(OWN_NAME, /^[^\S\n]*(?:import|export)\b/m.test(text)) ?? '';
}

function pythonWriter(mask: string, runner: RunnerName): Writer {
  const isMethods = singleTests(runner)?.pythonTests === 'methods';
  const base = isMethods ? baseClass(mask) : null;
  return {
    header: isMethods && base === null ? 'import unittest as unit_of_this_file\n' : '',
    parameter: '',
    footer: (named) => (isMethods && named.length > 0 ? loadingToo(named) : ''),
    passing: () => '',
    test: (name, body) =>
      isMethods ? method(name, body, base ?? 'unit_of_this_file.TestCase') : { name, text: pythonFunction(name, '', body) },
    thrown: (message) => `raise RuntimeError('${message}')`,
    thrownLater: (message) => `value = []\nvalue.append('${message}')\nraise ValueError(value)`,
  };
}

/** What classes of the file are made of, where it is imported: whatever the code did to that meets planted tests too. */
function baseClass(mask: string): string | null {
  const bases = allGroups(mask, /^class\s+\w+\s*\(\s*((?:\w+\.)*\w*TestCase)\s*\)/gm, 1);
  const isImported = (base: string): boolean =>
    new RegExp(`^(?:import|from)\\s[^\\n]*\\b${beforeFirst(base, '.')}\\b`, 'm').test(mask) && base !== 'IsolatedAsyncioTestCase';
  return bases.find(isImported) ?? null;
}

function method(name: string, body: string, base: string): { name: string; text: string } {
  const kind = name
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
  const inside = pythonFunction(name, 'self', body).replaceAll('\n', '\n    ').trimEnd();
  return { name: `${kind} > ${name}`, text: `\nclass ${kind}(${base}):${inside}\n` };
}

function loadingToo(named: readonly string[]): string {
  const kinds = named.map((name) => beforeFirst(name, ' > ')).join(', ');
  return `\n${fill(loadingTooProgram, { kinds })}`;
}

function pythonFunction(name: string, parameters: string, body: string): string {
  return `\ndef ${name}(${parameters}):\n    ${body.replaceAll('\n', '\n    ')}\n`;
}

/** Words of the file, in random order; a number only where there are not enough of them. */
export function nameMaker(text: string, language: Language, dice: Dice): () => string {
  const words = [...new Set([...text.matchAll(/[a-zA-Z]{3,12}/g)].map((match) => match[0].toLowerCase()))].filter(
    (word) => !/^(?:import|from|const|assert|expect|test|def)$/.test(word),
  );
  const taken = new Set<string>();
  return () => {
    for (let tries = 0; ; tries += 1) {
      const picked = pick(words, 2 + dice(3), dice);
      const parts = tries < MOST_TRIES && picked.length > 1 ? picked : [...picked, 'value', String(2 + dice(9_000_000))];
      const name = language === 'python' ? `test_${parts.join('_')}` : parts.join(' ');
      if (taken.has(name) || text.includes(name)) continue;
      taken.add(name);
      return name;
    }
  };
}

const MOST_TRIES = 30;

function pick(words: readonly string[], count: number, dice: Dice): string[] {
  const picked = new Set<string>();
  while (picked.size < Math.min(count, words.length)) picked.add(itemAt(words, dice(words.length)));
  return [...picked];
}

/** The end of the last import or require at the top level; else after the comments and directives at the beginning. */
function afterImports(text: string, mask: string): number {
  let at = matched(/^(?:#![^\n]*\n)?(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|(['"])use \w+\1;?)*/, text).length;
  const pattern =
    /(?<=^|[;\n}/])[ \t]*(?:import\b(?!\s*[(.])[^'";]{0,5000}?(['"])[^\n]{0,1000}?\1|(?:const|let|var)\s[^=;]{0,2000}=\s*(?:await\s+import|require)\s*\([^)\n]*\)[^;\n]*)(?:[ \t]*with\s*\{[^}]*\})?[ \t]*;?/g;
  const depthAt = depthsOf(mask);
  for (const match of mask.matchAll(pattern)) {
    if (depthAt(match.index) === 0) at = Math.max(at, match.index + match[0].length);
  }
  return at;
}

function afterPythonImports(text: string, mask: string): number {
  let at = 0;
  const docstring = /^(?:\s|#[^\n]*\n)*(?:"""[\s\S]*?"""|'''[\s\S]*?''')[^\n]*\n/.exec(text);
  if (docstring !== null) at = docstring[0].length;
  const depthAt = depthsOf(mask);
  for (const match of mask.matchAll(/^(?:import|from)\s[^\n(]*(?:\([^)]{0,20000}\))?[^\n]*(?:\n|$)/gm)) {
    if (depthAt(match.index) === 0) at = Math.max(at, match.index + match[0].length);
  }
  return at;
}

function shuffle<T>(values: readonly T[], dice: Dice): T[] {
  const left = [...values];
  return values.map(() => firstItem(left.splice(dice(left.length), 1)));
}
