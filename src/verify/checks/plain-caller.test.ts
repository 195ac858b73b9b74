import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import type { Comparison } from '../source/compared-parts.ts';
import type { PlainAssertion } from '../source/plain-assertions.ts';
import type { Language } from '../source/source.ts';
import { plainProgram, readTold } from './plain-caller.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function told(language: Language, files: Record<string, string>, parts: PlainAssertion[][]): Promise<number[] | null> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-'));
  folders.push(folder);
  const program = plainProgram(language, parts, { word: 'word', name: 'main' });
  for (const [path, content] of [...Object.entries(files), ...program.files.map((file) => [file.path, file.content] as const)]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const start = `exec 3>&1 >/dev/null; '${language === 'python' ? 'python3' : process.execPath}' ${program.path}`;
  const run = promisify(execFile)('/bin/sh', ['-c', start], { cwd: folder });
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return readTold(stdout, 'word');
}

const call =
  (load: string) =>
  (left: string, right = '', compares: Comparison = 'is'): PlainAssertion => ({ text: left, left, right, compares, loads: [load] });
const taken = call('import { a } from "./src/a.mjs";');

test('numbers of what does not hold, through all parts, and whatever the code does to comparisons', async () => {
  const files = {
    'src/a.mjs':
      "import assert from 'node:assert';\nassert.deepEqual = assert.equal = Object.is = JSON.stringify = () => true;\nexport const a = (n) => n + 1;\n",
    'src/b.cjs': 'exports.b = (n) => [n];\n',
  };
  const other = call('const { b } = require("./src/b.cjs");');
  const parts = [
    [
      taken('a(1)', '2'),
      taken('a(1)', '3'),
      taken("a('')", '1', 'loose'),
      taken('a(0.5)', '[1.501, 2]', 'near'),
      taken('a(0)', '', 'truth'),
    ],
    [other('b(1)', '[1]', 'deep'), other('b(1)', '["1"]', 'deep'), other('b(1)', '["1"]', 'like'), other('b(1).c.d', '1')],
  ];
  expect(await told('javascript', files, parts)).toEqual([1, 6, 8]);
});

test('what cannot be loaded or is not there outside of a runner says nothing; what throws does not hold', async () => {
  const files = {
    'src/a.mjs': 'export const a = () => document.title;\n',
    'src/t.mjs': 'export const t: number = 1;\n',
    'src/e.mjs': "throw new Error('only in tests');\n",
  };
  const typed = call('import { t } from "./src/t.mjs";');
  const throwing = call('import "./src/e.mjs";');
  expect(await told('javascript', files, [[taken('a()', '1')], [typed('t', '2')], [throwing('1', '1'), throwing('2', '2')]])).toEqual([
    2, 3,
  ]);
});

test('a program that ends early tells nothing', async () => {
  expect(await told('javascript', { 'src/a.mjs': 'process.exit(0);\nexport const a = 1;\n' }, [[taken('a', '1')]])).toBeNull();
});

test('the same in Python', async () => {
  const files = { 'src/a.py': 'def a(n):\n    return n + 1\n', 'src/m.py': 'import not_installed\n' };
  const one = call('from src.a import a');
  const missing = call('from src.m import m');
  expect(await told('python', files, [[one('a(1) == 2'), one('a(1) == 3'), one('a(None)'), one('b(1)')], [missing('m(1)')]])).toEqual([
    1, 2,
  ]);
});

test('a yes is no function, and what claims to be equal also has to be so for the kind of value that is expected', async () => {
  const script = { 'src/a.mjs': 'export const a = { of: () => true, is: true, later: async () => false };\n' };
  const rows = [taken('a.of', '', 'yes'), taken('a.is', '', 'yes'), taken('a.later()', '', 'yes'), taken('a.of', '', 'truth')];
  expect(await told('javascript', script, [rows])).toEqual([0, 2]);
  const python = {
    'src/a.py':
      'from datetime import date\n\n\nclass Day(date):\n    def __eq__(self, other):\n        return True\n\n\nclass Plain(date):\n    pass\n\n\ndef yes():\n    return True\n',
  };
  const one = call('from src.a import Day, Plain, date, yes');
  const parts = [
    one('Day(2026, 1, 1)', 'date(2026, 1, 2)', 'like'),
    one('Day(2026, 1, 1)', 'date(2026, 1, 1)', 'like'),
    one('Plain(2026, 1, 1)', 'date(2026, 1, 1)', 'like'),
    one('yes', '', 'yes'),
    one('yes()', '', 'yes'),
  ];
  expect(await told('python', python, [parts])).toEqual([0, 3]);
});

test('accepted assertions are asked many times, and things of a class that calls them equal have to show the same', async () => {
  const accepted = (one: PlainAssertion): PlainAssertion => ({ ...one, isAccepted: true });
  const script = {
    'src/a.mjs':
      'let calls = 0;\nexport class Sum {\n  #exact;\n  constructor(exact) {\n    this.#exact = exact;\n    this.round = Math.round(exact);\n  }\n  get exact() {\n    return this.#exact;\n  }\n}\nexport const a = { few: () => (calls += 1) < 20, Sum };\n',
  };
  const row = taken('a.few()', 'true');
  const sums = taken('new a.Sum(1.2)', 'new a.Sum(1)', 'deep');
  expect(await told('javascript', script, [[row, sums]])).toEqual([]);
  expect(await told('javascript', script, [[accepted(row), accepted(sums), accepted(taken('a.few', '', 'truth'))]])).toEqual([1, 0]);
  const python = {
    'src/a.py':
      'calls = []\n\n\ndef few():\n    calls.append(1)\n    return len(calls) < 20\n\n\nclass Sum:\n    def __init__(self, exact):\n        self.exact = exact\n\n    def __eq__(self, other):\n        return round(self.exact) == round(other.exact)\n',
  };
  const one = call('from src.a import Sum, few');
  const rows = [one('few()', 'True', 'like'), one('Sum(1.2)', 'Sum(1)', 'like'), one('Sum(1)', 'Sum(1)', 'like')];
  expect(await told('python', python, [rows])).toEqual([]);
  expect(await told('python', python, [rows.map(accepted)])).toEqual([1, 0]);
});

test('a list without an order, where the test says by two of them that it has none', async () => {
  const files = {
    'a.py': 'class Bag(list):\n    def __eq__(self, other):\n        return True\n\n\ndef a(text):\n    return Bag(text.split())\n',
  };
  const one = call('from a import a');
  const [inOrder, turned, other] = [one("a('b a')", "['b', 'a']"), one("a('b a')", "['a', 'b']"), one("a('b a')", "['a', 'c']")];
  expect(await told('python', files, [[inOrder, turned]])).toEqual([]);
  expect(await told('python', files, [[turned]])).toEqual([0]);
  expect(await told('python', files, [[inOrder], [turned]])).toEqual([1]);
  expect(await told('python', files, [[inOrder, { ...turned, isAccepted: true }]])).toEqual([1]);
  expect(await told('python', files, [[inOrder, turned, other]])).toEqual([2]);
});

test('what was stopped is off by the last number that it asked, what it told before counts, and what ended without a word says nothing', () => {
  expect(readTold('word@0\nother@7\nword@3\n', 'word', true)).toEqual([3]);
  expect(readTold('word@0\nword@1\nword[0]\nother@7\n', 'word', true)).toEqual([0]);
  expect(readTold('other@7\n', 'word', true)).toEqual([]);
  expect(readTold('word@0\nword@1\n', 'word')).toBeNull();
});
