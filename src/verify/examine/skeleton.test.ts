import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Case } from '../case.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';
import { skeletonOf } from './skeleton.ts';

let bench: Bench;
beforeAll(async () => void (bench = await createBench()));
afterAll(() => bench.dispose());

async function skeleton(work: FileTable, before: FileTable = {}): Promise<string> {
  const base = await bench.tree({ 'package.json': '{}', ...before });
  const tree = await bench.tree({ 'package.json': '{}', ...before, ...work });
  const judged = { ...bench.context({}), platform: bench.platform, judged: { tree, changes: await bench.trees.diff(base, tree) } };
  return await skeletonOf(judged as unknown as Case, (path) => path.startsWith('test'));
}

/** Everything an agent can choose freely, in every place where a value can be. */
const SECRET = 'SECRET answer is 42';

test('of JavaScript has names and signatures, and no value', async () => {
  const text = await skeleton({
    'src/cart.ts': `/** ${SECRET} */
export async function total(items: Item[], { tax = 42, label = '${SECRET}' }: Options = { tax: 42 }): Promise<number> { return 42 }
export const pick = (a = '${SECRET}', ...rest) => '${SECRET}'
export class Cart extends Base { items = [42]; #own = 1; private hidden() {} add(n: number /* ${SECRET} */) { return this } static of() {} get size() { return 42 } }
export interface Item { price: number; kind: '${SECRET}' | 'b'; size: 42 }
export type Mode = '${SECRET}' | \`x\${string}\`
export enum Level { Low = '${SECRET}', High = 42 }
export const table = { one: 42, read(a) { return '${SECRET}' }, ['${SECRET}']: 1, '${SECRET}': 2 }
function inner(a) { return a }
export { inner as outer }
export const ${'long'.repeat(20)} = 1
app.get('/orders/:id', list)
`,
    'test/cart.test.ts': `import { total, Cart } from '../src/cart.ts'
const items = [{ price: 42, kind: '${SECRET}' }]
test('${SECRET}', () => { expect(total(items, { tax: 42 })).toBe(42); new Cart().add(42) })
`,
  });
  expect(text).not.toMatch(/SECRET|42|longlong/);
  for (const line of [
    'async function total(items: Item[], { tax = …, label = … }: Options = …): Promise<number>',
    'function pick(a = …, ...rest)',
    'class Cart extends Base {',
    'add(n: number)',
    'static of()',
    'get size()',
    'interface Item { price: number; kind: … | …; size: … }',
    'enum Level { Low = …, High = … }',
    'read(a)',
    'function outer(a)',
    'route GET /orders/:id',
    'total([{ price: number, kind: string }], { tax: number })',
    '.add(number)',
  ])
    expect(text).toContain(line);
  expect(text).not.toMatch(/#own|hidden/);
});

test('of CommonJS has what it exports', async () => {
  const text = await skeleton({ 'a.js': 'const f = (x) => 1\nexports.g = function (y) {}\nmodule.exports = { f, h(z) {} }\n' });
  for (const line of ['exports function g(y)', 'f(x)', 'h(z)']) expect(text).toContain(line);
});

test('of Python has names and signatures, and no value', async () => {
  const text = await skeleton({
    'src/shop.py': `"""${SECRET}"""
from enum import Enum
from typing import Literal
LIMIT: int = 42
class Color(Enum):
    """${SECRET}"""
    RED = '${SECRET}'
@route('${SECRET}')
def total(items: list[int], tax: float = 42, *, kind: Literal['${SECRET}'] = '${SECRET}', **more) -> int:  # ${SECRET}
    """${SECRET}"""
    return 42
def _private(a): pass
class Cart:
    def add(self, n=42): return '${SECRET}'
if __name__ == '__main__':
    total([42])
`,
    'tests/test_shop.py': `from src.shop import total\ndef test_it():\n    assert total([42], tax='${SECRET}', kind={'a': 42}) == 42\n`,
  });
  expect(text).not.toMatch(/SECRET|42|_private/);
  for (const line of [
    'LIMIT: int',
    'class Color(Enum):',
    'RED',
    '@route',
    'def total(items: list[int], tax: float = …, *, kind: Literal[…] = …, **more) -> int',
    'def add(self, n = …)',
    'a program: python src/shop.py',
    'total([number], tax=str, kind={a: number})',
  ])
    expect(text).toContain(line);
});

test.each<[string, string]>([
  ['code that is made at run time', "eval('exports.add = (a, b) => 5');\n"],
  ['text that cannot be parsed', 'export function add(a, b) { return\n'],
  ['names that are computed', "for (const name of ['add']) module[name] = 1;\n"],
])('of %s is empty', async (_, source) => {
  expect(await skeleton({ 'src/add.js': source })).toBe('');
});

test('is empty if the change has no name, whatever was there before', async () => {
  expect(await skeleton({ 'notes.txt': 'x' }, { 'src/one.js': 'export const one = () => 1;\n' })).toBe('');
});
