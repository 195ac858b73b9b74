import { expect, test } from 'vitest';
import { globMatcher } from './glob.ts';

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/a.ts', false],
  ['src/**/*.ts', 'src/a.ts', true],
  ['src/**/*.ts', 'src/x/y/a.ts', true],
  ['**/*.test.js', 'a.test.js', true],
  ['src/**', 'src/a/b', true],
  ['src/**', 'other/a', false],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['file.{js,ts}', 'file.ts', true],
  ['file.{js,ts}', 'file.css', false],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['*a*b', 'xaxxb', true],
  ['a.c', 'abc', false],
  ['./a.js', 'a.js', true],
])('%s against %s: %s', (glob, path, expected) => {
  expect(globMatcher(glob)(path)).toBe(expected);
});

test('a pattern made to be slow is matched at once', () => {
  const begin = performance.now();
  expect(globMatcher('*a'.repeat(60) + 'b')('a'.repeat(4_000))).toBe(false);
  expect(globMatcher('{a,b}'.repeat(40))('x')).toBe(false);
  expect(globMatcher('**/'.repeat(50) + 'z')('a/'.repeat(500) + 'y')).toBe(false);
  expect(performance.now() - begin).toBeLessThan(1_000);
});
