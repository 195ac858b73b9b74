import { describe, expect, test } from 'vitest';
import { addedMarks, titlesOf } from './test-text.ts';

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
