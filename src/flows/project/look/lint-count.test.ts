import { expect, test } from 'vitest';
import { countLint } from './lint-count.ts';

test.each([
  ['✖ 5 problems (3 errors, 2 warnings)', 1, { errors: 3, warnings: 2 }],
  ['src/a.ts:1:1: no-debugger\nFound 2 warnings and 1 error.', 1, { errors: 1, warnings: 2 }],
  ['a.py:1:1: F401 unused import\na.py:9:1: E501 line too long\nFound 2 errors.', 1, { errors: 2, warnings: 0 }],
  ['a.go:3:5: error here\na.go:4: another\nb.go:9:1: warning: shadowed', 1, { errors: 2, warnings: 1 }],
  ['src/a.ts(3,4): error TS2322', 2, { errors: 1, warnings: 0 }],
  ['something went wrong', 2, { errors: 1, warnings: 0 }],
  ['a.go:3:5: warning: shadowed', 0, { errors: 0, warnings: 1 }],
  ['', 0, { errors: 0, warnings: 0 }],
  ['', null, { errors: 1, warnings: 0 }],
] as const)('%j with status %s counts %j', (output, status, count) => {
  expect(countLint(output, status)).toEqual(count);
});
