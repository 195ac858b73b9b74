/**
 * Controls: tests of the harness's own, written into a test file beside its tests.
 *
 * 1. They use the file's own names for the test function and the assertions, so that whatever the code under test did to those
 *    meets them too. There is one for each kind of assertion that the file uses, a bare throw, and one that must pass: it asks
 *    whether what tests compute with still gives right answers.
 * 2. They stand after the imports and again at the end of the file: a run that ends early loses the later ones.
 * 3. Their names are made of words of the file, and their values are random: nothing tells them from the others.
 */
import type { RunnerName } from '../domain/verdict.ts';
import { assertionsUsed } from './assertions.ts';
import { depthAt, languageOf, maskSource, type Language } from './mask.ts';
import { primitiveAnswers } from './primitives.ts';

export interface PlantedTests {
  text: string;
  mustFail: string[];
  mustPass: string[];
}

/** Unguessable whole numbers below the limit. */
export type Dice = (limit: number) => number;

/** `null` where the harness does not know how to write such a test. */
export function plantControls(text: string, path: string, runner: RunnerName, dice: Dice): PlantedTests | null {
  const language = languageOf(path);
  if (language === null || (language === 'python') !== (runner === 'pytest')) return null;
  const mask = maskSource(text, language);
  const names = nameMaker(text, mask, language, dice);
  const planted: PlantedTests = { text, mustFail: [], mustPass: [] };
  const write = language === 'python' ? pythonWriter() : javascriptWriter(text, mask, runner);
  const make = (body: string | null): string => {
    const name = names();
    (body === null ? planted.mustPass : planted.mustFail).push(name);
    return write.test(name, body ?? primitiveAnswers(mask, language, () => 1_000 + dice(90_000)));
  };
  const kinds = assertionsUsed(text, mask, language, () => 1_000 + dice(90_000));
  const first = shuffle([...kinds.map(make), make(write.thrown(names())), make(null)], dice);
  const last = shuffle([make(null), ...kinds.map(make), make(write.thrownLater(names()))], dice);
  const at = language === 'python' ? afterPythonImports(text, mask) : afterImports(text, mask);
  planted.text = `${text.slice(0, at)}\n${write.header}${first.join('')}${text.slice(at)}\n${last.join('')}`;
  return planted;
}

interface Writer {
  header: string;
  test(name: string, body: string): string;
  thrown(message: string): string;
  thrownLater(message: string): string;
}

function javascriptWriter(text: string, mask: string, runner: RunnerName): Writer {
  const own = /(?<![\w.$])(test|it)(?:\.\w+)*\s*\(/.exec(mask)?.[1];
  const header = own === undefined ? importOf(text, runner) : '';
  return {
    header,
    test: (name, body) => `;${own ?? OWN_NAME}(${JSON.stringify(name)}, async () => { ${body} });\n`,
    thrown: (message) => `throw new Error(${JSON.stringify(message)});`,
    thrownLater: (message) => `await Promise.resolve(); throw new Error(${JSON.stringify(message)});`,
  };
}

const OWN_NAME = 'testOfThisFile';

function importOf(text: string, runner: RunnerName): string {
  if (runner === 'jest') return `const ${OWN_NAME} = globalThis.test;\n`;
  const from = runner === 'vitest' ? 'vitest' : 'node:test';
  const isModule = /^\s*(?:import|export)\b/m.test(text);
  return isModule || runner === 'vitest'
    ? `import { test as ${OWN_NAME} } from '${from}';\n`
    : `const { test: ${OWN_NAME} } = require('${from}');\n`;
}

function pythonWriter(): Writer {
  return {
    header: '',
    test: (name, body) => `\ndef ${name}():\n    ${body.replaceAll('\n', '\n    ')}\n`,
    thrown: (message) => `raise RuntimeError('${message}')`,
    thrownLater: (message) => `value = []\nvalue.append('${message}')\nraise ValueError(value)`,
  };
}

/** Words of the file's own code, in random order, with a number that no test of the file has. */
function nameMaker(text: string, mask: string, language: Language, dice: Dice): () => string {
  const words = [...new Set([...mask.matchAll(/[a-zA-Z]{3,12}/g)].map((match) => match[0].toLowerCase()))].filter(
    (word) => !/^(?:import|from|const|assert|expect|test|def)$/.test(word),
  );
  const taken = new Set<string>();
  return () => {
    for (;;) {
      const picked = Array.from({ length: 2 + dice(2) }, () => words[dice(Math.max(1, words.length))] ?? 'value');
      const number = 2 + dice(9_000_000);
      const name = language === 'python' ? `test_${[...picked, number].join('_')}` : [...picked, number].join(' ');
      if (taken.has(name) || text.includes(name)) continue;
      taken.add(name);
      return name;
    }
  };
}

/** The end of the last import or require at the top level; else after the comments and directives at the beginning. */
function afterImports(text: string, mask: string): number {
  let at = /^(?:#![^\n]*\n)?(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|(['"])use \w+\1;?)*/.exec(text)![0].length;
  const pattern =
    /(?<=^|[;\n}/])[ \t]*(?:import\b(?!\s*[(.])[^'";]*?(['"])[^\n]*?\1|(?:const|let|var)\s[^=;]*=\s*(?:await\s+import|require)\s*\([^)\n]*\)[^;\n]*)(?:[ \t]*with\s*\{[^}]*\})?[ \t]*;?/g;
  for (const match of mask.matchAll(pattern)) {
    if (depthAt(mask, match.index) === 0) at = Math.max(at, match.index + match[0].length);
  }
  return at;
}

function afterPythonImports(text: string, mask: string): number {
  let at = 0;
  const docstring = /^(?:\s|#[^\n]*\n)*(?:"""[\s\S]*?"""|'''[\s\S]*?''')[^\n]*\n/.exec(text);
  if (docstring !== null) at = docstring[0].length;
  for (const match of mask.matchAll(/^(?:import|from)\s[^\n(]*(?:\([^)]*\))?[^\n]*(?:\n|$)/gm)) {
    if (depthAt(mask, match.index) === 0) at = Math.max(at, match.index + match[0].length);
  }
  return at;
}

function shuffle<T>(values: readonly T[], dice: Dice): T[] {
  const left = [...values];
  return values.map(() => left.splice(dice(left.length), 1)[0]!);
}
