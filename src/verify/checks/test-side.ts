/**
 * What belongs to the tests and what to the product: decided by where the runner found tests, not by names alone.
 *
 * A folder called `spec` or `fixtures` among the sources holds sources, as long as no test was ever found in it.
 */
import type { Baseline } from '../../domain/session.ts';
import type { Feature } from '../../domain/feature.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { fileOf, type TestRun } from '../../domain/verdict.ts';
import { holdsNoTest } from '../../domain/test-results.ts';
import { codeWithTests } from './own-tests.ts';
import { isTestFile, isTestPath } from './protected-paths.ts';

export type TestSide = (path: string) => boolean;

interface Known {
  feature: Feature | null;
  baseline: Baseline | null;
}

/** Files in which tests are known to stand and nothing else: of the feature, of the baseline, and of runs. */
export function collectedFiles({ feature, baseline }: Known, runs: readonly (TestRun | null)[] = []): Set<string> {
  const collected = runs.flatMap((run) => (run?.tests ?? []).filter((test) => !holdsNoTest(test)).map((test) => test.id));
  const ids = [...(baseline?.passing_tests ?? []), ...collected];
  const code = codeWithTests(ids);
  return new Set([...testFilesOf(feature), ...ids.map(fileOf).filter((file) => !code.has(file))]);
}

const ALWAYS = /(^|\/)(__tests__|__fixtures__|__mocks__|__snapshots__|tap-snapshots|testdata)\//;
const FOLDER = /^(?:.*?\/)?(?:tests?|specs?|e2e|fixtures)\//;

export function testSideOf(collected: ReadonlySet<string>): TestSide {
  const files = [...collected];
  return (path) => {
    if (collected.has(path) || ALWAYS.test(path)) return true;
    if (!isTestPath(path)) return false;
    const folder = FOLDER.exec(path)?.[0];
    if (folder !== undefined && files.some((file) => file.startsWith(folder))) return true;
    return isTestFile(path) && files.some((file) => endingOf(file) === endingOf(path));
  };
}

/** `.test.ts` of `a.test.ts`, `test_` of `test_a.py`: what a runner knows its files by. */
function endingOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /[._-](?:test|spec)\.\w+$/.exec(name)?.[0].replace(/\w+$/, '') ?? /^test[-_]/.exec(name)?.[0] ?? name;
}
