import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tryUpdateIndex, withOwnIndex } from './own-index.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;

beforeEach(() => {
  bench = createBench();
  bench.write({ 'a.txt': 'a' });
  bench.commit();
});
afterEach(() => bench.dispose());

test('names that git passes over are told', async () => {
  const home = await bench.home();
  const entry = { mode: '100644', oid: bench.git('rev-parse', 'HEAD:a.txt') };
  const told = await withOwnIndex(bench.platform, home, async (indexFile) => [
    await tryUpdateIndex(bench.platform, home, indexFile, [{ path: '.gitignore', entry }]),
    await tryUpdateIndex(bench.platform, home, indexFile, [
      { path: 'b.txt', entry },
      { path: '.GIT/config', entry },
    ]),
  ]);
  expect(told).toEqual([null, 'Ignoring path .GIT/config']);
});

test('an index that cannot be written says nothing about names', async () => {
  const home = await bench.home();
  const entry = { mode: '100644', oid: bench.git('rev-parse', 'HEAD:a.txt') };
  const nowhere = join(home.gitDir, 'a folder that is not there', 'index');
  await expect(tryUpdateIndex(bench.platform, home, nowhere, [{ path: '.gitignore', entry }])).rejects.toThrow(/update-index/);
});
