import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangedResult } from '../../domain/verdict.ts';
import { caseOf, factsOf } from '../test-support-case.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';
import { BEHAVIOUR } from './check-behaviour.ts';

let bench: Bench;
beforeAll(async () => void (bench = await createBench()));
afterAll(() => bench.dispose());

interface Tried {
  detail: string;
  changed: readonly ChangedResult[];
  caveats: readonly string[];
}

async function tried(base: FileTable, work: FileTable, { full, files }: { full: string; files: string[] }): Promise<Tried> {
  const feature = { id: 2, description: 'The next one', test_file: files, passes: false };
  const judged = await caseOf(bench, {
    base: { 'features.json': '{"project":"x","features":[]}', ...base },
    work: { 'src/subtract.mjs': null, 'test/subtract.test.mjs': null, 'features.json': null, ...work },
    settings: { testing: { full } },
    feature,
  });
  const { detail, facts, caveats, findings } = await BEHAVIOUR.run(judged, await factsOf(judged));
  expect(findings).toEqual([]);
  return { detail, changed: facts?.changedResults ?? [], caveats: caveats ?? [] };
}

const NODE = { full: 'node --test', files: ['test/slug.test.mjs'] };
const javascript = (code: string, ...statements: string[]): FileTable => ({
  'package.json': '{"name":"words","type":"module"}',
  'src/slug.mjs': code,
  'test/slug.test.mjs': `import test from 'node:test'; import assert from 'node:assert/strict'; import { slug } from '../src/slug.mjs';
test('slug', () => { ${statements.join(' ')} });
`,
});
const CALL = "assert.ok(slug('x y'));";
const SLUG = "export const slug = (text) => text.trim().replaceAll(' ', '-');\n";

describe('results of functions that were there before', () => {
  test('are listed if they differ from base', async () => {
    const { changed, detail, caveats } = await tried(
      javascript(SLUG, CALL),
      javascript("export const slug = (text) => text.trim().replaceAll(' ', '_');\n", CALL),
      NODE,
    );
    expect(changed).toContainEqual({ call: "slug('x y')", was: 'x-y', is: 'x_y' });
    expect(detail).toMatch(/^\d+ of \d+ results differ from base$/);
    expect(caveats).toEqual([expect.stringMatching(/^\d+ results of functions that were there before differ from base$/)]);
  });

  test('that no test asks for are found by calls that differ in a literal', async () => {
    const { changed } = await tried(
      javascript(SLUG, CALL),
      javascript(SLUG.replace('text.trim()', '(/[A-Z]/.test(text) ? "" : text.trim())'), CALL),
      NODE,
    );
    expect(changed).toContainEqual({ call: "slug('X Y')", was: 'X-Y', is: '""' });
  });

  test('are compared with their order and their errors', async () => {
    const before = `export const slug = (kind) => {
  if (kind === 'error') throw new RangeError('too far\\nby a mile');
  return { list: [1, 2], at: new Date(0), map: new Map([['a', 1]]) };
};
`;
    const after = before.replace('[1, 2]', '[2, 1]').replace('RangeError', 'TypeError');
    const statements = ["assert.ok(slug('list'));", "assert.throws(() => slug('error'));"];
    const { changed } = await tried(javascript(before, ...statements), javascript(after, ...statements), NODE);
    const list = (order: string): string => `{list: [${order}], at: Date(1970-01-01T00:00:00.000Z), map: Map {"a" => 1}}`;
    expect(changed.slice(0, 2)).toEqual([
      { call: "slug('list')", was: list('1, 2'), is: list('2, 1') },
      { call: "slug('error')", was: 'throws RangeError: too far', is: 'throws TypeError: too far' },
    ]);
  });

  test.each([
    ['code that is written differently', SLUG.replace(".replaceAll(' ', '-')", ".split(' ').join('-')"), /^0 of \d+ results differ/],
    ['chance and clocks', 'export const slug = () => [Math.random(), process.hrtime.bigint()];\n', /^(?:0 of 0|0 of \d+|the calls)/],
    ['functions', 'export const slug = () => () => 1;\n', /^the calls could not be run$/],
  ])('say nothing of %s', async (_, code, says) => {
    const base = code.startsWith('export const slug = (text)') ? SLUG : code;
    const { detail, changed } = await tried(javascript(base, CALL), javascript(`${code}\n`, CALL), NODE);
    expect(changed).toEqual([]);
    expect(detail).toMatch(says);
  });

  test('are compared in Python', async () => {
    const python = (code: string): FileTable => ({
      'words.py': code,
      'tests/test_words.py': "from words import slug\n\n\ndef test_slug():\n    text = 'x y'\n    assert slug(text)\n",
    });
    const { changed } = await tried(
      python("def slug(text):\n    return text.replace(' ', '-')\n"),
      python("def slug(text):\n    if not text:\n        raise ValueError('empty')\n    return text.replace(' ', '_')\n"),
      { full: 'python3 -m pytest', files: ['tests/test_words.py'] },
    );
    expect(changed).toContainEqual({ call: "slug('x y')", was: 'x-y', is: 'x_y' });
    expect(changed).toContainEqual({ call: "slug('')", was: "''", is: 'raises ValueError: empty' });
  });
});
