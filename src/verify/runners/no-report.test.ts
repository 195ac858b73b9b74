import { expect, test } from 'vitest';
import { NO_REPORT, noReport, unread } from './no-report.ts';

const said = (stderr: string, stdout = ''): string | undefined =>
  noReport({ report: null, stdout, stderr, code: 1, room: '/room', files: null }).problems[0];

test.each([
  [
    'a module that jest cannot find',
    '● Validation Error:\n\n  Module @swc/jest in the transform option was not found.\n         <rootDir> is: /room\n\n  Configuration Documentation:\n',
    'Module @swc/jest in the transform option was not found.',
  ],
  [
    'a package that a configuration imports',
    "failed to load config from /room/vitest.config.ts\n\n\u001B[31m⎯⎯⎯ Startup Error ⎯⎯⎯\u001B[39m\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from /room/vitest.config.ts\n    at y (node:internal)\n",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from vitest.config.ts",
  ],
  ['a heading', '● Validation Error:\n\n  testEnvironment must be a text.\n', 'testEnvironment must be a text.'],
  [
    'Python',
    "/room/tests/conftest.py:1: in <module>\nE   ModuleNotFoundError: No module named 'x'\n",
    "ModuleNotFoundError: No module named 'x'",
  ],
])('says what the runner said: %s', (_title, stderr, line) => {
  expect(said(stderr)).toBe(`the runner wrote no report: ${line}`);
  expect(said('', stderr)).toBe(`the runner wrote no report: ${line}`);
});

test('says no more than that where nothing was said', () => {
  expect(said('done in 3 s\n')).toBe('the runner wrote no report');
});

test('a run without a test is unread for what its runner said; one with tests, or with another problem, is read', () => {
  const passed = { id: 'a', file: 'a.js', name: 'a', status: 'passed' } as never;
  expect(unread({ tests: [], problems: ['other', `${NO_REPORT}: Error: this version is too old`] })).toBe('this version is too old');
  expect(unread({ tests: [passed], problems: [`${NO_REPORT}: Error: x`] })).toBeNull();
  expect(unread({ tests: [], problems: ['no test ran'] })).toBeNull();
});
