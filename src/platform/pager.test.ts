import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pagerOf, showInPager } from './pager.ts';

const going = new AbortController().signal;

test.each([
  [{}, 'less'],
  [{ PAGER: 'more -d' }, 'more -d'],
  [{ PAGER: ' ' }, null],
  [{ PAGER: 'cat' }, null],
  [{ PAGER: 'cat -A' }, null],
  [{ TERM: 'dumb' }, null],
])('with %j the pager is %j', (env, pager) => expect(pagerOf(env)).toBe(pager));

test('the whole text reaches the pager, which is one of several words', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pager-'));
  const file = join(folder, 'read.txt');
  const text = 'a line\n'.repeat(50_000);
  const env = { PATH: process.env['PATH'], PAGER: `tee '${file}' > /dev/null` };
  expect(await showInPager(text, env, going)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(text);
  rmSync(folder, { recursive: true });
});

test('a pager that is not there shows nothing, and one that is left early did', async () => {
  const { PATH } = process.env;
  expect(await showInPager('text', { PATH, PAGER: 'no-such-pager' }, going)).toBe(false);
  expect(await showInPager('text\n'.repeat(100_000), { PATH, PAGER: 'head -n 1 > /dev/null' }, going)).toBe(true);
  expect(await showInPager('text', { PATH, PAGER: 'true' }, AbortSignal.abort())).toBe(false);
});
