/** What passed on the candidate: the run that every other run of its tests is compared with. */
import { testFilesOf } from '../../domain/test-files.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { EarlyStart, Facts } from '../check.ts';
import { wantedFrom } from './again.ts';
import { changedTests, reachedFiles } from './check-reach.ts';
import { withoutLoadedAgain } from './loaded-again.ts';

/** null: nothing was run. */
export async function plainRunOf(judged: Case, { feature, suite, regression }: Facts): Promise<TestRun | null> {
  const run = together(feature?.run ?? null, suite?.suite ?? null);
  return asRecovered(await onceEach(judged, run), regression?.recovered ?? []);
}

/** Tests of the feature passed, so that it can be asked what that is worth. */
export function hasProof({ mode, feature }: Case, facts: Facts): boolean {
  return mode === 'feature' && testFilesOf(feature).length > 0 && (facts.feature?.green ?? []).length > 0;
}

/** There are tests whose passing can be questioned. */
export function canQuestion(judged: Case, facts: Facts): boolean {
  return (facts.feature !== null || facts.suite !== null) && (hasProof(judged, facts) || judged.mode === 'cleanup');
}

/** Only the feature's own tests are run again: no accepted test reaches what was changed or runs in a changed version. */
export const OWN_TESTS_ALONE: EarlyStart = {
  applies: async (judged) => {
    const own = testFilesOf(judged.feature);
    return changedTests(judged, own).length === 0 && (await reachedFiles(judged, own)).length === 0;
  },
  key: async (judged, facts) => {
    const plain = await plainRunOf(judged, facts);
    return plain === null ? '' : JSON.stringify(wantedFrom(plain, judged, testFilesOf(judged.feature)).toSorted());
  },
};

async function onceEach({ platform, trees, judged }: Case, run: TestRun | null): Promise<TestRun | null> {
  if (run === null) return null;
  const ids = run.tests.map((test) => test.id);
  const left = new Set(await withoutLoadedAgain(platform, trees, judged.tree, ids));
  return left.size === ids.length ? run : { ...run, tests: run.tests.filter((test) => left.has(test.id)) };
}

/** What failed once and passed when it was run again is treated like any other test that counts: whether chance decides shows there. */
function asRecovered(run: TestRun | null, recovered: readonly string[]): TestRun | null {
  if (run === null || recovered.length === 0) return run;
  return { ...run, tests: run.tests.map((test) => (recovered.includes(test.id) ? { ...test, status: 'passed' as const } : test)) };
}

/** The suite, with the feature's own run beside it where the suite does not include that. */
function together(own: TestRun | null, suite: TestRun | null): TestRun | null {
  if (own === null || suite === null || own === suite) return own ?? suite;
  return { ...own, tests: [...suite.tests.filter((test) => !own.tests.some((one) => one.id === test.id)), ...own.tests] };
}
