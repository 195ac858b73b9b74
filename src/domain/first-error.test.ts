import { expect, test } from 'vitest';
import { firstError } from './first-error.ts';

const NPM = `npm warn deprecated x@1: do not use\nnpm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error\nnpm error While resolving: p@1.0.0\nnpm error Found: react@19.0.0\nnpm error\nnpm error Could not resolve dependency:\nnpm error peer react@"^18" from a@1.0.0\nnpm error A complete log of this run can be found in: /x`;
const STACK = `Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n    import a\nModuleNotFoundError: No module named 'a'`;

test.each([
  ['npm, with what it could not resolve', NPM, 'ERESOLVE could not resolve: peer react@"^18" from a@1.0.0'],
  [
    'npm without a code',
    'npm error code E404\nnpm error 404 Not Found - GET https://h/x\nnpm error 404',
    '404 Not Found - GET https://h/x',
  ],
  [
    'pnpm, which prints it among progress',
    'Progress: resolved 1\n ERR_PNPM_OUTDATED_LOCKFILE  Cannot install\n\nNote that',
    'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install',
  ],
  [
    'yarn 4',
    '➤ YN0000: · Yarn 4\n➤ YN0002: │ p lacks a\n➤ YN0028: │ The lockfile would have been modified',
    'YN0028: The lockfile would have been modified',
  ],
  [
    'yarn 1',
    'yarn install v1\nwarning x\nerror Your lockfile needs to be updated.\ninfo Visit',
    'error Your lockfile needs to be updated.',
  ],
  ['a stack of Python', STACK, "ModuleNotFoundError: No module named 'a'"],
  ['a shell', 'sh: 1: tsc: not found', 'sh: 1: tsc: not found'],
  ['anything else', '\n\u001b[31mit broke\u001b[0m\nmore', 'it broke'],
])('%s', (_tool, output, expected) => {
  expect(firstError(output)).toBe(expected);
});

test('a long line stays whole, and nothing is made of nothing', () => {
  const line = `error ${'x'.repeat(5_000)} end`;
  expect(firstError(line)).toBe(line);
  expect(firstError('', ' \n')).toBeNull();
});
