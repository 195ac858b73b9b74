import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import type { TestResult } from '../../../domain/verdict.ts';
import { setUpProblems, type SetUpFacts } from './set-up-problems.ts';

const FEATURES: Feature[] = [
  { id: 1, description: 'adds', passes: false, test_file: 'test/add.test.js' },
  { id: 2, description: 'divides', passes: false, test_file: ['test/divide.test.js', 'test/by-zero.test.js'] },
];
const FILES = new Set(['test/add.test.js', 'test/divide.test.js', 'test/by-zero.test.js']);

function result(file: string, status: TestResult['status']): TestResult {
  return { id: `${file}::placeholder`, file, name: 'placeholder', status } as TestResult;
}
const RED = [...FILES].map((file) => result(file, 'failed'));

function problems(facts: Partial<SetUpFacts>): unknown[] {
  const run = { runner: 'node:test' as const, tests: RED };
  const detected = { language: 'typescript', lint: 'npm run lint' };
  return setUpProblems({ features: FEATURES, before: new Set(), after: FILES, run, detected, ...facts }).map(({ weight, text }) => [
    weight,
    text,
  ]);
}
const withTests = (tests: TestResult[]): Partial<SetUpFacts> => ({ run: { runner: 'node:test', tests } });

describe('a set-up', () => {
  test('whose stubs all fail, with a linter, is fine', () => {
    expect(problems({})).toEqual([]);
  });

  test.each([
    ['one stub that passes', withTests([result('test/add.test.js', 'passed'), ...RED.slice(1)]), 'refuse', /stub of feature #1 passes/],
    [
      'one of several test files that passes',
      withTests([...RED.slice(0, 2), result('test/by-zero.test.js', 'passed')]),
      'refuse',
      /feature #2 passes/,
    ],
    [
      'a placeholder that is put off',
      withTests([result('test/add.test.js', 'todo'), ...RED.slice(1)]),
      'tell',
      /feature #1 has no test that fails/,
    ],
    ['a stub without any test', withTests(RED.slice(1)), 'tell', /feature #1 has no test that fails/],
    ['a stub that is missing', { after: new Set(['test/add.test.js', 'test/divide.test.js']) }, 'tell', /no test stub for feature #2/],
    ['no linter in JavaScript', { detected: { language: 'typescript', lint: null } }, 'tell', /"lint" script/],
    ['no linter in Python', { detected: { language: 'python', lint: null } }, 'tell', /tool\.ruff/],
  ])('with %s is told so', (_, facts, weight, words) => {
    expect(problems(facts as Partial<SetUpFacts>)).toContainEqual([weight, expect.stringMatching(words)]);
  });

  test('is not held to tests that were there before, to a suite that tells of no single test, or to a language without a usual linter', () => {
    const green = [...FILES].map((file) => result(file, 'passed'));
    expect(problems({ ...withTests(green), before: FILES })).toEqual([]);
    expect(problems({ run: { runner: 'exit-code', tests: green } })).toEqual([]);
    expect(problems({ run: null, detected: { language: 'unknown', lint: null } })).toEqual([]);
  });
});
