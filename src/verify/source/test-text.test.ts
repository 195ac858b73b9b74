import { describe, expect, test } from 'vitest';
import { addedMarks, isAdditive, isStub, titlesOf } from './test-text.ts';

const JS = `import test from 'node:test';
import assert from 'node:assert';
describe('group', () => {
  test('one', () => {
    assert.equal(f(1), '});');
  });
});
test('two', () => assert.match(g(), /[)}]/));
`;
const PY = `import pytest

def test_one():
    assert f(1) == 2

class TestGroup:
    def test_two(self):
        assert g()
`;

describe('only added to', () => {
  const cases: [string, string, string, boolean][] = [
    ['a test at the end', 'a.test.js', `${JS}test('three', () => {\n  assert.ok(h());\n});\n`, true],
    [
      'a test inside a group',
      'a.test.js',
      JS.replace("  test('one'", "  test('zero', () => {\n    assert.ok(1);\n  });\n  test('one'"),
      true,
    ],
    [
      'an import and a new constant',
      'a.test.js',
      JS.replace("describe('group'", "import { h } from './h.js';\nconst table = [1];\ndescribe('group'"),
      true,
    ],
    ['a comment', 'a.test.js', `// more to come\n${JS}`, true],
    ['a changed value', 'a.test.js', JS.replace('f(1)', 'f(2)'), false],
    ['an early return', 'a.test.js', JS.replace('    assert.equal', '    return;\n    assert.equal'), false],
    ['a test taken away', 'a.test.js', JS.slice(0, JS.indexOf("test('two'")), false],
    ['a hook', 'a.test.js', `${JS}beforeEach(() => {});\n`, false],
    ['a name that shadows one in use', 'a.test.js', JS.replace('describe(', 'const f = () => "});";\ndescribe('), false],
    ['a call that is no test', 'a.test.js', `${JS}patch(assert);\n`, false],
    ['a mocked module', 'a.test.js', `${JS}vi.mock('./f.js');\n`, false],
    ['a focused test', 'a.test.js', `${JS}test.only('three', () => {});\n`, false],
    ['the group wrapped in a comment', 'a.test.js', JS.replace('describe(', '/* describe(').replace("test('two'", "*/ test('two'"), false],
    ['a Python test', 'test_a.py', `${PY}\ndef test_three():\n    assert True\n`, true],
    ['a Python method', 'test_a.py', `${PY}\n    def test_more(self):\n        assert g()\n`, true],
    ['a Python line in a body', 'test_a.py', PY.replace('    assert f(1)', '    return\n    assert f(1)'), false],
    [
      'a Python body stolen by a new test',
      'test_a.py',
      PY.replace('    assert f(1)', '    pass\n\ndef test_stolen():\n    assert f(1)'),
      false,
    ],
    ['an automatic fixture', 'test_a.py', `${PY}\n@pytest.fixture(autouse=True)\ndef patch(): yield\n`, false],
    ['another language', 'a_test.go', `${JS}\n`, false],
  ];
  test.each(cases)('%s', (_title, path, after, expected) => {
    expect(isAdditive(path.endsWith('.py') ? PY : JS, after, path)).toBe(expected);
  });

  test('the same text is additive', () => {
    expect([isAdditive(JS, JS, 'a.test.ts'), isAdditive(PY, PY, 'test_a.py')]).toEqual([true, true]);
  });
});

describe('marks that take a test out', () => {
  test.each([
    ['test("a", () => {})', 'test.skip("a", () => {})', ['test.skip']],
    ['it("a", () => {})', 'xit("a", () => {})', ['xit(']],
    ['test("a", () => {})', 'test("a", { skip: true }, () => {})', ['skip: true']],
    ['def test_a(): pass', '@pytest.mark.skip\ndef test_a(): pass', ['@pytest.mark.skip']],
    ['def test_a(): pass', '@pytest.mark.xfail\ndef test_a(): pass', ['@pytest.mark.xfail']],
    ['test("a", () => {})', 'test("a", { skip: process.platform === "win32" }, () => {})', []],
    ['def test_a(): pass', '@pytest.mark.skipif(sys.platform == "win32", reason="")\ndef test_a(): pass', []],
    ['test("a", () => {})', '// test.skip later\ntest("a", () => {})', []],
    ['test.skip("a")', 'test.skip("a")', []],
  ])('from %s to %s', (before, after, expected) => {
    expect(addedMarks(before, after)).toEqual(expected);
  });
});

test('titles of tests are read from literals', () => {
  expect(titlesOf(`test('a', f); it.each(x)("b", f); it("it's", f)\ndef test_c(): pass`)).toEqual(['a', "it's", 'test_c']);
});

test('a stub asserts nothing but that it is unfinished', () => {
  expect(isStub("test('a', () => assert.fail('later'));")).toBe(true);
  expect(isStub("import assert from 'node:assert';\ntest.todo('a');")).toBe(true);
  expect(isStub('import pytest\ndef test_a():\n    pytest.fail("later")')).toBe(true);
  expect(isStub("test('a', () => expect(f()).toBe(1));")).toBe(false);
});
