import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { findClones } from './clones.ts';
import { readSource } from './read-source.ts';
import type { Clone, NewCode } from './token-clones.ts';

const SLUG = `export function slug(text) {
  const parts = text.trim().toLowerCase().split(' ');
  return parts.filter((part) => part !== '').join('-');
}
`;

async function clones(path: string, text: string, project: Record<string, string>, before: string | null = null): Promise<Clone[]> {
  const platform = nodePlatform();
  const reading = await readSource(platform, path, text);
  const files = Object.entries({ ...project, [path]: text }).map(([name, content]) => ({ path: name, text: content }));
  return await findClones(platform, [{ path, text, before, reading }], files);
}

test('a function with other names for its variables is a copy; one that does something else is not', async () => {
  const renamed = SLUG.replaceAll('text', 'title')
    .replaceAll('parts', 'words')
    .replaceAll('part ', 'word ')
    .replaceAll('(part)', '(word)')
    .replace('slug', 'dashed');
  expect(await clones('b.js', renamed, { 'a.js': SLUG })).toMatchObject([
    { at: 'b.js:1', of: 'a.js:1', what: 'dashed does what slug does' },
  ]);
  expect(await clones('b.js', renamed.replace("'-'", "'_'"), { 'a.js': SLUG })).toEqual([]);
  expect(await clones('b.js', renamed.replace('toLowerCase', 'toUpperCase'), { 'a.js': SLUG })).toEqual([]);
});

test('moved code is no copy, and code that was there before is not asked about', async () => {
  expect(await clones('b.js', SLUG, {})).toEqual([]);
  expect(await clones('b.js', `${SLUG}export const more = 1;\n`, { 'a.js': SLUG }, SLUG)).toEqual([]);
});

test('comments and imports are no code', async () => {
  const imports = Array.from({ length: 20 }, (_, at) => `import { a${at}, b${at} } from './m${at}.js';\n`).join('');
  expect(await clones('b.js', `${imports}// ${SLUG.replaceAll('\n', ' ')}\n`, { 'a.js': `${imports}${SLUG}` })).toEqual([]);
});

const COPIES: [string, [path: string, text: string], [path: string, text: string]][] = [
  ['one line under another name', ['a.js', 'export const add = (a, b) => a + b;\n'], ['b.js', 'export const plus = (x, y) => x + y;\n']],
  [
    'an arrow of a function, with types',
    ['a.js', 'export function isEven(n) {\n  return n % 2 === 0;\n}\n'],
    ['b.ts', 'export const even = (value: number): boolean => value % 2 === 0;\n'],
  ],
  [
    'nested calls with other parameters',
    [
      'a.ts',
      'export function clamp(value: number, low: number, high: number): number {\n  return Math.min(Math.max(value, low), high);\n}\n',
    ],
    ['b.ts', 'export const within = (x: number, a: number, b: number) => Math.min(Math.max(x, a), b);\n'],
  ],
  [
    'another format: quotes, braces, semicolons, a variable on the way',
    ['a.js', "export function first(list) {\n  if (list.length === 0) {\n    return 'none';\n  }\n  return list[0];\n}\n"],
    [
      'lib/b.mjs',
      'function head(items) {\n  if (items.length === 0) return "none"\n  const found = items[0]\n  return found\n}\nexport { head }\n',
    ],
  ],
  [
    'a constant of another name',
    ['a.js', "const GAPS = /\\s+/g;\nexport function dashed(text) {\n  return text.replace(GAPS, '-');\n}\n"],
    ['b.js', "const spaces = /\\s+/g;\nmodule.exports.slug = function (title) {\n  return title.replace(spaces, '-');\n};\n"],
  ],
  [
    'a helper within a function',
    ['a.js', 'export const percent = (part, whole) => Math.round((part / whole) * 100);\n'],
    [
      'b.js',
      'export function report(rows) {\n  const share = (a, b) => Math.round((a / b) * 100);\n  return rows.map((row) => share(row.done, row.all));\n}\n',
    ],
  ],
  [
    'one that calls itself',
    ['a.js', 'export function fact(n) {\n  return n < 2 ? 1 : n * fact(n - 1);\n}\n'],
    ['b.js', 'export const product = (k) => (k < 2 ? 1 : k * product(k - 1));\n'],
  ],
];

test.each(COPIES)('a small function is a copy under any name: %s', async (_, [path, original], [own, copy]) => {
  expect(await clones(own, copy, { [path]: original })).toHaveLength(1);
  expect(await clones(own, copy, {})).toEqual([]);
  expect(await clones(own, `${copy}\n`, { [path]: original }, copy)).toEqual([]);
});

const UNLIKE: [string, string, string][] = [
  ['another operator', 'export const add = (a, b) => a + b;\n', 'export const sub = (a, b) => a - b;\n'],
  ['another value', 'export const even = (n) => n % 2 === 0;\n', 'export const third = (n) => n % 3 === 0;\n'],
  ['another order', 'export const sub = (a, b) => a - b;\n', 'export const from = (a, b) => b - a;\n'],
  [
    'another constant',
    'const RE = /a/;\nexport const has = (x) => RE.test(x) || !x;\n',
    'const RE = /b/;\nexport const is = (x) => RE.test(x) || !x;\n',
  ],
  [
    'a wrapper around one call',
    "import { run } from './r.js';\nexport const go = (a) => run(a);\n",
    "import { run } from './r.js';\nexport const start = (b) => run(b);\n",
  ],
  ['a re-export', "export { one } from './m.js';\n", "export { one } from './m.js';\n"],
  ['a comparison with nothing', 'export const isSet = (a) => a !== null;\n', 'export const has = (b) => b !== null;\n'],
  ['functions that do nothing', 'export const noop = () => {};\n', 'export function none() {}\n'],
  [
    'what is still to come',
    "export function a() {\n  throw new Error('not here');\n}\n",
    "export function b() {\n  throw new Error('not here');\n}\n",
  ],
  ['plain data', "export const a = () => ({ kind: 'x', size: 1 });\n", "export const b = () => ({ kind: 'x', size: 1 });\n"],
  [
    'functions around a variable of their own',
    'export function a(n) {\n  const more = (x) => x + n;\n  return more;\n}\n',
    'export function b(n, m) {\n  const less = (x) => x + n;\n  return [m, less];\n}\n',
  ],
];

test.each(UNLIKE)('what is short and ordinary, or does something else, is no copy: %s', async (_, original, other) => {
  expect(await clones('b.js', other, { 'a.js': original })).toEqual([]);
});

test('methods of two classes may be alike, as long as they do little; so may stubs of Python', async () => {
  const named = (name: string, body: string): string =>
    `export class ${name} {\n  constructor(a) {\n    this.a = a * 2 + 1;\n  }\n\n  ask(x) {\n    ${body}\n  }\n}\n`;
  expect(await clones('b.js', named('B', 'return this.a;'), { 'a.js': named('A', 'return this.a;') })).toEqual([]);
  expect(await clones('b.js', named('B', 'return this.a === x;'), { 'a.js': named('A', 'return this.a === x;') })).toEqual([]);
  const long = 'return this.a === x || (this.a > 7 && x.every((one) => one < this.a));';
  expect(await clones('b.js', named('B', long), { 'a.js': named('A', long) })).toHaveLength(1);
  const stub = (name: string): string => `class ${name}:\n    def read(self, size=1):\n        raise NotImplementedError("read")\n`;
  expect(await clones('b.py', stub('B'), { 'a.py': stub('A') })).toEqual([]);
});

test('of two alike in one file the new one is named, and a renamed one is none', async () => {
  const one = 'export const add = (a, b) => a + b;\n';
  const two = 'export const plus = (x, y) => x + y;\n';
  expect(await clones('a.js', two + one, {}, one)).toMatchObject([{ at: 'a.js:1', of: 'a.js:2' }]);
  expect(await clones('a.js', two, {}, one)).toEqual([]);
});

test('what was double before and is changed on both sides is nothing new; files that were the same may stay so', async () => {
  const pair = (sign: string): string => ['a', 'b'].map((name) => `export const ${name} = (x, y) => x ${sign} y * 2;\n`).join('');
  expect(await clones('a.js', pair('+'), {}, pair('-'))).toEqual([]);
  const platform = nodePlatform();
  const more = `${SLUG}export const add = (a, b) => a + b;\n`;
  const twin = async (path: string, before: string | null): Promise<NewCode> => ({
    path,
    text: more,
    before,
    reading: await readSource(platform, path, more),
  });
  const project = ['src/a.js', 'a.js'].map((path) => ({ path, text: more }));
  expect(await findClones(platform, [await twin('src/a.js', SLUG), await twin('a.js', SLUG)], project)).toEqual([]);
  expect(await findClones(platform, [await twin('src/a.js', null), await twin('a.js', null)], project)).not.toEqual([]);
});

test('Python: with documentation and types, by a lambda, with a loop', async () => {
  const original = `def is_even(n):
    return n % 2 == 0


def twice(x):
    return x * 2


def join(parts):
    out = ''
    for part in parts:
        out += part
    return out
`;
  const copy = `def even(value: int) -> bool:
    """Whether it can be halved."""
    result: bool = value % 2 == 0
    return result


double = lambda value: value * 2


def glue(words):
    text = ""
    for word in words:
        text += word
    return text
`;
  expect((await clones('b.py', copy, { 'a.py': original })).map((clone) => clone.what)).toEqual([
    'even does what is_even does',
    'double does what twice does',
    'glue does what join does',
  ]);
  expect(await clones('b.py', copy.replace('% 2', '% 3').replace('* 2', '** 2').replace('+=', '-='), { 'a.py': original })).toEqual([]);
});

test('signatures that are written again, as overloads are, are no copy', async () => {
  const parameters = Array.from({ length: 12 }, (_, at) => `    value_${at}: dict[str, int] | None = None,\n`).join('');
  const overloads = (name: string): string => `@overload\ndef ${name}(\n${parameters}) -> int: ...\n\n\n`;
  expect(await clones('b.py', overloads('one') + overloads('one'), { 'a.py': overloads('two') })).toEqual([]);
});

test('a long row in other languages, and in Python by its functions', async () => {
  const row = Array.from({ length: 12 }, (_, at) => `value${at} := compute(${at}, "x${at}")`).join('\n');
  const found = await clones('b.go', `func other() {\n${row}\n}\n`, { 'a.go': `func one() {\n${row}\n}\n` });
  expect(found).toMatchObject([{ at: expect.stringMatching(/^b\.go:/), of: expect.stringMatching(/^a\.go:/) }]);
  const python =
    'def total(items):\n    result = 0\n    for item in items:\n        result = result + item.price * item.count\n    return result\n';
  expect(await clones('b.py', python.replaceAll('items', 'rows').replace('total', 'sum_up'), { 'a.py': python })).toHaveLength(1);
});
