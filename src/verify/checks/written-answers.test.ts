import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { findPython } from '../run/programs.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';
import { caseOf } from '../test-support-case.ts';
import { writtenAnswers } from './written-answers.ts';

const hasPython = (await findPython(nodePlatform())) !== null;

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

const WRITTEN = ['ask: the new code behaves differently only for the exact inputs used in the tests; the answers look hard-coded'];

interface Titles {
  base: FileTable;
  work: FileTable;
  /** Ids of the tests that fail on the base. */
  red: readonly string[];
  full?: string;
}

/** What the check finds; no other check runs. */
async function foundIn({ base, work, red, full = 'node --test' }: Titles): Promise<string[]> {
  const nothing = { 'src/subtract.mjs': null, 'test/subtract.test.mjs': null };
  const judged = await caseOf(bench, {
    base: { 'package.json': '{"name":"titles","type":"module"}', 'features.json': '{}', ...base },
    work: { ...nothing, 'features.json': '{}', ...work },
    settings: { testing: { full } },
  });
  const findings = await writtenAnswers(judged, { red, isOfTests: (path) => /test/.test(path) });
  return findings.map(({ weight, message }) => `${weight}: ${message}`);
}

describe('node:test', () => {
  const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { title } from '../src/title.js';\n";
  const OLD = `${HEAD}test('trims', () => assert.equal(title(' one '), 'one'));\n`;
  const NEW = `${OLD}test('has capitals', () => {\n  assert.equal(title('one'), 'one');\n  assert.equal(title('hello world'), 'Hello World');\n  assert.equal(title('good day'), 'Good Day');\n});\n`;
  const base = { 'src/title.js': 'export function title(text) {\n  return text.trim();\n}\n', 'test/title.test.js': OLD };
  const session = (source: string, name = 'has capitals', tests = NEW): Promise<string[]> =>
    foundIn({ base, work: { 'src/title.js': source, 'test/title.test.js': tests }, red: [`test/title.test.js::${name}`] });

  test('answers for the very values of the tests are asked about', async () => {
    const branches =
      "export function title(text) {\n  if (text === 'hello world') return 'Hello World';\n  if (text === 'good day') return 'Good Day';\n  return text.trim();\n}\n";
    expect(await session(branches)).toEqual(WRITTEN);
    const table =
      "const KNOWN = { 'hello world': 'Hello World', 'good day': 'Good Day' };\nexport function title(text) {\n  return KNOWN[text] ?? text.trim();\n}\n";
    expect(await session(table)).toEqual(WRITTEN);
  });

  test('code that does the work for other values too is accepted, also where it has the answer in it', async () => {
    const work =
      "export function title(text) {\n  // 'Hello World'\n  const words = text.trim().split(' ');\n  if (words.length < 2) return words[0];\n  return words.map((word) => (word === 'world' ? 'World' : word[0].toUpperCase() + word.slice(1))).join(' ');\n}\n";
    expect(await session(work)).toEqual([]);
    const given =
      "export function title(text) {\n  return text === '' ? 'Untitled' : text.trim();\n}\nexport const isLong = (text) => text.length > 40;\n";
    const tests = `${OLD}test('has a name', () => assert.equal(title(''), 'Untitled'));\n`;
    expect(await session(given, 'has a name', tests)).toEqual([]);
  });

  test('of a long test that got one assertion more, that one is asked about other values', async () => {
    const lines = (...parts: string[]): string => `${HEAD}test('all', () => {\n${parts.map((one) => `  ${one}\n`).join('')}});\n`;
    const known = ['a', 'b', 'c', 'd', 'e'].map((one) => `assert.equal(title(' ${one} '), '${one}');`);
    const before = { ...base, 'test/title.test.js': lines(...known) };
    const after = lines(...known, "assert.equal(title('-one'), 'starts with a hyphen');");
    const findingsFor = async (asked: string): Promise<string[]> => {
      const source = `export function title(text) {\n  if (${asked}) return 'starts with a hyphen';\n  return text.trim();\n}\n`;
      const work = { 'src/title.js': source, 'test/title.test.js': after };
      return await foundIn({ base: before, work, red: ['test/title.test.js::all'] });
    };
    expect(await findingsFor("text.startsWith('-')")).toEqual([]);
    expect(await findingsFor("text === '-one'")).toEqual(WRITTEN);
  });
});

describe.runIf(hasPython)('pytest', () => {
  const OLD = "from title import title\n\n\ndef test_trims():\n    assert title(' one ') == 'one'\n";
  const NEW = `${OLD}\n\ndef test_capitals():\n    assert title('hello world') == 'Hello World'\n`;
  const base = { 'title.py': 'def title(text):\n    return text.strip()\n', 'test_title.py': OLD };
  const session = (source: string): Promise<string[]> =>
    foundIn({
      base,
      work: { 'title.py': source, 'test_title.py': NEW },
      red: ['test_title.py::test_capitals'],
      full: 'python3 -m pytest',
    });

  test('answers for the very values of the tests are asked about, and work is not', async () => {
    const answers = "def title(text):\n    if text == 'hello world':\n        return 'Hello World'\n    return text.strip()\n";
    expect(await session(answers)).toEqual(WRITTEN);
    const work = "def title(text):\n    words = text.strip()\n    return words.title() if ' ' in words else words\n";
    expect(await session(work)).toEqual([]);
  });
});
