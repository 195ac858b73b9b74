import { expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import { grownFeatures, largeFeatures } from './large-features.ts';

const feature = (id: number, steps: number, more: Partial<Feature> = {}): Feature => ({
  id,
  description: `f${id}`,
  test_file: `t/${id}.js`,
  verification_steps: Array.from({ length: steps }, (_, index) => `step ${index}`),
  passes: false,
  ...more,
});
const list = (...features: Feature[]): { features: Feature[] } => ({ features });
const ids = (large: readonly { feature: number }[]): number[] => large.map(({ feature: id }) => id);

test('open features with too many steps are large, and so are those that are estimated xlarge', () => {
  const all = list(feature(1, 7), feature(2, 8), feature(3, 9, { passes: true }), feature(4, 2, { size_estimate: 'xlarge' }));
  expect(largeFeatures(all, 7)).toEqual([
    { feature: 2, steps: 8, limit: 7 },
    { feature: 4, steps: 2, limit: 7 },
  ]);
});

test('of a list that changed, only what became larger than it was is new', () => {
  const before = list(feature(1, 8), feature(2, 3), feature(4, 2, { size_estimate: 'xlarge' }));
  expect(ids(grownFeatures(before, list(feature(1, 8), feature(2, 3), feature(4, 2, { size_estimate: 'xlarge' })), 7))).toEqual([]);
  expect(ids(grownFeatures(before, list(feature(1, 7), feature(2, 9), feature(3, 8)), 7))).toEqual([2, 3]);
  expect(ids(grownFeatures(before, list(feature(1, 9)), 7))).toEqual([1]);
});
