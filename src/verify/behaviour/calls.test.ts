import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { parseJavascript } from '../source/parse-javascript.ts';
import { parsePython } from '../source/parse-python.ts';
import type { Language } from '../source/source.ts';
import { mustHave } from '../../domain/must-have.ts';
import { callsIn, textOf, type OpenCall } from './calls.ts';
import { inputsFrom } from './inputs.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });

async function callsOf(text: string, language: Language): Promise<OpenCall[]> {
  const program =
    language === 'python' ? (await parsePython(platform, [text], 20_000))[0] : await parseJavascript(text, 'a.test.ts', 20_000);
  return callsIn({ program: mustHave(program, 'the text can be parsed'), text, language, imported: new Set(['slug', 'words', 'Line']) });
}

test.each<[string, Language, string, string[]]>([
  [
    'literals',
    'javascript',
    "expect(slug('a b', { by: -1, on: [true, null, /x/] })).toBe('c')",
    ["slug('a b', { by: -1, on: [true, null, /x/] })"],
  ],
  ['names that were given a value', 'javascript', "const text = 'a' + 'b'; check(slug(text))", ["slug(('a' + 'b'))"]],
  ['the last value before it', 'javascript', 'let one = 1; { let one = 2; slug(one); } slug(one); one = 3', ['slug(2)', 'slug(1)']],
  ['members and new objects', 'javascript', "new Line('a').first(words.count)", ["new Line('a').first(words.count)", "new Line('a')"]],
  ['calls within calls', 'javascript', "slug(words.of('a'), 1)", ["slug(words.of('a'), 1)", "words.of('a')"]],
  ['functions that need nothing else', 'javascript', 'slug((one) => one + 1); slug(() => other)', ['slug((one) => one + 1)']],
  ['nothing that is unknown', 'javascript', 'slug(other); slug(this.a); slug(`a${other}`); slug({ other }); other(1); require("a")', []],
  ['rows of a table', 'javascript', "test.each([['a', 1], ['b', 2]])('%s', (text, n) => slug(text, n))", ["slug('a', 1)", "slug('b', 2)"]],
  [
    'rows with names',
    'javascript',
    "const rows = [{ text: 'a' }, { other: 1 }]; it.for(rows)('%s', ({ text }) => slug(text))",
    ["slug('a')"],
  ],
  [
    'loops',
    'javascript',
    "for (const [text] of [['a'], ['b']]) slug(text); ['c'].forEach((text) => slug(text))",
    ["slug('a')", "slug('b')", "slug('c')"],
  ],
  [
    'rows of pytest',
    'python',
    '@pytest.mark.parametrize("a, b", [("x", 1), ("y", 2)])\ndef test_one(a, b):\n    assert slug(a) == b',
    ['slug("x")', 'slug("y")'],
  ],
  [
    'loops of Python',
    'python',
    'def test_one():\n    for a, b in [("x", 1), ("y", 2)]:\n        assert slug(a) == b',
    ['slug("x")', 'slug("y")'],
  ],
  ['types of TypeScript', 'javascript', "slug('a' as const, <any>other)", []],
  [
    'literals of Python',
    'python',
    "assert slug('a b', by=-1, on=[True, None, {'a': (1,)}]) == 'c'",
    ["slug('a b', by=-1, on=[True, None, {'a': (1,)}])"],
  ],
  [
    'names of Python',
    'python',
    "def test_one():\n    text = 'a'\n    assert words.slug(text).upper()",
    ["words.slug('a').upper()", "words.slug('a')"],
  ],
  ['nothing that Python does not know', 'python', 'def test_one(given):\n    assert slug(given) == slug(f"{given}")', []],
])('calls that can be made anywhere: %s', async (_, language, text, calls) => {
  const found = (await callsOf(text, language)).filter(({ names }) => names.size > 0);
  expect(found.map(({ pieces }) => textOf(pieces))).toEqual(calls);
});

test('inputs are the calls of the tests, and calls that differ in one literal, up to a number', async () => {
  const calls = await callsOf("slug('a b', 2); slug('c', true)", 'javascript');
  const all = inputsFrom(calls, 200);
  expect(all.slice(0, 4).map(({ text, isOwn }) => [text, isOwn])).toEqual([
    ["slug('a b', 2)", true],
    ["slug('c', true)", true],
    ["slug('a b ', 2)", false],
    ["slug('c ', true)", false],
  ]);
  expect(all.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["slug('A B', 2)", "slug('', 2)", "slug('a b', (-2))", "slug('c', false)"]),
  );
  expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  expect(inputsFrom(calls, 3)).toHaveLength(3);
});
