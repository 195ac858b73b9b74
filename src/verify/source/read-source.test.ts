import { describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { readSource, readSources } from './read-source.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
const slices = (text: string, ranges: readonly { start: number; end: number }[]): string[] =>
  ranges.map((one) => text.slice(one.start, one.end));

const JS = `import test, { describe as group } from 'node:test';
import {
  add, // adds
  sub,
} from '../src/calc.js';
import type { Money } from '../src/money.js';
const other = await import(name);
const cases = [[1, 2, 3]];
test('one', async () => {
  assert.deepEqual(add(1, 2), { sum: 3, parts: ['a', -1, true, null, /x/] });
  expect(await sub(\`}\${"it('no')"}\`)).not.toBe(4);
});
test(\`at \${Date.now()} o'clock\`, () => { assert.ok(add(1) === 5 && sub() === 'x'); });
for (const [a] of cases) test(\`\${a}\`, () => check(a, 3));
test.each(cases)('%i and %i', (a, b) => { expect(a).toBe(1); });
describe('group', () => {
  it('inner', function () { expect(() => f()).toThrow('bad'); });
});
`;

describe('JavaScript', () => {
  test('tests, titles, assertions and the values they expect', async () => {
    const reading = (await readSource(platform, 'a.test.ts', JS))!;
    expect(reading.tests.map((one) => [one.title, one.isTable, one.statement !== null])).toEqual([
      [['one'], false, true],
      [['at ', " o'clock"], false, true],
      [['', ''], false, false],
      [['', ' and ', ''], true, true],
      [['inner'], false, true],
    ]);
    expect(
      reading.tests.map((one) =>
        slices(
          JS,
          one.assertions.flatMap((assertion) => assertion.leaves),
        ),
      ),
    ).toEqual([['3', "'a'", '-1', 'true', 'null', '/x/'], ['5', "'x'"], [], ['1'], ["'bad'"]]);
    expect(new Set(reading.tests.map((one) => one.list)).size).toBe(2);
  });

  test('tests within tests, and assertions on what each of them is handed', async () => {
    const text = `var test = require('tape');
test('whole', function (t) {
  t.test('first', function (inner) {
    inner.equal(add(1, 2), 3);
    inner['throws'](function () { add(); }, RangeError);
    inner.end();
  });
  [1].forEach(function (one) { t.test('row ' + one, function (s2t) { s2t.deepEqual(add(one), [one], 'text'); }); });
  t.match(other.test('no test', function () {}), /x/);
  t.end();
});
`;
    const reading = (await readSource(platform, 'test/a.js', text))!;
    expect(reading.tests.map((one) => [one.title, one.statement !== null, one.assertions.map(({ name }) => name)])).toEqual([
      [['whole'], true, ['match']],
      [['first'], true, ['equal', 'throws']],
      [['row ', ''], true, ['deepEqual']],
    ]);
    expect(reading.tests[1]!.assertions[1]!.opposite.map((edit) => edit.text)).toEqual(["'doesNotThrow'"]);
  });

  test('imports over several lines, of types, and chosen later', async () => {
    const reading = (await readSource(platform, 'a.test.ts', JS))!;
    expect(reading.imports.map((one) => [one.specifier, one.names, one.isType])).toEqual([
      ['node:test', ['default', 'describe'], false],
      ['../src/calc.js', ['add', 'sub'], false],
      ['../src/money.js', ['Money'], true],
    ]);
    expect(reading.hasOpenImport).toBe(true);
  });

  test('what is taken from a module by a call has names, as by an import', async () => {
    const text = [
      "import { one as first } from './one.js';",
      "const { two: second, three = 3 } = require('./two');",
      "const four = require('./four').fourth;",
      "const five = await import('./five.js');",
      "require('./six');",
      "jest.mock('./seven');",
    ].join('\n');
    const reading = (await readSource(platform, 'a.test.js', text))!;
    expect(reading.imports.map((one) => [one.specifier, one.names, one.locals])).toEqual([
      ['./one.js', ['one'], ['first']],
      ['./two', ['two', 'three'], ['second', 'three']],
      ['./four', ['fourth'], ['four']],
      ['./five.js', ['*'], ['five']],
      ['./six', [], []],
      ['./seven', [], []],
    ]);
    const python = (await readSource(platform, 'test_a.py', 'from src.calc import add as plus, sub\n'))!;
    expect(python.imports.map((one) => [one.names, one.locals])).toEqual([
      [
        ['add', 'sub'],
        ['plus', 'sub'],
      ],
    ]);
  });

  test('a file that says that it is written in Flow is read as that', async () => {
    const text = `/**\n * @flow\n */\nimport type { Options } from '..';\nconst Loader = require('..');\nfunction load<K, C = K>(options?: Options<K, C>): [Loader<K>, Array<$ReadOnlyArray<K>>] { return [new Loader<K>(options), []]; }\ntest('loads', async () => { expect(load<number>({ a: 1 })[1]).toBe(1); });\n`;
    const reading = (await readSource(platform, 'a.test.js', text))!;
    expect(reading.tests.map((one) => one.title)).toEqual([['loads']]);
    expect(reading.functions.map((one) => one.name)).toContain('load');
    expect(await readSource(platform, 'a.test.js', text.replace('@flow', ''))).toBeNull();
  });

  test('functions, methods and values of a module with generics, decorators and JSX', async () => {
    const text = `import React from 'react';
@Injectable()
export class Store<T extends { id: string }> {
  static limit = 3;
  #items: T[] = [];
  constructor(private readonly name: string) { this.#items.push(make(name)); }
  async find<K>(id: K): Promise<T | undefined> { return this.#items.find((one) => one.id === String(id)); }
  *all() { yield this.#items[0]; }
  get size() { return this.#items.length; }
}
export const View = ({ rows }: Props) => <ul>{rows.map((row) => <li key={row}>{row}</li>)}</ul>;
export default function wrap<A>(fn: (a: A) => void) { return (a: A) => { fn(a); }; }
export const rates = { eur: 2 };
`;
    const reading = (await readSource(platform, 'a.tsx', text))!;
    expect(reading.functions.map((one) => one.name)).toEqual([
      'Store.constructor',
      'Store.find',
      'Store.find',
      'Store.all',
      'Store.size',
      'View',
      'View',
      'wrap',
      'wrap',
    ]);
    expect(slices(text, reading.values)).toEqual(['3', '[]', '{ eur: 2 }']);
    expect(reading.exports).toEqual(['Store', 'View', 'default', 'rates']);
    expect(
      slices(
        text,
        reading.functions.flatMap((one) => one.handed),
      ),
    ).toEqual(['make(name)', 'this.#items[0]', 'a']);
  });

  test('exports of CommonJS', async () => {
    const reading = (await readSource(
      platform,
      'a.js',
      'const x = require("./x");\nexports.one = () => 1;\nmodule.exports.two = 2;\nmodule.exports = { three, four() {} };\n',
    ))!;
    expect(reading.exports).toEqual(['one', 'two', 'default', 'three', 'four']);
    expect(reading.imports.map((one) => one.specifier)).toEqual(['./x']);
  });

  test('names that are nowhere declared', async () => {
    const reading = (await readSource(
      platform,
      'a.js',
      'for (const it of items) if (typeof it === "string") out(it);\ntypeof describe;\n',
    ))!;
    expect(reading.globals).toEqual(['items', 'out', 'describe']);
  });

  test('parameters and members are no names of their own', async () => {
    const text = 'const map = (it) => it.describe({ expect: 1 });\nclass A { describe() { return this.expect; } }\nfound[it2];\n';
    expect((await readSource(platform, 'a.js', text))!.globals).toEqual(['found', 'it2']);
  });
});

describe('Python', () => {
  const text = `"""Title: ünï 😀"""
from __future__ import annotations
from src.calc import (
    add,  # adds
    sub,
)
from . import helpers
import os.path as p

LIMIT = 5
é = [n for n in range(3) if n]

@dataclass
class Point:
    x: int = 1

    @property
    def size(self):
        return abs(self.x)

def outer(fn):
    def inner(*args):
        return fn(*args)
    return inner

def rows():
    for n in é:
        yield n

class TestPoint:
    @pytest.mark.parametrize('a,b', [(1, 2)])
    def test_size(self, a, b):
        assert Point(a).size == {'ü': [1, -2.5], 'k': (True, None)}, "message"
        self.assertEqual(add(1), 'text')

async def test_later():
    with pytest.raises(ValueError, match='bad'):
        await sub("""def test_no(): assert 1 == 2""")
`;

  test('tests, functions, values and imports, with offsets behind letters of several bytes', async () => {
    const reading = (await readSource(platform, 'test_a.py', text))!;
    expect(
      reading.tests.map((one) => [
        one.title,
        one.isTable,
        slices(
          text,
          one.assertions.flatMap((assertion) => assertion.leaves),
        ),
      ]),
    ).toEqual([
      [['test_size'], true, ['1', '-2.5', 'True', 'None', "'text'"]],
      [['test_later'], false, ["'bad'"]],
    ]);
    expect(reading.functions.map((one) => [one.name, one.isGenerator])).toEqual([
      ['Point.size', false],
      ['outer', false],
      ['outer.inner', false],
      ['rows', true],
    ]);
    expect(slices(text, reading.values)).toEqual(['5', '[n for n in range(3) if n]', '1']);
    expect(
      slices(
        text,
        reading.functions.map((one) => one.body),
      )[0],
    ).toBe('return abs(self.x)');
    expect(reading.imports.map((one) => one.specifier)).toEqual(['__future__', 'src.calc', '.', 'os.path']);
    expect(slices(text, [reading.tests[0]!.statement!])[0]!.startsWith('@pytest.mark')).toBe(true);
  });
});

describe('hostile sources', () => {
  const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
  test('what cannot be parsed, or not in time, has no reading', async () => {
    const readings = await readSources(platform, [
      { path: 'a.js', text: 'this is not javascript(' },
      { path: 'a.py', text: 'def broken(:\n' },
      { path: 'deep.js', text: nested(20_000, '[', ']') },
      { path: 'deep.py', text: `x = ${nested(5_000, '(', ')')}` },
      { path: 'a.go', text: 'package main' },
    ]);
    expect(readings).toEqual([null, null, null, null, null]);
  });

  test('nested templates and thousands of exports are read', async () => {
    const template = `export const x = ${'`${'.repeat(40)}1${'}`'.repeat(40)};\n`;
    const many = Array.from({ length: 4_000 }, (_one, index) => `export function f${index}() { return ${index}; }\n`).join('');
    const [nestedOnes, exports] = await readSources(platform, [
      { path: 'a.js', text: template },
      { path: 'many.ts', text: many },
    ]);
    expect([nestedOnes?.values.length, exports?.functions.length, exports?.exports.length]).toEqual([1, 4_000, 4_000]);
  });

  test('a text that takes the parser too long is given up, and the next one is read', async () => {
    const slow = `x = ${'a ? (b) : (c) => '.repeat(40)}1;\n`;
    const [, next] = await readSources(platform, [
      { path: 'slow.ts', text: slow },
      { path: 'next.ts', text: 'export const a = 1;' },
    ]);
    expect(next?.exports).toEqual(['a']);
  }, 30_000);
});
