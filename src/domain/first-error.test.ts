import { expect, test } from 'vitest';
import { firstErrorLine } from './first-error.ts';

test.each([
  [
    'npm, whose code says less than its sentence',
    'npm warn old lockfile\nnpm error code ERESOLVE\nnpm error ERESOLVE could not resolve react@19\nnpm error\nnpm error A complete log of this run can be found in: /x/y.log\n',
    'ERESOLVE could not resolve react@19',
  ],
  [
    'node, above its stack and below its excerpt',
    "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module './nowhere'\nRequire stack:\n- /p/a.js\n    at Module._resolve (node:internal/x:1:2)\n\nNode.js v20.1.0\n",
    "Error: Cannot find module './nowhere'",
  ],
  [
    'python, at the end of its trace',
    'Traceback (most recent call last):\n  File "/p/a.py", line 3, in <module>\n    import attrs\nModuleNotFoundError: No module named \'attrs\'\n',
    "ModuleNotFoundError: No module named 'attrs'",
  ],
  [
    'eslint, with the file',
    "\n> lint\n> eslint .\n\n\n/room/src/a.js\n  3:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n",
    "/room/src/a.js: 3:7  error  'x' is never used  no-unused-vars",
  ],
  ['tsc', "src/a.ts(1,2): error TS2322: Type 'a' is wrong.\nFound 1 error.\n", "src/a.ts(1,2): error TS2322: Type 'a' is wrong."],
  ['ruff', 'a.py:1:1: F401 `os` imported but unused\nFound 1 error.\n', 'a.py:1:1: F401 `os` imported but unused'],
  [
    'eclint, below the warnings of eslint',
    'src/a.js\n  1:2  warning  Unexpected continue  no-continue\n.github/x.yml\n    06:01 ❌ invalid indent size: 2, expected: 4\n',
    '.github/x.yml: 06:01 ❌ invalid indent size: 2, expected: 4',
  ],
  ['a shell', '\n> x@1 lint\n> eslint .\n\nsh: 1: eslint: not found\n', 'sh: 1: eslint: not found'],
  ['a count of nothing', '0 errors\nall failed: 0\nsomething broke: failed to start\n', 'something broke: failed to start'],
  ['colours', '\u001B[31merror\u001B[39m: bad\n', 'error: bad'],
  [
    'npm, with what it could not resolve',
    'npm warn deprecated x@1: do not use\nnpm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error\nnpm error While resolving: p@1.0.0\nnpm error Could not resolve dependency:\nnpm error peer react@"^18" from a@1.0.0\n',
    'ERESOLVE could not resolve: peer react@"^18" from a@1.0.0',
  ],
  [
    'npm without a package',
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
  ['no such word', 'one\ntwo\n', 'two'],
  ['nothing', '\n\n', ''],
])('finds what failed in the output of %s', (_title, output, line) => {
  expect(firstErrorLine(output)).toBe(line);
});

test('a line is never cut in a word', () => {
  const line = firstErrorLine(`error: ${'word '.repeat(1_000)}`);
  expect(line.endsWith('word …')).toBe(true);
  expect(line.length).toBeLessThan(1_010);
});
