import { expect, test } from 'vitest';
import type { TestResult } from '../../domain/verdict.ts';
import { compareWithBaseline } from '../memory/baseline.ts';
import { compareRed } from './red.ts';
import { measureSizes } from '../memory/sizes.ts';
import { createBench } from '../test-support.ts';

const result = (id: string, status: TestResult['status'], failure?: TestResult['failure']): TestResult => ({
  id,
  file: id.split('::')[0]!,
  name: id,
  status,
  failure,
});

test('a test that failed, erred or was absent before is red', () => {
  const compared = compareRed({
    green: ['f::a', 'f::b', 'f::c'],
    before: [result('f::a', 'failed', 'assertion'), result('f::b', 'passed')],
    baseline: new Set(),
  });
  expect(compared).toEqual({ redToGreen: ['f::a', 'f::c'], alreadyGreen: ['f::b'] });
});

test('a test of the baseline whose new version fails on old code is red too', () => {
  expect(compareRed({ green: ['f::a'], before: [result('f::a', 'failed', 'assertion')], baseline: new Set(['f::a']) }).redToGreen).toEqual([
    'f::a',
  ]);
  expect(compareRed({ green: ['f::a'], before: [result('f::(file)', 'error', 'import')], baseline: new Set(['f::a']) }).redToGreen).toEqual(
    [],
  );
});

test('every status but passed is a loss of a baseline test', () => {
  const tests = (['passed', 'failed', 'skipped', 'todo', 'xfail', 'retried', 'error'] as const).map((status) =>
    result(`f::${status}`, status),
  );
  const compared = compareWithBaseline([...tests.map((one) => one.id), 'f::gone'], { tests });
  expect(compared.kept).toEqual(['f::passed']);
  expect(compared.lost.map((loss) => loss.now)).toEqual(['failed', 'skipped', 'todo', 'xfail', 'retried', 'error', 'vanished']);
});

test('sizes warn about large and fast-growing files and read only what changed', async () => {
  const bench = await createBench();
  const first = await bench.tree({ 'a.js': 'x\n'.repeat(10), 'b.js': 'x', 'c.txt': 'x' });
  const second = await bench.tree({ 'a.js': 'x\n'.repeat(120), 'b.js': 'x', 'c.txt': 'x' });
  const before = await measureSizes(bench.trees, first, { session: 1, previous: {}, maxLines: 100 });
  let read = 0;
  const counting = { ...bench.trees, readBlob: (oid: string) => ((read += 1), bench.trees.readBlob(oid)) };
  const after = await measureSizes(counting, second, { session: 2, previous: before.files, previousTree: first, maxLines: 100 });
  await bench.dispose();
  expect(before.files).toEqual({
    'a.js': { lines: 10, session_added: 1, lines_at_start: 10 },
    'b.js': { lines: 1, session_added: 1, lines_at_start: 1 },
  });
  expect(after.files['a.js']).toEqual({ lines: 120, session_added: 1, lines_at_start: 10 });
  expect(after.warnings.map((warning) => warning.file)).toEqual(['a.js', 'a.js']);
  expect(read).toBe(1);
});
