import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { mutateTests } from '../checks/mutate.ts';
import { readSource } from './read-source.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
const HEAD = "import { test, expect } from 'vitest';\n";

/** How many copies of tests there are, and the text with them. */
async function copies(path: string, text: string): Promise<{ count: number; text: string }> {
  let count = 0;
  const reading = (await readSource(platform, path, text))!;
  const made = mutateTests(text, reading, { word: 'qqq', offset: 7 }, { calls: false, names: () => `copy${(count += 1)}` });
  return { count: made.copies.length, text: made.text };
}

test.each([
  [
    'a constant of the module',
    "const wanted = { a: 1, b: 'x' };\ntest('t', () => { expect(f()).toEqual(wanted); });",
    ["({ a: (1 + 1), b: 'x' })", "({ a: 1, b: 'xqqq' })"],
  ],
  ['a member of one', "const all = { a: { b: 2 } };\ntest('t', () => { expect(f()).toBe(all.a.b); });", ['((2 + 1))']],
  [
    'rows of a loop',
    "test('t', () => { for (const [given, wanted] of [[1, 2], [3, 4]]) expect(f(given)).toBe(wanted); });",
    ['[1, (2 + 1)]', '[3, (4 + 1)]'],
  ],
  [
    'rows of a table',
    "test.each([[1, 2], [3, 4]])('%i', (given, wanted) => { expect(f(given)).toBe(wanted); });",
    ['[1, (2 + 1)]', '[3, (4 + 1)]'],
  ],
  [
    'rows by name',
    "const rows = [{ given: 1, wanted: 2 }];\ntest.each(rows)('%o', ({ given, wanted }) => { expect(f(given)).toBe(wanted); });",
    ['([{ given: 1, wanted: (2 + 1) }])'],
  ],
  [
    'entries of a table by name',
    "const table = { 3: { total: 6 } };\ntest('t', () => { for (const [given, wanted] of Object.entries(table)) expect(f(given)).toEqual(wanted); });",
    ['Object.entries(({ 3: { total: (6 + 1) } }))'],
  ],
  [
    'values of a table, and rows that are counted',
    "const rows = [5];\ntest('t', () => { for (const wanted of Object.values({ a: 2 })) expect(f()).toBe(wanted); for (const [at, one] of rows.entries()) expect(f(at)).toBe(one); });",
    ['Object.values({ a: (2 + 1) })', '([(5 + 1)]).entries()'],
  ],
  [
    'rows that a function is called for',
    "const rows = [5];\ntest('t', () => { rows.forEach((wanted, at) => { expect(f(at)).toBe(wanted); }); });",
    ['([(5 + 1)]).forEach'],
  ],
])('values that an assertion has by a name: %s', async (_what, text, wanted) => {
  const made = await copies('a.test.js', HEAD + text);
  expect(made.count).toBe(wanted.length);
  for (const words of wanted) expect(made.text).toContain(words);
});

test.each([
  ['a value that is given as well', "test('t', () => { for (const [row] of [[1], [2]]) expect(f(row)).toBe(row); });"],
  ['a name that is bound twice', "let wanted = 1;\ntest('t', () => { expect(f()).toBe(wanted); });"],
  ['what is worked out', "const wanted = [g(), 2];\ntest('t', () => { expect(f()).toEqual(wanted); });"],
])('are left alone: %s', async (_what, text) => {
  expect((await copies('a.test.js', HEAD + text)).count).toBe(0);
});

test('in Python', async () => {
  const text = [
    'WANTED = {"a": 1, "b": 2}',
    'def test_constant():\n    assert f() == WANTED',
    '@pytest.mark.parametrize("given, wanted", [(1, 2), (3, 4)])\ndef test_table(given, wanted):\n    assert f(given) == wanted',
  ].join('\n\n');
  const made = await copies('test_a.py', text);
  expect(made.count).toBe(4);
  expect(made.text).toContain('({"a": 1, "b": (2 + 1)})');
});

test('in rows that Python goes through in its own ways', async () => {
  const text = [
    'TABLE = {3: 6}',
    'ROWS = [7]',
    'def test_items():\n    for given, wanted in TABLE.items():\n        assert f(given) == wanted',
    'def test_counted():\n    for at, wanted in enumerate(ROWS):\n        assert f(at) == wanted',
  ].join('\n\n');
  const made = await copies('test_a.py', text);
  expect(made.count).toBe(2);
  expect(made.text).toContain('({3: (6 + 1)}).items()');
  expect(made.text).toContain('enumerate(([(7 + 1)]))');
});
