import { expect, test } from 'vitest';
import { bounded, LARGEST_ANSWER } from './server.ts';

test('what fits stays whole', () => {
  const value = { id: 'a', list: [1, 2, { deep: null }], text: 'x'.repeat(3_000) };
  expect(JSON.parse(bounded(value))).toEqual(value);
});

test.each([
  ['one long text', { text: 'x'.repeat(1_000_000) }],
  ['many entries', Array.from({ length: 50_000 }, (_, index) => ({ index, text: 'y'.repeat(50) }))],
  ['many keys', Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, 'z'.repeat(100)]))],
  ['lists in lists', Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 'w'.repeat(300)))],
])('%s is cut to fit, says so, and stays JSON', (_, value) => {
  const text = bounded(value);
  expect(text.length).toBeLessThanOrEqual(LARGEST_ANSWER);
  expect(JSON.parse(text)).toBeDefined();
  expect(text).toMatch(/more/);
});
