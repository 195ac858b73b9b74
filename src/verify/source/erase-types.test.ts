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

test.each([
  ['enum A { b }'],
  ['namespace A { export const b = 1; }'],
  ['class A { constructor(private b: string) {} }'],
  ['@a class B {}'],
  ["import a = require('a');"],
  ['function f(this: string) { return this; }'],
])('%s needs a compiler', async (text) => {
  expect(await erased(text)).toBeNull();
});
