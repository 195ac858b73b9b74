import { expect, test } from 'vitest';
import { amountIn, withLimit } from './carry-out.ts';

test.each([
  ['50', 50],
  ['$62.50, please', 62.5],
  ['up to 12,5', 12.5],
  ['more', null],
  [null, null],
])('the amount in %j is %j', (words, amount) => {
  expect(amountIn(words)).toBe(amount);
});

test('one value of the settings changes, and everything else stays as it is', () => {
  const text = 'a:   1 # odd\ncosts:\n   per_session_usd:  2.5   # mine\nb: [1,  2]\n';
  expect(withLimit(text, 'per_session_usd', 9)).toBe(text.replace('2.5', '9'));
});

test('a limit that was not there is added', () => {
  expect(withLimit('project:\n  name: x\n', 'total_project_usd', 9)).toBe('project:\n  name: x\ncosts:\n  total_project_usd: 9\n');
});
