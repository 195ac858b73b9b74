/** The day of docs/a-day.md, block by block, in an empty directory. */
import { expect, test } from 'vitest';
import { followPage } from './follow-page.ts';
import { emptyScene, git, harness, read } from './support.ts';

test("a person's day goes as the page tells it", { timeout: 400_000 }, async () => {
  const scene = await emptyScene();
  const told = await followPage('a-day.md', scene);
  expect(told.length).toBeGreaterThanOrEqual(8);
  const all = told.join('\n');
  for (const words of [
    'Harness-Feature: 1',
    'continue with: harness resume',
    'Recorded as passing: #2',
    'Feature #2: PASSED',
    "on a person's word alone: #4",
    'refs/harness/saved/',
  ])
    expect(all).toContain(words);
  const list = JSON.parse(await read(scene, 'features.json')) as { features: { passes: boolean }[] };
  expect(list.features.map((feature) => feature.passes)).toEqual([true, true, true, true, true]);
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({
    features: { passing: 5, total: 5 },
    current: 'all features pass',
  });
  expect(await git(scene, 'status', '--porcelain')).toBe('');
});
