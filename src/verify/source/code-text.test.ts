import { describe, expect, test } from 'vitest';
import { addedSuppressions, testsNamedBy } from './code-text.ts';

const PATHS = new Set([
  'src/slug.js',
  'src/words.json',
  'test/slug.test.js',
  'test/fixtures/cases.json',
  'tests/expected.py',
  'src/slug.py',
]);
const named = (path: string, after: string, before: string | null = null): string[] => testsNamedBy({ path, before, after }, PATHS);

describe('files of the tests that code names', () => {
  test('are found by their path from the project and from the file', () => {
    expect(named('src/slug.js', "readFileSync('test/fixtures/cases.json')")).toEqual(['test/fixtures/cases.json']);
    expect(named('src/slug.js', 'new URL("../test/slug.test.js", import.meta.url)')).toEqual(['test/slug.test.js']);
  });

  test('are found by imports of both languages', () => {
    expect(named('src/slug.js', "import cases from '../test/fixtures/cases.json' with { type: 'json' };")).toEqual([
      'test/fixtures/cases.json',
    ]);
    expect(named('src/slug.py', 'from tests.expected import EXPECTED')).toEqual(['tests/expected.py']);
  });

  test('are no news where the code named them before', () => {
    const text = "readFileSync('test/fixtures/cases.json')";
    expect(named('src/slug.js', `${text};\nmore();`, text)).toEqual([]);
  });

  test('do not count in tests, and other files do not count at all', () => {
    expect(named('test/slug.test.js', "readFileSync('test/fixtures/cases.json')")).toEqual([]);
    expect(named('src/slug.js', "readFileSync('src/words.json'); open('tests are good'); './slug.js'")).toEqual([]);
  });
});

describe('comments that switch a tool off', () => {
  test('are told when there are more of them than before', () => {
    expect(addedSuppressions({ path: 'src/a.ts', before: null, after: '// eslint-disable-next-line no-console\n// @ts-ignore\n' })).toEqual(
      ['eslint-disable-next-line', '@ts-ignore'],
    );
    expect(addedSuppressions({ path: 'src/a.py', before: 'x = 1  # noqa\n', after: 'x = 1  # noqa\ny = 2  # noqa\n' })).toEqual(['# noqa']);
  });

  test('are not told when they were there, or stand in a test', () => {
    expect(addedSuppressions({ path: 'src/a.py', before: 'x = 1  # noqa\n', after: 'y = 2  # noqa\n' })).toEqual([]);
    expect(addedSuppressions({ path: 'test/a.test.ts', before: null, after: '// @ts-expect-error' })).toEqual([]);
  });
});
