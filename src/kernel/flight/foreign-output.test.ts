import { expect, test } from 'vitest';
import { failureOf } from './foreign-output.ts';

test.each([
  ['ruff check .', 127, '/bin/sh: 1: ruff: not found', '"ruff check ." needs ruff, which is not installed'],
  ['npm run lint', 127, '> lint\n> tsc\n\nbash: line 1: tsc: command not found', '"npm run lint" needs tsc, which is not installed'],
  [
    'npx eslint .',
    1,
    'npm error code ENOTCACHED\nnpm error request to …/eslint failed',
    '"npx eslint ." needs eslint, which is not installed',
  ],
  [
    'npm run check',
    1,
    'Error: connect ENOTFOUND example.org',
    '"npm run check" failed with status 1: Error: connect ENOTFOUND example.org',
  ],
  ['make', 2, '', '"make" failed with status 2 and printed nothing'],
])('%s with status %i', (command, exit_code, output, line) => {
  expect(failureOf(command, { exit_code, timed_out: false, output })).toBe(line);
});
