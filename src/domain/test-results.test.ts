import { expect, test } from 'vitest';
import { countTests, failuresIn } from './test-results.ts';
import type { TestResult } from './verdict.ts';

const result = (file: string, status: TestResult['status'], message?: string): TestResult => ({
  id: `${file}::x`,
  file,
  name: 'x',
  status,
  ...(message === undefined ? {} : { message }),
});
const SILENT = 'the file ended without reporting a test';

test('a helper among the tests has not failed; a test that failed, or a test file that told of none, has', () => {
  const tests = [
    result('test/a.test.js', 'passed'),
    result('test/b.test.js', 'failed', 'wrong'),
    result('test/support/check.js', 'error', SILENT),
    result('test/c.test.js', 'error', SILENT),
    result('tests/test_d.py', 'error', SILENT),
  ];
  expect(failuresIn(tests).map((one) => one.file)).toEqual(['test/b.test.js', 'test/c.test.js', 'tests/test_d.py']);
  expect(countTests(tests)).toBe(2);
});
