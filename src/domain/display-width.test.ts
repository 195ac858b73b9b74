import { expect, test } from 'vitest';
import { displayWidth, fitWidth } from './display-width.ts';

test.each([
  ['', 0],
  ['plain', 5],
  ['Größe', 5],
  ['日本語', 6],
  ['한국어', 6],
  ['（全角）', 8],
  ['🎉', 2],
  ['✓ · │ › …', 9],
  ['e\u0301', 1],
  ['✔\ufe0f', 2],
])('%s takes %i columns', (text, columns) => expect(displayWidth(text)).toBe(columns));

test('what is cut to a width fits it, and no character is cut in two', () => {
  expect(fitWidth('plain', 3)).toBe('pla');
  expect(fitWidth('日本語', 5)).toBe('日本');
  expect(fitWidth('a🎉b', 2)).toBe('a');
  expect(fitWidth('a🎉b', 3)).toBe('a🎉');
  expect(fitWidth('日', -1)).toBe('');
});
