import { expect, test } from 'vitest';
import { titlesOf } from './test-text.ts';

test('titles of tests are read from literals', () => {
  expect(titlesOf(`test('a', f); it.each(x)("b", f); it("it's", f)\ndef test_c(): pass`)).toEqual(['a', "it's", 'test_c']);
});
