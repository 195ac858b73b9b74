import { describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { readSource } from '../source/read-source.ts';
import { mostCopies, mutateTests, type MutatedTests } from './mutate.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
const mutated = async (text: string, path: string, options?: Parameters<typeof mutateTests>[3]): Promise<MutatedTests> =>
  mutateTests(text, (await readSource(platform, path, text))!, OTHER, options);

const OTHER = { word: 'qx', offset: 4817 };

const bodyOf = async (path: string, text: string): Promise<string> => (await mutated(text, path)).text;
const js = async (line: string): Promise<string> =>
  (await bodyOf('a.test.js', `test('a', async () => {\n  ${line}\n});\n`)).split('\n').slice(1, -2).join('\n').trim();
const py = async (line: string): Promise<string> =>
  (await bodyOf('test_a.py', `def test_a():\n    ${line}\n`)).split('\n').slice(1, -1).join('\n').trim();

describe('the expected value of a JavaScript assertion is changed', () => {
  test.each([
    ['assert.equal(f(1), 2);', 'assert.equal(f(1), (2 + 1));'],
    ['expect(f(1)).toContain(2);', 'expect(f(1)).toContain((2 + 4817));'],
    ["assert.equal(f('a'), 'b', 'why');", "assert.equal(f('a'), 'bqx', 'why');"],
    ['assert.deepEqual(f(), [1, x]);', 'assert.deepEqual(f(), [(1 + 1), x]);'],
    ['assert.strictEqual(true, f());', 'assert.strictEqual(false, f());'],
    ['assert.deepStrictEqual(f({ a: 1 }), { a: 2 });', 'assert.deepStrictEqual(f({ a: 1 }), { a: (2 + 1) });'],
    ['expect(f(3)).toBe(-4.5);', 'expect(f(3)).toBe((-4.5 + 1));'],
    ['expect(f()).toEqual({});', 'expect(f()).toEqual({qx: 1});'],
    ['await expect(f()).resolves.toBe(`a${b}`);', 'await expect(f()).resolves.toBe(`aqx${b}`);'],
    ["expect(() => f()).toThrow('no');", "expect(() => f()).toThrow('nqxo');"],
    ["expect(f()).to.deep.equal('x');", "expect(f()).to.deep.equal('xqx');"],
    ['expect(f()).toBe(null);', "expect(f()).toBe('qx');"],
    ["equal(f(), 'it\\'s (');", "equal(f(), 'iqxt\\'s (');"],
    ['assert.equal(f(), 1 + x); assert.equal(g(), 3);', 'assert.equal(f(), 1 + x); assert.equal(g(), (3 + 1));'],
  ])('%s', async (before, after) => expect(await js(before)).toBe(after));
});

describe('a condition that has to hold is compared with other literals', () => {
  test.each([
    ["assert.ok(f() === 'a' || f().length > 0);", "assert.ok(f() === 'aqx' || f().length > 0);"],
    ['expect(f() == 2 || g() === 3).toBeTruthy();', 'expect(f() == (2 + 1) || g() === (3 + 1)).toBeTruthy();'],
    ["assert(!(f() === 'a'));", "assert(!(!(f() === 'a')\n));"],
    ["expect(f() === 'a').toBeFalsy();", "expect(f() === 'a').not.toBeFalsy();"],
  ])('%s', async (before, after) => expect(await js(before)).toBe(after));
});

describe('plain calls', () => {
  const changed = async (path: string, text: string, calls: boolean): Promise<string> => (await mutated(text, path, { calls })).text;

  test('are changed only where that is asked for and no assertion is known', async () => {
    const text = "test('a', () => {\n  check(sum(5, 5), 10);\n});\n";
    expect(await changed('a.test.js', text, true)).toContain('check(sum(5, 5), (10 + 1));');
    expect(await changed('a.test.js', text, false)).toBe(text);
    expect(await changed('a.test.js', "test('a', () => {\n  prepare('x');\n  assert.equal(f(), 1);\n});\n", true)).toContain(
      "prepare('x')",
    );
  });

  test('are changed in Python too', async () => {
    expect(await changed('test_a.py', "def test_a():\n    check(f(1), 'b')\n", true)).toContain("check(f(1), 'bqx')");
  });
});

describe('an assertion without a literal is turned into its opposite', () => {
  test.each([
    ['assert.ok(f());', 'assert.ok(!(f()\n));'],
    ['assert(f(1, 2), "text");', 'assert(!(f(1, 2)\n), "text");'],
    ['assert.deepEqual(f(), wanted);', 'assert.notDeepEqual(f(), wanted);'],
    ['await assert.rejects(f());', 'await assert.doesNotReject(f());'],
    ['expect(f()).toBeTruthy();', 'expect(f()).not.toBeTruthy();'],
    ['expect(f()).not.toBe(3);', 'expect(f()).toBe(3);'],
    ['await expect(f()).rejects.toThrow();', 'await expect(f()).rejects.not.toThrow();'],
    ['assert.notEqual(f(), 3);', 'assert.equal(f(), 3);'],
  ])('%s', async (before, after) => expect(await js(before)).toBe(after));
});

describe('Python', () => {
  test.each([
    ['assert f(1) == 2', 'assert f(1) == (2 + 1)'],
    ["assert f(1) == 'b', 'why'", "assert f(1) == 'bqx', 'why'"],
    ["assert f(1) == 'AB!'", "assert f(1) == 'AQXB!'"],
    ["assert f(1) == '4.2'", "assert f(1) == '44817.2'"],
    ["assert f(1) == '\\n', 'a line'", "assert f(1) == '\\nqx', 'a line'"],
    ['assert 3 == f()', 'assert (3 + 1) == f()'],
    ['assert f() == {1, 2}', 'assert f() == {(1 + 1), (2 + 1)}'],
    ["assert f() == {'a': {1}}", "assert f() == {'a': {(1 + 1)}}"],
    ['assert f() == [\n        1,\n    ]', 'assert f() == [\n        (1 + 1),\n    ]'],
    ['assert f() == pytest.approx(0.5)', 'assert f() == pytest.approx((0.5 + 4817))'],
    ['assert f() is True', 'assert f() is False'],
    ['assert f() == 1 and g() == 2', 'assert f() == (1 + 1) and g() == (2 + 1)'],
    ['assert f()', 'assert not (f())'],
    ['assert not f() == 1', 'assert not (not f() == 1)'],
    ["assert 'a' in f(x)", "assert 'aqx' in f(x)"],
    ['self.assertEqual(f(), "x")', 'self.assertEqual(f(), "xqx")'],
    ["assert f() == (1, 'a')", "assert f() == ((1 + 1), 'aqx')"],
    ['with pytest.raises(KeyError):\n        f()', 'with pytest.raises(StopAsyncIteration):\n        f()'],
    ['with self.assertRaises(KeyError):\n        f()', 'with self.assertRaises(StopAsyncIteration):\n        f()'],
    ['with pytest.raises((KeyError, ValueError)):\n        f()', 'with pytest.raises(StopAsyncIteration):\n        f()'],
  ])('%s', async (before, after) => expect(await py(before)).toBe(after));
});

test('text outside of tests, in titles, strings and comments stays', async () => {
  const text = "assert.equal(1, 1);\n// expect(1).toBe(1)\ntest('is toBe(1)', () => { log('assert.equal(1, 2)'); check(1); });\n";
  expect(await mutated(text, 'a.test.js')).toEqual({ text, titles: [], count: 0, known: ['is toBe(1)'], untitled: false, copies: [] });
});

test('titles are named where they stand for one kind of test alone', async () => {
  const text =
    "describe('g', () => { it('one', () => { expect(f()).toBe(1); }); it('two', () => check()); it('two', () => expect(f()).toBe(2)); it(`n ${n}`, () => expect(f()).toBe(3)); });\ntest.each([1, 2])('each %d', (n) => { expect(f(n)).toBe(4); });";
  expect(await mutated(text, 'a.test.ts')).toMatchObject({ titles: ['one'], count: 4, known: ['one', 'two', 'two'], untitled: true });
  expect(await mutated(`${text}\nit(name, () => check());`, 'a.test.ts')).toMatchObject({ count: 4, untitled: false });
  expect(
    await mutated(
      'class TestA:\n    def test_one(self):\n        assert f() == 1\n\n    def test_two(self): assert g()\n\ndef helper(): assert 1 == 1\n',
      'test_a.py',
    ),
  ).toMatchObject({ titles: ['test_one', 'test_two'], text: expect.stringContaining('def helper(): assert 1 == 1') });
});

test('copies have one value changed each', async () => {
  let count = 0;
  const text = "describe('g', () => {\n  test('a', () => {\n    expect(f()).toEqual({ sum: 5, parts: ['x'] });\n  });\n});\n";
  const { text: changed, copies } = await mutated(text, 'a.test.js', { calls: false, names: () => `copy ${(count += 1)}` });
  expect(copies.map((one) => [one.name, one.title])).toEqual([
    ['copy 1', 'a'],
    ['copy 2', 'a'],
  ]);
  expect([...changed.matchAll(/toEqual\((.*)\);/g)].map((match) => match[1])).toEqual([
    "{ sum: (5 + 1), parts: ['xqx'] }",
    "{ sum: (5 + 1), parts: ['x'] }",
    "{ sum: 5, parts: ['xqx'] }",
  ]);
});

describe('a copy has an expected list in another order', () => {
  const orders = async (path: string, text: string): Promise<string[]> => {
    let count = 0;
    const made = await mutated(text, path, { calls: false, names: () => `copy_${(count += 1)}_` });
    const names = made.copies.filter((one) => one.list !== undefined).map((one) => one.name);
    return names.map((name) => made.text.slice(made.text.indexOf(name)).split('\n').slice(1, 2)[0]!.trim());
  };
  const inJs = (line: string): Promise<string[]> =>
    orders('a.test.js', `const WANTED = ['a', 'b'];\ntest('a', async () => {\n  ${line}\n});\n`);
  const inPy = (line: string): Promise<string[]> => orders('test_a.py', `WANTED = ("a", "b")\n\ndef test_a():\n    ${line}\n`);

  test.each([
    ['expect(f()).toEqual([1, 2, 3]);', ['expect(f()).toEqual([2, 1, 3]);']],
    ['expect(f()).toEqual({ a: [[1, 2], [1, 3]] });', ['[[1, 3], [1, 2]]', '[[2, 1], [1, 3]]', '[[1, 2], [3, 1]]']],
    ['assert.deepEqual(f(), [{ id: 1 }, { id: 2 }]);', ['[{ id: 2 }, { id: 1 }]']],
    ["assert.deepEqual(['a', g(), 'b'], f());", ["['b', g(), 'a']"]],
    ['expect(f()).to.deep.equal([1, 2]);', ['[2, 1]']],
    ['expect(f()).toStrictEqual(WANTED);', ["((['b', 'a']))"]],
    ["expect(f()).toEqual(['x', 'x', 'y']);", ["['y', 'x', 'x']"]],
  ])('%s', async (line, wanted) => {
    const found = await inJs(line);
    expect(found).toHaveLength(wanted.length);
    for (const [at, words] of wanted.entries()) expect(found[at]).toContain(words);
  });

  test.each([
    ['assert f() == [1, 2, 3]', ['assert f() == [2, 1, 3]']],
    ["assert f() == {'a': (1, 2)} and g() == 3", ["{'a': (2, 1)}"]],
    ['assert [1, 2] == f()', ['[2, 1]']],
    ['self.assertListEqual(f(), [1, 2])', ['[2, 1]']],
    ['assert f() == WANTED', ['(("b", "a"))']],
    ['assert sorted(f()) == [1, 2]', ['assert sorted(f()) == [2, 1]']],
  ])('%s', async (line, wanted) => {
    const found = await inPy(line);
    expect(found).toHaveLength(wanted.length);
    for (const [at, words] of wanted.entries()) expect(found[at]).toContain(words);
  });

  test.each([
    'expect(f()).not.toEqual([1, 2]);',
    'expect(f()).toEqual(new Set([1, 2]));',
    'expect(f()).toEqual(expect.arrayContaining([1, 2]));',
    'expect(f()).toMatchObject([{ a: 1 }, { b: 2 }]);',
    'expect(f()).to.have.members([1, 2]);',
    'expect(f()).to.deep.include([1, 2]);',
    'expect(f).toHaveBeenCalledWith([1, 2]);',
    'expect(f()).toEqual([g(1), g(2)]);',
    "assert.deepEqual(f(), [1, '1', true, +1]);",
    'expect(f()).toEqual([{}, { a: undefined }]);',
    "expect(f()).toEqual([{ a: 1, b: 2 }, { b: 2, a: 1 }, 'x\\x41'].slice(0, 2));",
    "expect(f()).toEqual(['A', '\\x41']);",
    'expect(f()).toEqual({ a: 1, b: 2 });',
    'WANTED.sort(); expect(f()).toEqual(WANTED);',
  ])('but not where it may hold as well: %s', async (line) => expect(await inJs(line)).toEqual([]));

  test.each([
    'assert f() == {1, 2}',
    'assert f() == set([1, 2])',
    'assert f() == sorted([1, 2])',
    'assert f() == pytest.approx([1, 2])',
    "assert f() == {'a': 1, 'b': 2}",
    'assert f() in [1, 2]',
    'assert f() != [1, 2]',
    'assert f() == [1, 2] or g()',
    'assert f() == [1, 1.0, True]',
    'self.assertCountEqual(f(), [1, 2])',
    'self.assertCountEqual(f(), WANTED)',
  ])('nor in Python: %s', async (line) => expect(await inPy(line)).toEqual([]));
});

test('of more values than a file may have copies of, some are chosen from all of its tests', async () => {
  const tests = Array.from({ length: 12 }, (_, at) => `test('t${at}', () => { ${`equal(f(), ${at}); `.repeat(10)}});`).join('\n');
  let [count, die] = [0, 7];
  const dice = (limit: number): number => (die = (die * 31 + 11) % 1_009) % limit;
  const { copies, titles } = await mutated(`import { equal } from 'node:assert';\n${tests}\n`, 'a.test.js', {
    calls: false,
    names: () => `copy ${(count += 1)}`,
    dice,
    most: mostCopies(10),
  });
  expect(copies).toHaveLength(16);
  expect(new Set(copies.map((one) => one.title)).size).toBeGreaterThan(4);
  expect(titles).toHaveLength(12);
  expect([mostCopies(1), mostCopies(4), mostCopies(100)]).toEqual([160, 40, 16]);
});
