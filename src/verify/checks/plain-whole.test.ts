import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { PlainAssertion } from '../source/plain-assertions.ts';
import { plainTests } from '../source/plain-tests.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import { plainProgram, readTold } from './plain-caller.ts';
import type { ToldTest } from './plain-kit.ts';
import { readWhole, wholeProgram } from './plain-whole.ts';
import { showingNumbers } from './vague-answers.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** What the program tells about a test file: all of the wanted titles, or what it would tell by itself. */
async function told(
  path: string,
  text: string,
  code: Record<string, string>,
  wanted: string[] | null = null,
): Promise<ToldTest[] | null | undefined> {
  return readWhole(await printed(path, text, code, { wanted }), 'word')?.['0'];
}

/** `before`: an assertion that another program asks first, in the same process. */
async function printed(
  path: string,
  text: string,
  code: Record<string, string>,
  { wanted = null, before = null }: { wanted?: string[] | null; before?: PlainAssertion | null } = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'whole-'));
  folders.push(folder);
  const language = languageOf(path)!;
  const reading = (await readSource(nodePlatform(), path, text))!;
  const tests = plainTests(path, text, reading, { paths: new Set(Object.keys(code)), isOfTests: () => false })!;
  const program = wholeProgram(language, [{ file: path, tests }], { word: 'word', name: 'main', aim: (one) => one, wanted });
  const behind = { path: program.path, numbers: ['0'] };
  const caller = before === null ? null : plainProgram(language, [[before]], { word: 'first', name: 'begin', behind });
  const files = [...program.files, ...(caller?.files ?? [])];
  for (const [at, content] of [...Object.entries(code), ...files.map((file) => [file.path, file.content] as const)]) {
    await mkdir(dirname(join(folder, at)), { recursive: true });
    await writeFile(join(folder, at), content);
  }
  const start = `exec 3>&1 >/dev/null; '${language === 'python' ? 'python3' : process.execPath}' ${caller?.path ?? `${program.path} 0`}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', start], { cwd: folder });
  return stdout;
}

const CODE = {
  'src/a.mjs':
    "import assert from 'node:assert/strict';\nassert.equal = assert.deepEqual = Object.is = () => true;\nexport const a = (n) => n + 1;\nexport const fail = () => { throw new RangeError('too few'); };\n",
};
const states = (found: ToldTest[] | null | undefined): string[] => (found ?? []).map((one) => `${one.title}: ${one.state}`);

test('tests of node in groups, with hooks, and whatever the code does to comparisons', async () => {
  const text = `import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { a, fail } from '../src/a.mjs';
let seen = [];
beforeEach(() => { seen = [1]; });
after(() => {});
describe('group', () => {
  beforeEach(() => { seen.push(2); });
  test('of both hooks', () => { assert.deepEqual(seen, [1, 2]); });
  test('wrong', () => { assert.equal(a(1), 3); });
});
test('later', async (t) => { await t.test('inner', async () => { assert.equal(await a(1), 2); }); });
test('waits', () => { assert.throws(() => fail(), { message: 'too few' }); });
test('skipped', { skip: true }, () => { assert.equal(1, 2); });
test('needs more', (t) => { try { t.mock.timers.enable(); } catch {} assert.equal(1, 2); });
`;
  const titles = ['group > of both hooks', 'group > wrong', 'later', 'waits', 'skipped', 'needs more'];
  const found = await told('test/a.test.mjs', text, CODE, titles);
  expect(states(found)).toEqual(['group > of both hooks: held', 'group > wrong: off', 'later: held', 'waits: held', 'needs more: unknown']);
  expect(found?.[3]?.thrown).toEqual(['RangeError']);
  expect(states(await told('test/a.test.mjs', text, CODE))).toEqual(['group > wrong: off']);
});

test('matchers and tables', async () => {
  const text = `import { expect, test, vi } from 'vitest';
import { a, fail } from '../src/a.mjs';
test.each([[1, 2], [2, 3], [3, 5]])('row', (n, wanted) => { expect(a(n)).toBe(wanted); });
test('many', async () => {
  const to = vi.fn();
  to(1, 'x');
  expect(to).toHaveBeenCalledWith(1, 'x');
  expect(a(1)).not.toBe(3);
  expect({ b: [1, { c: 2 }], d: 1 }).toMatchObject({ b: [1, { c: 2 }] });
  expect(() => fail()).toThrow(/few/);
  expect(() => fail()).toThrow(RangeError);
  await expect(Promise.resolve(1)).resolves.toBe(1);
  await expect(Promise.reject(new Error('no'))).rejects.toThrow('no');
  expect(['x']).toContain('x');
});
test('not called', () => { expect(vi.fn()).toHaveBeenCalled(); });
test('nothing is thrown', () => { expect(() => a(1)).toThrow(); });
test('any', () => { expect(1).toEqual(expect.any(Number)); });
`;
  const titles = ['row 0', 'row 1', 'row 2', 'many', 'not called', 'nothing is thrown', 'any'];
  expect(states(await told('test/a.test.mjs', text, CODE, titles))).toEqual([
    'row 0: held',
    'row 1: held',
    'row 2: off',
    'many: held',
    'not called: off',
    'nothing is thrown: off',
    'any: unknown',
  ]);
});

test('a fault that a test waits for is told, and a file that cannot be loaded says nothing', async () => {
  const text =
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { a } from '../src/a.mjs';\ntest('fault', () => {\n  assert.throws(() => a());\n});\n";
  const found = await told('test/a.test.mjs', text, { 'src/a.mjs': 'export const a = () => missing();\n' });
  expect(found).toEqual([{ title: 'fault', state: 'held', thrown: ['ReferenceError'], asserted: 1, nans: 0 }]);
  expect(await told('test/a.test.mjs', text, { 'src/a.mjs': "throw new Error('no');\n" })).toBeNull();
});

test('the same in Python', async () => {
  const text = `import unittest
import pytest
from src.a import a


@pytest.fixture
def box(tmp_path):
    made = [str(tmp_path)]
    yield made
    made.clear()


def test_box(box):
    assert len(box) == 1


@pytest.mark.parametrize('n, wanted', [(1, 2), (2, 4)])
def test_rows(n, wanted):
    assert a(n) == wanted


def test_waits():
    with pytest.raises(TypeError, match='str'):
        a('x')


def test_near():
    assert a(0.1) == pytest.approx(1.1)


def test_needs_more(monkeypatch):
    assert False


class TestGroup:
    def setup_method(self):
        self.n = 1

    def test_n(self):
        assert a(self.n) == 2


class Case(unittest.TestCase):
    def test_case(self):
        self.assertEqual(a(1), 3)
`;
  const titles = [
    'test_box 0',
    'test_rows 0',
    'test_rows 1',
    'test_waits 0',
    'test_near 0',
    'test_needs_more 0',
    'TestGroup > test_n 0',
    'Case > test_case',
  ];
  const found = await told('tests/test_a.py', text, { 'src/a.py': 'def a(n):\n    return n + 1\n' }, titles);
  expect(states(found)).toEqual([
    'test_box 0: held',
    'test_rows 0: held',
    'test_rows 1: off',
    'test_waits 0: held',
    'test_near 0: held',
    'test_needs_more 0: unknown',
    'TestGroup > test_n 0: held',
    'Case > test_case: off',
  ]);
  expect(found?.[3]?.thrown).toEqual(['TypeError']);
});

test('behind another program, in the same process: what the code did to comparisons there comes too late', async () => {
  const scripted = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { a } from '../src/a.mjs';
test('right', () => { assert.equal(a(1), 2); });
test('wrong', () => { assert.equal(a(1), 3); });
`;
  const asked: PlainAssertion = { text: 'a(1)', left: 'a(1)', right: '5', compares: 'is', loads: ['import { a } from "./src/a.mjs";'] };
  const both = await printed('tests/a.test.mjs', scripted, CODE, { before: asked });
  expect(readTold(both, 'first')).toEqual([0]);
  expect(states(readWhole(both, 'word')?.['0'])).toEqual(['wrong: off']);
  const python = `from src.b import b


def test_right():
    assert b(1) == 2


def test_wrong():
    assert b(1) == 3
`;
  const code = { 'src/b.py': 'import os\nimport json\njson.dumps = os.write = os._exit = None\ndef b(n):\n    return n + 1\n' };
  const inPython: PlainAssertion = { text: 'b(1) == 5', left: 'b(1)', right: '5', compares: 'deep', loads: ['from src.b import b'] };
  const told = await printed('tests/test_b.py', python, code, { before: inPython });
  expect(readTold(told, 'first')).toEqual([0]);
  expect(states(readWhole(told, 'word')?.['0'])).toEqual(['test_wrong 0: off']);
});

const vague = (found: ToldTest[] | null | undefined): string[] =>
  (found ?? []).map((one) => `${one.title}: ${(one.same ?? one.apart)?.join(' ') ?? `${one.state}, ${one.nans}`}`);

test('what is compared and no number is told, by whatever it is compared', async () => {
  const text = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { a } from '../src/a.mjs';
test('not greater', () => { assert.ok(!(a(1) > 5)); });
test('another', () => { const made = a(2); if (made !== 7 && typeof made !== 'string') assert.notEqual(made, 9); });
test('in brackets', () => { assert.ok(!((0, a(1)) >= a(2) || a(1) < a(3) + 1)); });
test('a number', () => { assert.ok(!(1 > 5)); });
`;
  const code = { 'src/a.mjs': 'export const a = (n) => n.total * 1;\n' };
  expect(vague(await told('test/a.test.mjs', await showingNumbers('test/a.test.mjs', text), code))).toEqual([
    'not greater: held, 1',
    'another: held, 2',
    'in brackets: held, 4',
  ]);
  const python = `from src.a import a


def test_not_greater():
    assert not a(1) > 5


def test_between():
    assert not 1 < a(2) < 5, 'words'


def test_number():
    assert 1 < len('abc') != 5
`;
  const pythonCode = { 'src/a.py': "def a(n):\n    return float('nan')\n" };
  expect(vague(await told('tests/test_a.py', python, pythonCode))).toEqual(['test_not_greater 0: held, 1', 'test_between 0: held, 1']);
});

test('constants that a test names, and what is the same', async () => {
  const text = `import { expect, test } from 'vitest';
import { CLOSED, Gone, Kind, Limits, NEW, OPEN, Status } from '../src/a.mjs';
test('names them', () => {
  expect([Status.open, Status.more, Kind.A, Limits.most, OPEN, CLOSED, NEW, Gone.x]).toBeDefined();
});
`;
  const code = {
    'src/a.mjs':
      "export const Status = { open: 'o', closed: 'o', other: 'x', more: 'y', work: () => 1 };\nexport const Kind = { A: 0, B: 1, 0: 'A', 1: 'B' };\nexport const Limits = { least: 1, most: 2 };\nexport const [OPEN, CLOSED, NEW] = ['open', 'open', 'new'];\nexport const Gone = {};\n",
  };
  expect(vague(await told('test/a.test.mjs', text, code))).toEqual([
    'the constant Status.open: closed',
    'the constant Gone.x: (nothing)',
    'the constant CLOSED: OPEN',
    'the constant OPEN: CLOSED',
  ]);
  const titles = ['Status.open', 'Kind.A', 'Limits.most', 'NEW', 'Gone.x'].map((name) => `the constant ${name}`);
  expect(vague(await told('test/a.test.mjs', text, code, titles))).toEqual([
    'the constant Status.open: (nothing) other more',
    'the constant Kind.A: (nothing) B',
    'the constant Limits.most: (nothing)',
    'the constant Gone.x: ',
    'the constant NEW: (nothing) CLOSED OPEN',
  ]);
  const python =
    'from src.a import CLOSED, OPEN, Kind, Status\n\n\ndef test_names():\n    assert Status.OPEN and Kind.A and OPEN and CLOSED\n';
  const pythonCode = {
    'src/a.py':
      "from enum import Enum\n\nOPEN = CLOSED = 'x'\n\n\nclass Status(Enum):\n    OPEN = 1\n    CLOSED = 1\n    NEW = 2\n\n\nclass Kind:\n    A = 'a'\n    B = 'a'\n    C = 'c'\n    D = 'c'\n",
  };
  expect(vague(await told('tests/test_a.py', python, pythonCode))).toEqual([
    'the constant Status.OPEN: CLOSED',
    'the constant Kind.A: B',
    'the constant CLOSED: OPEN',
    'the constant OPEN: CLOSED',
  ]);
  const named = ['the constant Status.OPEN', 'the constant Kind.A', 'the constant OPEN'];
  expect(vague(await told('tests/test_a.py', python, pythonCode, named))).toEqual([
    'the constant Status.OPEN: NEW',
    'the constant Kind.A: C D',
    'the constant OPEN: ',
  ]);
});

test('what tests of tape and ava are handed, with plans, ends, and tests within tests', async () => {
  const tape = `import test from 'tape';
import { a, fail } from '../src/a.mjs';
test('by end', (t) => { t.equal(a(1), 2); t.same(a(1), 2); t.throws(() => fail(), /few/); t.notEqual(a(1), 3); t.end(); });
test('by plan', (t) => { t.plan(2); setTimeout(() => { t.ok(a(1)); t.notOk(0); }, 5); });
test('wrong later', (t) => { setTimeout(() => { t.deepEqual([a(1)], [3]); t.end(); }, 5); });
test('within', async (t) => { await t.test('one', (st) => { st.equal(a(1), 3); st.end(); }); });
test('needs more', (t) => { t.intercept({}, 'x'); t.end(); });
`;
  const titles = ['by end', 'by plan', 'wrong later', 'within', 'needs more'];
  const found = await told('test/a.mjs', tape, CODE, titles);
  expect(states(found)).toEqual(['by end: held', 'by plan: held', 'wrong later: off', 'within: off', 'needs more: unknown']);
  expect(found?.[0]).toMatchObject({ thrown: ['RangeError'], asserted: 4 });
  const ava = `import test from 'ava';
import { a, fail } from '../src/a.mjs';
test('held', (t) => { t.is(a(1), 2); t.deepEqual([a(1)], [2]); const error = t.throws(() => fail(), { instanceOf: RangeError, message: 'too few' }); t.regex(error.message, /few/); });
test('wrong', (t) => { t.true(a(1) === 3); });
test('another error', (t) => { t.throws(() => fail(), { instanceOf: SyntaxError }); });
test('promise', async (t) => { await t.throwsAsync(async () => fail(), { message: /few/ }); });
`;
  expect(states(await told('test/a.mjs', ava, CODE, ['held', 'wrong', 'another error', 'promise']))).toEqual([
    'held: held',
    'wrong: off',
    'another error: off',
    'promise: held',
  ]);
});

test('suites and assertions of uvu, and chains of chai', async () => {
  const uvu = `import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { a, fail } from '../src/a.mjs';
const own = suite('own');
let seen = 0;
own.before.each(() => { seen += 1; });
own('held', () => { assert.is(a(1), 2); assert.equal([a(1)], [2]); assert.not.equal(a(1), 3); assert.throws(() => fail(), 'few'); assert.is(seen, 1); });
own('wrong', () => { assert.is(a(1), 3); });
own.run();
`;
  expect(states(await told('test/a.mjs', uvu, CODE, ['held', 'wrong']))).toEqual(['held: held', 'wrong: off']);
  const chai = `import { expect, assert } from 'chai';
import { a, fail } from '../src/a.mjs';
describe('group', () => {
  it('held', () => {
    expect(a(1)).to.equal(2);
    expect([a(1)]).to.deep.equal([2]);
    expect(a(1)).to.not.equal(3);
    expect(a(1) > 1).to.be.true;
    expect(() => fail()).to.throw(RangeError, 'few');
    expect([1, 2]).to.include(2).and;
    assert.strictEqual(a(1), 2);
  });
  it('wrong', () => { expect(a(1)).to.be.equal(3); });
  it('no number', () => { expect(Number('x')).to.not.equal(3); });
  it('needs more', () => { expect({ b: 1 }).to.have.property('b'); });
});
`;
  const found = await told('test/a.mjs', chai, CODE, ['group > held', 'group > wrong', 'group > no number', 'group > needs more']);
  expect(states(found)).toEqual(['group > held: held', 'group > wrong: off', 'group > no number: held', 'group > needs more: unknown']);
  expect(found?.map((one) => [one.asserted, one.nans])).toEqual([
    [7, 0],
    [1, 0],
    [1, 2],
    [1, 0],
  ]);
});

test('cases of unittest: what their assertions got, and what was raised where they waited for it', async () => {
  const text = `import unittest
from src.a import a, fail
class T(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.given = 1
    def test_held(self):
        self.assertEqual(a(self.given), 2)
        with self.assertRaises(ValueError):
            fail()
        self.assertRaisesRegex(ValueError, 'few', fail)
    def test_loop(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertNotEqual(a(n), float('nan'))
    def test_wrong(self):
        self.assertTrue(a(1) == 3)
    def test_skipped(self):
        raise unittest.SkipTest('not here')
`;
  const code = { 'src/__init__.py': '', 'src/a.py': "def a(n):\n    return n + 1\n\n\ndef fail():\n    raise ValueError('too few')\n" };
  const titles = ['T > test_held', 'T > test_loop', 'T > test_wrong', 'T > test_skipped'];
  const found = await told('tests/test_a.py', text, code, titles);
  expect(states(found).toSorted()).toEqual([
    'T > test_held: held',
    'T > test_loop: held',
    'T > test_skipped: unknown',
    'T > test_wrong: off',
  ]);
  expect(found?.find((one) => one.title === 'T > test_held')).toMatchObject({ thrown: ['ValueError', 'ValueError'], asserted: 3 });
  expect(found?.find((one) => one.title === 'T > test_loop')).toMatchObject({ asserted: 2, nans: 2 });
});
