import { expect, test } from 'vitest';
import { wrap } from './wrap.ts';

test('a line is broken between words and keeps its indentation', () => {
  expect(wrap('  one two three', 9)).toEqual(['  one two', '  three']);
});

test('a line that fits stays as it is', () => {
  expect(wrap('one two', 7)).toEqual(['one two']);
  expect(wrap('', 7)).toEqual(['']);
});

test('a word that is wider than the line stays whole', () => {
  expect(wrap('a abcdefghij b', 5)).toEqual(['a', 'abcdefghij', 'b']);
});

test('a script without spaces is broken between its characters, by the columns they take', () => {
  expect(wrap('  日本語日本語', 8)).toEqual(['  日本語', '  日本語']);
  expect(wrap('a 日本語日本語', 7)).toEqual(['a 日本', '語日本', '語']);
  expect(wrap('日', 1)).toEqual(['日']);
});
