import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueLook, firstBroken } from './maintain.ts';

test('a new commit is looked at at once, a known one again after the interval', () => {
  expect(dueLook(null, 'a', 0, 100)).toBe('commit');
  expect(dueLook({ commit: 'a', at: 0 }, 'b', 1, 100)).toBe('commit');
  expect(dueLook({ commit: 'a', at: 0 }, 'a', 99, 100)).toBeNull();
  expect(dueLook({ commit: 'a', at: 0 }, 'a', 100, 100)).toBe('interval');
});

test('the first broken commit is found, with few questions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 500 }), fc.nat(), async (count, seed) => {
      const commits = Array.from({ length: count }, (_, index) => String(index));
      const broke = seed % count;
      let asked = 0;
      const found = await firstBroken(commits, async (commit) => {
        asked++;
        return Number(commit) >= broke;
      });
      expect(found).toBe(String(broke));
      expect(asked).toBeLessThanOrEqual(Math.ceil(Math.log2(count)) + 1);
    }),
  );
  expect(await firstBroken([], async () => true)).toBeNull();
});
