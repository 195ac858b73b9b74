import { expect, test } from 'vitest';
import type { ChangedResult, Verdict } from '../domain/verdict.ts';
import { describeVerdict } from './describe-verdict.ts';

const changed = (call: string, account?: ChangedResult['account']): ChangedResult => ({
  call,
  was: 'x-y',
  is: 'x y',
  ...(account === undefined ? {} : { account }),
});

function wordsFor(changed_results: ChangedResult[]): string[] {
  const verdict = { decision: 'accepted', feature: 2, feature_tests: ['a'], red_to_green: ['a'], kept_green: 1, findings: [], caveats: [] };
  return describeVerdict({ ...verdict, changed_results } as unknown as Verdict).slice(1);
}

test('changed results are listed, unless the description accounts for them or a finding names them', () => {
  expect(wordsFor([])).toEqual([]);
  expect(wordsFor([changed("slug('a')", 'yes'), changed("slug('b')", 'no')])).toEqual([]);
  expect(wordsFor([changed("slug('x y')"), changed('slug(`\u001b[2J`)', 'unclear')])).toEqual([
    'Changed results:',
    "    `slug('x y')` was `x-y`, is `x y`",
    expect.stringMatching(/^ {4}`slug\('[^\u001b]*'\)` was `x-y`, is `x y`$/),
  ]);
  expect(wordsFor(Array.from({ length: 7 }, (_none, at) => changed(`slug(${at})`))).at(-1)).toBe('    … and 2 more');
});
