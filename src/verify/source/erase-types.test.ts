import { expect, test } from 'vitest';
import { eraseTypes } from './erase-types.ts';
import { parseJavascript } from './parse-javascript.ts';

const erased = async (text: string): Promise<string | null> =>
  eraseTypes(text, (await parseJavascript(text, 'a.ts', 20_000))!, (specifier) => `${specifier}.mjs`);
const tight = async (text: string): Promise<string | undefined> => (await erased(text))?.replaceAll(/\s+/g, ' ').trim();

test.each([
  ['const a: number = 1;', 'const a = 1;'],
  ['export function f<T>(a?: T, ...b: T[]): T | undefined { return a!; }', 'export function f (a , ...b ) { return a ; }'],
  ['let a!: string; a = <string>b as unknown as string;', 'let a ; a = b ;'],
  ["const x = { a: 1 } satisfies Record<string, number>; x?.a ? f<string>('a') : 2;", "const x = { a: 1 } ; x?.a ? f ('a') : 2;"],
  [
    'abstract class A<T> extends B<T> implements C, D { private readonly a: number = 1; static b?: string; declare c: string; abstract d(): void; constructor(a: T) { super(a); } override get e(): T { return 1 as T } }',
    'class A extends B { a = 1; static b ; constructor(a ) { super(a); } get e() { return 1 } }',
  ],
  ['const b = (a ? (b) : c) as unknown as D;\nf(<A>(b), (a as B)!.c);', 'const b = (a ? (b) : c) ; f( (b), (a ) .c);'],
  ['function f(a: string): string;\nfunction f(a: any) { return a; }', '; function f(a ) { return a; }'],
  ['export interface A { b: string }\nexport type C = A;\ndeclare const d: A;\nexport const e = 1;', '; ; ; export const e = 1;'],
])('%s', async (text, plain) => {
  expect(await tight(text)).toBe(plain);
});

test('imports of types alone are gone, and paths lead where they are told to', async () => {
  const text =
    "import type { A } from './a';\nimport { B, type C, d as e } from './b';\nimport F, { G } from './f';\nimport './h';\nimport * as path from 'node:path';\nexport { i } from './i';\nexport const k = (b: B, g: G): C => e(b, F, path.sep);\n";
  expect(await tight(text)).toBe(
    '; import { d as e } from "./b.mjs"; import F from "./f.mjs"; import "./h.mjs"; import * as path from "node:path"; export { i } from "./i.mjs"; export const k = (b , g ) => e(b, F, path.sep);',
  );
});

/** What the statement leaves in `A`, as a program without a compiler sees it. */
const run = async (text: string, wanted: string): Promise<unknown> => new Function(`${(await erased(text))!}; return ${wanted};`)();

test.each([
  ['enum A { b, c = 5, d }', { b: 0, c: 5, d: 6, 0: 'b', 5: 'c', 6: 'd' }],
  ["enum A { b = 'x', 'c-d' = `y` }", { b: 'x', 'c-d': 'y' }],
  ['const enum A { b = 1 << 2, c = b | 1, d = -A.b, e }', { b: 4, c: 5, d: -4, e: -3, 4: 'b', 5: 'c', '-4': 'd', '-3': 'e' }],
  ["enum B { x = 2 }\nenum A { a = B.x + 1, b = 'p' + 'q', default = 7 }", { a: 3, 3: 'a', b: 'pq', default: 7, 7: 'default' }],
  ['enum A {}', {}],
])('%s is an object', async (text, made) => {
  expect(await run(text, 'A')).toEqual(made);
  expect((await erased(text))!.split('\n')).toHaveLength(text.split('\n').length);
});

test('exported enums stay exported, and declared ones leave nothing', async () => {
  expect(await tight('export const enum A { b }')).toMatch(/^export var A = \(/);
  expect(await tight('declare enum A { b }\nexport declare const enum C { d }')).toBe('; ;');
});

test('parameters that are members', async () => {
  const text =
    'class B { constructor(readonly z: number) {} }\nclass A extends B { y: number = 1; f = () => this.a; private constructor(private readonly a: string, public b?: number, c = 3, protected override d: number = 4) { super(c); this.y += d; } static made() { return new A("x"); } }';
  expect(JSON.stringify(await run(text, 'A.made()'))).toBe('{"z":3,"a":"x","d":4,"y":5}');
  expect(await run(text, 'A.made().f()')).toBe('x');
});

test.each([
  ['enum A { b = f() }'],
  ['enum A { b = c, c = 1 }'],
  ['enum A { b = B.c }\nenum B { c }'],
  ["enum A { b = 'x', c }"],
  ['enum A { b }\nenum A { c = 1 }'],
  ['namespace A { export const b = 1; }'],
  ['class A { c = this.b; constructor(private b: string) {} }'],
  ['class A extends B { constructor(private b: string) { if (b) super(); else super(1); } }'],
  ['@a class B {}'],
  ["import a = require('a');"],
  ['function f(this: string) { return this; }'],
])('%s needs a compiler', async (text) => {
  expect(await erased(text)).toBeNull();
});
