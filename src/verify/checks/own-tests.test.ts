import { describe, expect, test } from 'vitest';
import { codeWithTests, keepsOwnTests } from './own-tests.ts';

describe('code that holds tests', () => {
  test('examples of a Python module and what Rust keeps beside its code are code; test files are not, whatever they are called', () => {
    const ids = [
      'parse.py::parse.with_pattern',
      'src/pkg/__init__.py::pkg.twice',
      'src/lib.rs::tests::adds',
      'tests/version.rs::parses',
      'tests/test_parse.py::test_parse.example',
      'checks/rules.py::test_rules',
      'checks/mixed.py::checks.mixed.example',
      'checks/mixed.py::test_mixed',
      'src/a.test.js::a > works',
      'pkg/more.py::DocTestCase > runTest',
      'pkg/more.py::DocTestCase > runTest #2',
      'checks/cases.py::DocTestCase > runTest',
      'checks/cases.py::Cases > test_one',
    ];
    expect([...codeWithTests(ids)]).toEqual(['parse.py', 'src/pkg/__init__.py', 'src/lib.rs', 'pkg/more.py']);
  });
});

describe('what a module holds of examples', () => {
  const module = (example: string, body = 'a + b'): string =>
    `def add(a, b):\n    """Adds.\n\n    ${example}\n    """\n    return ${body}\n`;
  const before = module('>>> add(1, 2)\n    3');
  test.each([
    ['stays with other code', module('>>> add(1, 2)\n    3', 'b + a'), true],
    ['stays with another beside it', module('>>> add(1, 2)\n    3\n    >>> add(2, 2)\n    4'), true],
    [
      'stays with words around it',
      before.replace('Adds.', 'Adds two numbers.').replace('    """\n    return', '    Done.\n    """\n    return'),
      false,
    ],
    ['stays with words around it, apart', before.replace('    """\n    return', '\n    Done.\n    """\n    return'), true],
    ['is not what it was with another result', module('>>> add(1, 2)\n    4'), false],
    ['is not what it was when it is left out of the run', module('>>> add(1, 2)  # doctest: +SKIP\n    3'), false],
    ['is gone', 'def add(a, b):\n    return a + b\n', false],
  ])('%s', (_title, after, kept) => {
    expect(keepsOwnTests('add.py', before, after)).toBe(kept);
  });
});

describe('what a file of Rust holds of tests', () => {
  const before =
    '/// Adds.\n///\n/// ```\n/// assert_eq!(add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 { a + b }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(super::add(1, 2), 3); }\n}\n';
  test.each([
    ['stays with other code', before.replace('a + b', 'b + a'), true],
    ['stays with more documentation', before.replace('/// Adds.', '/// Adds two numbers.\n///\n/// ```\n/// add(1, 1);\n/// ```'), true],
    ['is not what it was with another example', before.replace('add(1, 2), 3);\n/// ```', 'add(1, 2), 4);\n/// ```'), false],
    ['is not what it was with another fence', before.replace('```\n/// assert', '```ignore\n/// assert'), false],
    ['is not what it was with another test', before.replace('super::add(1, 2), 3', 'super::add(1, 2), 4'), false],
    ['is gone', 'pub fn add(a: i32, b: i32) -> i32 { a + b }\n', false],
  ])('%s', (_title, after, kept) => {
    expect(keepsOwnTests('src/lib.rs', before, after)).toBe(kept);
  });
});

test('a hundred thousand tests of one file are sorted in a moment', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => `reported::test number ${index}`);
  const begin = performance.now();
  expect(codeWithTests(ids)).toEqual(new Set());
  expect(performance.now() - begin).toBeLessThan(5_000);
});
