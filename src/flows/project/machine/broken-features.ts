/** Which features the broken tests belong to, and what waits for each. Pure. */
import type { Feature } from '../../../domain/feature.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { fileOf } from '../../../domain/verdict.ts';
import type { BrokenFeature } from '../../../gates/broken-feature.ts';
import { blockedBy } from './next-feature.ts';

/** `tests`: ids of tests that passed before. Only features that passed can break. */
export function brokenFeatures(features: readonly Feature[], tests: readonly string[]): BrokenFeature[] {
  const files = new Set(tests.map(fileOf));
  return features
    .filter((feature) => feature.passes && testFilesOf(feature).some((file) => files.has(file)))
    .map((feature) => ({ feature: feature.id, description: feature.description, blocks: blockedBy(features, feature.id) }));
}
