import { describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { readSource } from '../source/read-source.ts';
import { onlyAddsTests, supersedes } from './supersede.ts';
import type { TestVersion } from './runs-with.ts';

const platform = nodePlatform({ PATH: process.env['PATH'] });

async function covers(path: string, before: string, after: string): Promise<boolean> {
  const [old, now] = [await readSource(platform, path, before), await readSource(platform, path, after)];
  if (old === null || now === null) throw new Error('the parser has no reading');
  return onlyAddsTests({ text: before, reading: old }, { text: after, reading: now });
}

const JS = `import test from 'node:test';
import assert from 'node:assert/strict';
import { one } from '../src/one.js';
test('one', () => { assert.equal(one(), 1); });
`;

describe('JavaScript', () => {
  const DESCRIBED = `${JS}describe('more', () => {\n  it('is two', () => { assert.equal(one() + 1, 2); });\n});\n`;
  test.each<[string, string, string]>([
    ['a test at the end', JS, `${JS}test('two', () => { assert.equal(one() + one(), 2); });\n`],
    ['a group at the end', JS, `${JS}describe('more', () => { it('is two', () => { assert.equal(one() + 1, 2); }); });\n`],
    [
      'a test at the end of the last group',
      DESCRIBED,
      DESCRIBED.replace(/\}\);\n$/, "  it('is one', () => { assert.equal(one(), 1); });\n});\n"),
    ],
  ])('%s covers the earlier version', async (_, before, after) => {
    expect(await covers('test/one.test.js', before, after)).toBe(true);
  });

  test.each<[string, string]>([
    ['a changed statement', JS.replace('one(), 1', 'one() > 0, true')],
    ['an added statement in a test', JS.replace('{ assert', '{ const x = 1; assert')],
    ['a test before the earlier one', JS.replace("test('one'", "test('zero', () => { assert.equal(one() - 1, 0); });\ntest('one'")],
    ['a hook', `${JS}beforeEach(() => { one.calls = 0; });\n`],
    ['another import', `import '../test/help.js';\n${JS}`],
    ['an import with another name', JS.replace('{ one }', '{ one, two }')],
    ['a mock in a test, which a runner moves to the top', `${JS}test('two', () => { vi.mock('../src/one.js'); });\n`],
    ['a test that changes what all share', `${JS}test('two', () => { globalThis.x = 1; });\n`],
    ['white space in an expected text', JS.replace("'one', ()", "'o  ne', ()")],
    ['a removed test', JS.replace(/test\('one'.*\n/, '')],
  ])('%s does not', async (_, after) => {
    expect(await covers('test/one.test.js', JS, after)).toBe(false);
  });
});

describe('Python', () => {
  const PY = 'from src.one import one\n\n\ndef test_one():\n    assert one() == 1\n';
  test('a test at the end covers the earlier version', async () => {
    expect(await covers('tests/test_one.py', PY, `${PY}\n\ndef test_two():\n    assert one() + 1 == 2\n`)).toBe(true);
  });

  test.each<[string, string]>([
    ['a test of the same name', `${PY}\n\ndef test_one():\n    assert one()\n`],
    ['a fixture', `${PY}\n\n@pytest.fixture(autouse=True)\ndef fixed():\n    pass\n`],
    ['an assertion behind a return', PY.replace('    assert', '    return\n    assert')],
    ['a function that others import', `${PY}\n\ndef one():\n    return 1\n`],
  ])('%s does not', async (_, after) => {
    expect(await covers('tests/test_one.py', PY, after)).toBe(false);
  });
});

test('a version that runs with another helper is no other version of the same', async () => {
  const entry = (path: string, oid: string) => ({ path, mode: '100644', oid });
  const version = (helper: string): TestVersion => ({
    id: helper,
    file: 'test/one.test.js',
    blob: 'b',
    entries: [entry('test/help.js', helper), entry('test/one.test.js', 'b')],
    placed: new Set(),
  });
  const read = async (): Promise<Buffer> => Buffer.from(JS);
  expect(await supersedes(platform, read, version('1'), version('1'))).toBe(true);
  expect(await supersedes(platform, read, version('1'), version('2'))).toBe(false);
});
