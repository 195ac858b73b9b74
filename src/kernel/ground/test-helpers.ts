/** Code that lies with the tests and holds none. Pure. */
import type { Feature } from '../../domain/feature.ts';
import type { Baseline } from '../../domain/session.ts';
import { isTestFile } from '../../verify/checks/protected-paths.ts';
import { collectedFiles, testSideOf } from '../../verify/checks/test-side.ts';
import { languageOf } from '../../verify/source/source.ts';

export function testHelpers(paths: ReadonlySet<string>, feature: Feature | null, baseline: Baseline | null): string[] {
  const collected = collectedFiles({ feature, baseline });
  const isOfTests = testSideOf(collected);
  return [...paths].filter((path) => languageOf(path) !== null && !isTestFile(path) && !collected.has(path) && isOfTests(path));
}
