import { expect, test } from 'vitest';
import { lintRules } from './lint-rules.ts';

test.each([
  [
    'ruff',
    'src/a.py:1:1: F401 unused\nsrc/b.py:2:3: F401 unused\nsrc/b.py:9:80: E501 long\nFound 3 errors.',
    [
      ['F401', 2],
      ['E501', 1],
    ],
  ],
  [
    'eslint',
    "/x/a.js\n  1:5  error  'x' is assigned  no-unused-vars\n  2:1  warning  Unexpected var  no-var\n",
    [
      ['no-unused-vars', 1],
      ['no-var', 1],
    ],
  ],
  ['oxlint', '  x eslint(no-unused-vars): Variable is declared\n', [['eslint(no-unused-vars)', 1]]],
  ['tsc', 'a.ts(1,2): error TS2304: Cannot find name', [['TS2304', 1]]],
  ['mypy', 'a.py:3: error: "X" has no attribute "y"  [attr-defined]', [['attr-defined', 1]]],
  ['no tool that is known', 'all is well', []],
])('findings of %s are counted by rule', (_tool, output, rules) => {
  expect(lintRules(output).map(({ rule, count }) => [rule, count])).toEqual(rules);
});
