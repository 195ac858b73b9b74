import { expect, test } from 'vitest';
import { beginning, fitsOn } from './terminal-prompt.ts';

const SCREEN = { rows: 24, columns: 80 };
const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

test('what fits on the screen with its question does, and one line more does not', () => {
  expect(fitsOn(SCREEN, lines(11), 5)).toBe(true);
  expect(fitsOn(SCREEN, lines(12), 5)).toBe(false);
});

test('long lines count as often as they wrap, and wide characters twice', () => {
  expect(fitsOn(SCREEN, ['x'.repeat(74 * 11)], 5)).toBe(true);
  expect(fitsOn(SCREEN, ['x'.repeat(74 * 11 + 1)], 5)).toBe(false);
  expect(fitsOn(SCREEN, ['語'.repeat(37 * 11 + 1)], 5)).toBe(false);
});

test('of what does not fit the beginning is shown, and how much is left', () => {
  expect(beginning(SCREEN, lines(100), 5)).toEqual({ shown: lines(9), left: 91 });
  expect(beginning({ rows: 5, columns: 20 }, lines(100), 5).shown).toEqual(lines(3));
  expect(beginning(SCREEN, ['x'.repeat(5_000), 'y'], 5)).toEqual({ shown: ['x'.repeat(5_000)], left: 1 });
});
