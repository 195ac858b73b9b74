import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBench, type Bench } from '../../workspace/test-support.ts';
import { createTreeStore } from '../../workspace/tree-store.ts';
import { largeChange } from './judge-candidate.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

test('a change over five files or three hundred lines is told; lockfiles and what is left out do not count', async () => {
  const trees = createTreeStore(bench.platform, await bench.home());
  const base = await trees.emptyTree();
  const write = (path: string, lines: number) => ({ path, kind: 'write' as const, content: 'x\n'.repeat(lines) });
  const small = await trees.compose(base, [write('a.js', 300), write('package-lock.json', 5_000), write('features.json', 900)]);
  expect(await largeChange(trees, base, small, ['features.json'])).toBeNull();
  const long = await trees.compose(base, [write('a.js', 301)]);
  expect(await largeChange(trees, base, long, [])).toContain('1 file changed, 301 lines added');
  const wide = await trees.compose(
    base,
    Array.from({ length: 6 }, (_, at) => write(`${at}.js`, 1)),
  );
  expect(await largeChange(trees, base, wide, [])).toContain('6 files changed');
});
