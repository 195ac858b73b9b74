import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyGlob, matchesGlob } from './glob.ts';

const PATTERNS = ['a.lock', '*.snap', 'tap/**', '**/x/**', '.cargo/config', 'b?r', 'm.{js,ts}', '[!a]z', 'd**e', 'dir/', '/top'];

test('any of several patterns matches exactly where one of them does', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'a.lock',
      'q.snap',
      'tap',
      'x',
      '.cargo',
      'config',
      'bar',
      'm.js',
      'm.tsx',
      'bz',
      'az',
      'de',
      'd',
      'e',
      'dir',
      'top',
      '\n',
    ),
    fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'z', '.', 'x', '\n') }).filter((text) => text !== ''),
  );
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(path, fc.subarray(PATTERNS), (one, patterns) => {
      expect(anyGlob(patterns)(one)).toBe(patterns.some((pattern) => matchesGlob(one, pattern)));
    }),
    { numRuns: 500 },
  );
});
