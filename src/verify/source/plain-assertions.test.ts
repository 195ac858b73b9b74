import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { plainAssertions } from './plain-assertions.ts';
import { readSource } from './read-source.ts';

const PATHS = new Set(['src/a.js', 'src/b/index.js', 'src/c.ts', 'src/a.py', 'pkg/__init__.py', 'test/help.js']);

async function asked(path: string, text: string): Promise<[string, string, string, ...string[]][]> {
  const reading = (await readSource(nodePlatform(), path, text))!;
  return plainAssertions(path, text, reading, { paths: PATHS, isOfTests: (one) => one.startsWith('test') }).map((one) => [
    one.compares,
    one.left.trim(),
    one.right.trim(),
    ...one.loads,
  ]);
}

const A = "import { a } from '../src/a.js';\n";
const LOADS = 'import { a } from "./src/a.js";';
const inTest = (...lines: string[]): string => `${A}test('x', async () => {\n${lines.join('\n')}\n});\n`;

test.each([
  ['an assertion of node', "assert.equal(a('x, y'), [1, 2], 'words');", ['loose', "a('x, y')", '[1, 2]', LOADS]],
  ['a matcher', 'expect(a({ b: 1 }).c).toEqual({ d: null });', ['like', 'a({ b: 1 }).c', '{ d: null }', LOADS]],
  ['a number that is near', 'expect(a(0.1)).toBeCloseTo(0.3, 5);', ['near', 'a(0.1)', '[0.3, 5]', LOADS]],
  ['a condition', "assert.ok(a(1).startsWith('b'));", ['truth', "a(1).startsWith('b')", '', LOADS]],
  ['a promise', 'assert.deepStrictEqual(await a(1), new Map());', ['deep', 'await a(1)', 'new Map()', LOADS]],
  ['one that a test is handed', "t.is(a(1), 2, 'words');", ['like', 'a(1)', '2', LOADS]],
  ['one of tape by another name', 'st.deepEqual(a(1), [2]);', ['like', 'a(1)', '[2]', LOADS]],
  ['a truth that a test is handed', 't.true(a(1));', ['truth', 'a(1)', '', LOADS]],
  ['an equality of chai', 'expect(a(1)).to.equal(2);', ['like', 'a(1)', '2', LOADS]],
  ['a deep one', 'expect(a(1)).to.be.deep.equal([2]);', ['like', 'a(1)', '[2]', LOADS]],
])('%s is asked outside of its test', async (_, line, expected) => {
  expect(await asked('test/a.test.js', inTest(line))).toEqual([expected]);
});

test.each([
  ['a name that changes', 'let b = 1;\nassert.equal(a(b), 2);'],
  ['a name of several things', 'const b = 1, c = 2;\nassert.equal(a(b), 2);'],
  ['a name of an inner block too', 'const b = 1;\nif (b) { const b = 2; }\nassert.equal(a(b), 2);'],
  ['a name that is taken apart', 'const { b } = a(1);\nassert.equal(b, 2);'],
  ['a name that is given later', 'assert.equal(a(b), 2);\nconst b = 1;'],
  ['a member that is named like its value', 'const b = a(1);\nassert.deepEqual(a(2), { b });'],
  ['a value that is a function', 'const b = () => 1;\nassert.equal(a(b), 2);'],
  ['a function', 'assert.equal(a(() => 1), 2);'],
  ['a template', 'assert.equal(a(`${1}`), 2);'],
  ['an assignment', 'let c;\nassert.equal(a(c = 1), 2);'],
  ['another assertion', 'assert.throws(a);'],
  ['a no of chai', 'expect(a(1)).to.not.equal(2);'],
  ['a no of ava', 't.not(a(1), 2);'],
  ['nothing of the project', 'assert.equal(Math.max(1), 1);'],
])('%s is left alone', async (_, lines) => {
  expect(await asked('test/a.test.js', inTest(lines))).toEqual([]);
});

test.each([
  ['one after the other', 'const b = a(1);\nconst c = a(b);\nassert.equal(c, 2);', ['loose', '(a((a(1))))', '2', LOADS]],
  ['over several lines', 'const b = a({\n  c: 1,\n})\n  .d;\nexpect(b).toBe(2);', ['is', '(a({\n  c: 1,\n})\n  .d)', '2', LOADS]],
  ['that are expected', 'const wanted = [1];\nassert.deepStrictEqual(a(0), wanted);', ['deep', 'a(0)', '([1])', LOADS]],
  ['that are waited for', 'const b = await a(1);\nassert.equal(b.c, 2);', ['loose', '(await a(1)).c', '2', LOADS]],
  ['as members and keys with the same name', 'const b = a(1);\nassert.deepEqual(b.b, { b: 1 });', ['like', '(a(1)).b', '{ b: 1 }', LOADS]],
])('names stand for the values that a test gives them: %s', async (_, lines, expected) => {
  expect(await asked('test/a.test.js', inTest(lines))).toEqual([expected]);
});

test('names of Python stand for their values too, where they are given once', async () => {
  const text =
    "from src.a import a\n\n\ndef test_x():\n    made = a(\n        'x',\n    )\n    wanted = [1]\n    assert made == wanted\n    count = 1\n    count += 1\n    assert a(count) == 2\n    for other in made:\n        assert a(other) == 1\n    b, c = a(1), 2\n    assert a(c) == 2\n";
  expect(await asked('tests/test_a.py', text)).toEqual([['like', "(a(\n        'x',\n    ))", '([1])', 'from src.a import a']]);
});

test('values that modules of the language make are asked about like others', async () => {
  const date = 'from datetime import date';
  const text = `${date}\nfrom random import random\nfrom src.a import a\n\n\ndef test_x():\n    assert a(1) == date(2026, 1, 2)\n    assert a(1) == random()\n    assert date(1, 1, 1) == date(1, 1, 1)\n`;
  expect(await asked('tests/test_a.py', text)).toEqual([['like', 'a(1)', 'date(2026, 1, 2)', date, 'from src.a import a']]);
  const join = "import { join } from 'node:path';";
  expect(await asked('test/a.test.js', `${join}\n${inTest("assert.equal(a(1), join('b', 'c'));")}`)).toEqual([
    ['loose', 'a(1)', "join('b', 'c')", join, LOADS],
  ]);
});

test('TypeScript is loaded by imports', async () => {
  const text = "import { c } from '../src/c';\nimport type { D } from '../src/d';\ntest('x', () => {\n  expect(c(1)).toBe(2);\n});\n";
  expect(await asked('test/c.test.ts', text)).toEqual([['is', 'c(1)', '2', 'import { c } from "./src/c.ts";']]);
});

test('modules are loaded from the root, by the file that they are; those of tests and of other languages are not', async () => {
  const text = [
    "const { b } = require('../src/b');",
    "const { help } = require('./help.js');",
    "const { c } = require('../src/c');",
    "test('x', () => {\n  expect(b(1)).toBe(2);\n  expect(help(1)).toBe(2);\n  expect(c(1)).toBe(2);\n});",
  ].join('\n');
  expect(await asked('test/b.test.js', text)).toEqual([['is', 'b(1)', '2', 'const { b } = require("./src/b/index.js");']]);
});

test('conditions of Python are asked without their message, and equalities side by side', async () => {
  const text =
    "import os\nfrom src.a import a as b\nimport pkg\n\n\ndef test_x(tmp_path):\n    assert b('x', key=1) == [True, None], 'words'\n    assert not pkg.c('d')\n    assert b(tmp_path)\n    assert os.sep == b(1)\n    assert f'{b(1)}'\n";
  expect(await asked('tests/test_a.py', text)).toEqual([
    ['like', "b('x', key=1)", '[True, None]', 'from src.a import a as b'],
    ['truth', "not pkg.c('d')", '', 'import pkg'],
  ]);
});

test('methods of classes of tests are asked in Python too, and what uvu calls equal need not be the same', async () => {
  const lines = [
    'self.assertEqual(a(1), [2], "words")',
    'self.assertFalse(a(2))',
    'self.assertTrue(a(self.x))',
    'self.assertIn(a(1), [2])',
  ];
  const text = `from src.a import a\nimport unittest\n\n\nclass T(unittest.TestCase):\n    def test_x(self):\n        ${lines.join('\n        ')}\n`;
  expect(await asked('tests/test_a.py', text)).toEqual([
    ['like', 'a(1)', '[2]', 'from src.a import a'],
    ['truth', 'not (a(2))', '', 'from src.a import a'],
  ]);
  const uvu = `import * as assert from 'uvu/assert';\n${inTest('assert.equal(a(1), [2]);', 'assert.is(a(1), 2);')}`;
  expect((await asked('test/a.test.js', uvu)).map(([way]) => way)).toEqual(['like', 'like']);
});

test('the root of the project is a module too, however it is written', async () => {
  const paths = new Set(['index.js', 'lib/index.js']);
  const loadsOf = async (specifier: string): Promise<string[]> => {
    const text = `const a = require('${specifier}');\ntest('x', () => {\n  assert.equal(a(1), 2);\n});\n`;
    const reading = (await readSource(nodePlatform(), 'test/a.test.js', text))!;
    return plainAssertions('test/a.test.js', text, reading, { paths, isOfTests: () => false }).flatMap((one) => one.loads);
  };
  for (const specifier of ['..', '../']) expect(await loadsOf(specifier)).toEqual(['const a = require("./index.js");']);
  expect(await loadsOf('../lib/')).toEqual(['const a = require("./lib/index.js");']);
});
