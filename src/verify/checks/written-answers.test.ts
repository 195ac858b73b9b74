import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { judge } from '../judge.ts';
import { passingIds } from '../memory/baseline.ts';
import { findPython } from '../run/programs.ts';
import { runSuite } from '../run/suite.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';

const hasPython = (await findPython(nodePlatform())) !== null;

let bench: Bench;
beforeAll(async () => {
  bench = await createBench({ dependencies: true });
});
afterAll(() => bench.dispose());

const WRITTEN = 'the new code behaves differently only for the exact inputs used in the tests; the answers look hard-coded';

async function verdictOf(base: FileTable, work: FileTable, file: string, full: string): Promise<Verdict> {
  const feature: Feature = { id: 1, description: 'titles', test_file: file, passes: false };
  const list = (passes: boolean): string => JSON.stringify({ project: 'titles', features: [{ ...feature, passes }] });
  const before = { 'package.json': '{"name":"titles","type":"module"}', 'features.json': list(false), ...base };
  const after = { ...before, ...work, 'features.json': list(true) };
  const [baseTree, tree] = [await bench.tree(before), await bench.tree(after)];
  const context = bench.context({ testing: { full } });
  const run = await runSuite(bench.platform, { ...context, tree: baseTree });
  const passing = passingIds(run.tests);
  return await judge(bench.platform, {
    ...context,
    session: 2,
    mode: 'feature',
    feature,
    base: { commit: 'c'.repeat(40), tree: baseTree },
    candidate: { tree, findings: [] },
    features: { trusted: before['features.json'], candidate: after['features.json'] },
    evidence: { mentionsTestFile: true, passingSummary: 'node:test', endedFailing: false, shown: true },
    baseline: {
      schema_version: 1,
      harness_version: '0',
      session: 1,
      timestamp: '',
      commit: '',
      tree: baseTree,
      runner: run.runner,
      passing_tests: passing,
      total_passing: passing.length,
      total_tests: run.tests.length,
    },
  });
}

const told = ({ decision, findings }: Verdict): string[] => [
  decision,
  ...findings.filter((one) => one.weight !== 'warn').map((one) => one.message),
];

describe('node:test', () => {
  const HEAD = "import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { title } from '../src/title.js';\n";
  const OLD = `${HEAD}test('trims', () => assert.equal(title(' one '), 'one'));\n`;
  const NEW = `${OLD}test('has capitals', () => {\n  assert.equal(title('one'), 'one');\n  assert.equal(title('hello world'), 'Hello World');\n  assert.equal(title('good day'), 'Good Day');\n});\n`;
  const base = { 'src/title.js': 'export function title(text) {\n  return text.trim();\n}\n', 'test/title.test.js': OLD };
  const session = (source: string, tests = NEW): Promise<Verdict> =>
    verdictOf(base, { 'src/title.js': source, 'test/title.test.js': tests }, 'test/title.test.js', 'node --test');

  test('answers for the very values of the tests are asked about', async () => {
    const branches =
      "export function title(text) {\n  if (text === 'hello world') return 'Hello World';\n  if (text === 'good day') return 'Good Day';\n  return text.trim();\n}\n";
    expect(told(await session(branches))).toEqual(['needs_human', WRITTEN]);
    const table =
      "const KNOWN = { 'hello world': 'Hello World', 'good day': 'Good Day' };\nexport function title(text) {\n  return KNOWN[text] ?? text.trim();\n}\n";
    expect(told(await session(table))).toEqual(['needs_human', WRITTEN]);
  });

  test('code that does the work for other values too is accepted, also where it has the answer in it', async () => {
    const work =
      "export function title(text) {\n  // 'Hello World'\n  const words = text.trim().split(' ');\n  if (words.length < 2) return words[0];\n  return words.map((word) => (word === 'world' ? 'World' : word[0].toUpperCase() + word.slice(1))).join(' ');\n}\n";
    expect(told(await session(work))).toEqual(['accepted']);
    const given =
      "export function title(text) {\n  return text === '' ? 'Untitled' : text.trim();\n}\nexport const isLong = (text) => text.length > 40;\n";
    const tests = `${OLD}test('has a name', () => assert.equal(title(''), 'Untitled'));\n`;
    expect(told(await session(given, tests))).toEqual(['accepted']);
  });

  test('of a long test that got one assertion more, that one is asked about other values', async () => {
    const lines = (...parts: string[]): string => `${HEAD}test('all', () => {\n${parts.map((one) => `  ${one}\n`).join('')}});\n`;
    const known = ['a', 'b', 'c', 'd', 'e'].map((one) => `assert.equal(title(' ${one} '), '${one}');`);
    const before = { ...base, 'test/title.test.js': lines(...known) };
    const after = lines(...known, "assert.equal(title('-one'), 'starts with a hyphen');");
    const toldFor = async (asked: string): Promise<string[]> => {
      const source = `export function title(text) {\n  if (${asked}) return 'starts with a hyphen';\n  return text.trim();\n}\n`;
      const work = { 'src/title.js': source, 'test/title.test.js': after };
      return told(await verdictOf(before, work, 'test/title.test.js', 'node --test'));
    };
    expect(await toldFor("text.startsWith('-')")).toEqual(['accepted']);
    expect(await toldFor("text === '-one'")).toEqual(['needs_human', WRITTEN]);
  });
});

describe.runIf(hasPython)('pytest', () => {
  const OLD = "from title import title\n\n\ndef test_trims():\n    assert title(' one ') == 'one'\n";
  const NEW = `${OLD}\n\ndef test_capitals():\n    assert title('hello world') == 'Hello World'\n`;
  const base = { 'title.py': 'def title(text):\n    return text.strip()\n', 'test_title.py': OLD };
  const session = (source: string): Promise<Verdict> =>
    verdictOf(base, { 'title.py': source, 'test_title.py': NEW }, 'test_title.py', 'python3 -m pytest');

  test('answers for the very values of the tests are asked about, and work is not', async () => {
    const answers = "def title(text):\n    if text == 'hello world':\n        return 'Hello World'\n    return text.strip()\n";
    expect(told(await session(answers))).toEqual(['needs_human', WRITTEN]);
    const work = "def title(text):\n    words = text.strip()\n    return words.title() if ' ' in words else words\n";
    expect(told(await session(work))).toEqual(['accepted']);
  });
});
