import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { readSource } from './read-source.ts';
import { changedAssertions, keepsAssertions, keepsCalls, keepsTests, onlyGains, standsIn, type ReadText } from './test-changes.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });

const BEFORE = `import { test } from 'node:test';
import { page } from '../src/page.js';
const rows = [['a', 'b'], ['', '-']];
describe('page', () => {
  test('rows', () => { for (const [text, wanted] of rows) equal(page(text), wanted); });
});
`;

async function keeps(after: string, before = BEFORE): Promise<boolean> {
  const [old, now] = [await readSource(platform, 'a.test.js', before), await readSource(platform, 'a.test.js', after)];
  return keepsTests({ text: before, reading: old! }, { text: after, reading: now! });
}

test.each([
  ['the same', (text: string) => text],
  ['other spacing', (text: string) => text.replaceAll('\n', '\n\n')],
  [
    'another test in the group',
    (text: string) => text.replace("page', () => {\n", "page', () => {\n  test('more', () => equal(page('x'), 'y'));\n"),
  ],
  ['another name from a module', (text: string) => text.replace('{ page }', '{ page, pages }')],
  ['another module', (text: string) => `import { x } from './x.js';\n${text}`],
  ['another value', (text: string) => text.replace('describe', 'const more = [1];\ndescribe')],
])('%s leaves what was asked for', async (_what, change) => {
  expect(await keeps(change(BEFORE))).toBe(true);
});

test.each([
  ['a row less', (text: string) => text.replace(", ['', '-']", '')],
  ['a condition around the tests', (text: string) => text.replace("describe('page'", "if (process.env.X) describe('page'")],
  ['a call before the tests', (text: string) => text.replace('describe', 'Object.assign(page, {});\ndescribe')],
  ['a module that is loaded for what it does', (text: string) => `import './quiet.js';\n${text}`],
  ['another module of the same name', (text: string) => text.replace('../src/page.js', './page.js')],
])('%s does not', async (_what, change) => {
  expect(await keeps(change(BEFORE))).toBe(false);
});

test('what a file requires is compared by what it takes', async () => {
  const before = "const { page } = require('../src/page');\ntest('a', () => expect(page()).toBe(1));\n";
  expect(await keeps(`const more = require('./more');\n${before}`, before)).toBe(true);
  expect(await keeps(before.replace('../src/page', './page'), before)).toBe(false);
});

test.each([
  ['a.test.js', "test('a', () => { expect(f()).toBe(1); });", "test('a', () => { expect(f()).toBe(1); expect(g()).toBe(2); });", true],
  ['a.test.js', "test('a', () => { expect(f()).toBe(1); });", "test.skip('a', () => { expect(f()).toBe(1); });", false],
  ['a.test.js', "test('a', () => { expect(f()).toBe(1); });", "test('a', { todo: true }, () => { expect(f()).toBe(1); });", false],
  [
    'a.test.js',
    "describe('d', () => { test('a', () => { expect(f()).toBe(1); }); });",
    "describe.skip('d', () => { test('a', () => { expect(f()).toBe(1); }); });",
    false,
  ],
  [
    'a.test.js',
    "test.each([[1, 2]])('a %i', (x, y) => { expect(f(x)).toBe(y); });",
    "test.each([[1, 2], [3, 4]])('a %i', (x, y) => { expect(f(x)).toBe(y); });",
    true,
  ],
  [
    'a.test.js',
    "test.each([[1, 2]])('a %i', (x, y) => { expect(f(x)).toBe(y); });",
    "test.skip.each([[1, 2]])('a %i', (x, y) => { expect(f(x)).toBe(y); });",
    false,
  ],
  ['test_a.py', 'def test_a():\n    assert f() == 1\n', '@pytest.mark.skip\ndef test_a():\n    assert f() == 1\n', false],
  [
    'test_a.py',
    "@pytest.mark.parametrize('x', [1])\ndef test_a(x):\n    assert f(x) == 1\n",
    "@pytest.mark.parametrize('x', [1, 2])\ndef test_a(x):\n    assert f(x) == 1\n",
    true,
  ],
])('what is called as it was in %s: %s, then %s', async (path, before, after, wanted) => {
  const [old, now] = [await readSource(platform, path, before), await readSource(platform, path, after)];
  const both = [
    { text: before, reading: old! },
    { text: after, reading: now! },
  ] as const;
  expect([keepsAssertions(...both), keepsCalls(...both)]).toEqual([true, wanted]);
});

test('what a changed test expected and expects now is named for people', async () => {
  const before =
    "import assert from 'node:assert';\ntest('sums', () => { assert.equal(sum(1, 2), 3); assert.equal(sum(2, 2), 4); });\ntest('gone', () => assert.ok(sum));\n";
  const after = "import assert from 'node:assert';\ntest('sums', () => { assert.equal(sum(1, 2), 3.5); });\n";
  const [old, now] = [await readSource(platform, 'a.test.js', before), await readSource(platform, 'a.test.js', after)];
  expect(changedAssertions({ text: before, reading: old! }, { text: after, reading: now! })).toEqual([
    'sums: was “assert.equal(sum(1, 2), 3)”, now “assert.equal(sum(1, 2), 3.5)”',
    'sums: was “assert.equal(sum(2, 2), 4)”, gone now',
    'gone: the test is gone',
  ]);
});

test('tests of one title are held against those that assert what they asserted', async () => {
  const line = (text: string): string => `test('sums', () => { assert.equal(sum(1), ${text}); });\n`;
  const before = `import assert from 'node:assert';\n${line('1')}${line('2')}`;
  const differences = async (after: string): Promise<string[]> => {
    const [old, now] = [await readSource(platform, 'a.test.js', before), await readSource(platform, 'a.test.js', after)];
    return changedAssertions({ text: before, reading: old! }, { text: after, reading: now! });
  };
  expect(await differences(`${before}${line('3')}`)).toEqual([]);
  expect(await differences(before.replace('sum(1), 2', 'sum(1), 5'))).toEqual([
    'sums: was “assert.equal(sum(1), 2)”, now “assert.equal(sum(1), 5)”',
  ]);
});

test('a test that holds others and waits for them may get more of them', async () => {
  const before = `import test from 'node:test';
import assert from 'node:assert';
test('all', async (t) => {
  const one = page(1);
  await t.test('first', () => { assert.equal(one, 'a'); });
});
`;
  const keep = async (after: string): Promise<boolean> => {
    const [old, now] = [await readSource(platform, 'a.test.js', before), await readSource(platform, 'a.test.js', after)];
    return keepsAssertions({ text: before, reading: old! }, { text: after, reading: now! });
  };
  const more = "  await t.test('second', () => { assert.equal(page(2), 'b'); })";
  expect(await keep(before.replace('\n});\n', `\n${more};\n});\n`))).toBe(true);
  expect(await keep(before.replace('\n});\n', `\n${more}\n});\n`))).toBe(true);
  expect(await keep(before.replace('\n});\n', '\n  await stop();\n});\n'))).toBe(false);
  expect(await keep(before.replace('page(1)', "'a'"))).toBe(false);
});

test('a test that holds others is asked about without them', async () => {
  const before = `const test = require('tape');
test('all', (t) => {
  const one = page(1);
  t.test('first', (st) => { st.equal(one, 'a'); st.end(); });
  t.end();
});
`;
  const keep = async (after: string): Promise<boolean> => {
    const [old, now] = [await readSource(platform, 'test/a.js', before), await readSource(platform, 'test/a.js', after)];
    return keepsAssertions({ text: before, reading: old! }, { text: after, reading: now! });
  };
  expect(await keep(before.replace('  t.end();', "  t.test('second', (st) => { st.equal(page(2), 'b'); st.end(); });\n  t.end();"))).toBe(
    true,
  );
  expect(await keep(before.replace("st.equal(one, 'a'); ", ''))).toBe(false);
  expect(await keep(before.replace('page(1)', "'a'"))).toBe(false);
});

const ROWS = `import { one } from '../src/one.js';
describe('one', () => {
  test('is the size', () => { for (const [given, wanted] of [[1, 1], [-5, 5]]) equal(one(given), wanted); });
});
`;

async function textOf(text: string): Promise<ReadText> {
  return { text, reading: (await readSource(platform, 'a.test.js', text))! };
}

test.each([
  ['a row that is gone', ROWS.replace(', [-5, 5]', ''), false],
  ['another sign', ROWS.replace('-5', '5'), false],
  ['a row more', ROWS.replace('[1, 1]', '[1, 1], [2, 2]'), true],
  ['another group', ROWS.replace("describe('one'", "describe('the size'"), true],
  ['other spacing', ROWS.replace('-5', '- 5').replace('of [[', 'of [ ['), true],
])('values of an accepted test: %s', async (_what, after, isKept) => {
  expect(keepsAssertions(await textOf(ROWS), await textOf(after))).toBe(isKept);
});

test('a test that is gone stands elsewhere only with all that it asserted', async () => {
  const moved = await textOf("test('is the size', () => { for (const [given, wanted] of [[1, 1], [-5, 5]]) equal(one(given), wanted); });");
  const other = await textOf("test('is the size', () => { equal(two(), 2); });");
  expect(standsIn(await textOf(ROWS), [other, moved])).toBe(true);
  expect(standsIn(await textOf(ROWS), [other])).toBe(false);
});

test('a helper that declares a private name again does not only gain', async () => {
  const helper = 'function same(a, b) { return a === b; }\nexports.check = (a, b) => same(a, b);\n';
  expect(onlyGains(await textOf(helper), await textOf(`${helper}function near(a, b) { return a > b; }\n`))).toBe(true);
  expect(onlyGains(await textOf(helper), await textOf(`${helper}function same() { return true; }\n`))).toBe(false);
});

test.each([
  [
    'a.test.js',
    "test('a', () => { expect(f(\n  1,\n)).toBe(1); });",
    "test('a', () => { expect(f(\n  // why\n  1, /* one */\n)).toBe(1); });",
    true,
  ],
  ['a.test.js', "test('a', () => { expect(f('//')).toBe(1); });", "test('a', () => { expect(f('/')).toBe(1); });", false],
  ['a.test.js', "test('a', () => { expect(f(1)).toBe(1); });", "test('a', () => { // expect(f(1)).toBe(1);\n });", false],
  [
    'test_a.py',
    'def test_a():\n    assert f(\n        1\n    ) == 1\n',
    'def test_a():\n    assert f(\n        1  # one\n    ) == 1\n',
    true,
  ],
  ['test_a.py', "def test_a():\n    assert f('#') == 1\n", "def test_a():\n    assert f('') == 1\n", false],
])('comments in what %s asserts are not asserted: %s, then %s', async (path, before, after, wanted) => {
  const [old, now] = [await readSource(platform, path, before), await readSource(platform, path, after)];
  expect(keepsAssertions({ text: before, reading: old! }, { text: after, reading: now! })).toBe(wanted);
});
