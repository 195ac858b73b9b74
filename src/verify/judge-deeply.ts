/**
 * What a pass is worth: the runs that ask whether it could have been otherwise.
 *
 * Three lanes side by side, in rooms of their own: the tests where the code is another (before the session, wrong, touched and elsewhere), the code
 * where the tests are others (planted, changed), and both without marks. Refused work costs runs that nobody needed; accepted work does not wait.
 */
import { testFilesOf } from '../domain/test-files.ts';
import type { Finding, TestRun } from '../domain/verdict.ts';
import type { AskedAlone } from './asked-alone.ts';
import { checkControls, type ControlsCheck } from './checks/check-controls.ts';
import { checkNeutral } from './checks/check-neutral.ts';
import type { Case } from './case.ts';
import { checkRepeat } from './checks/check-repeat.ts';
import { withoutLoadedAgain } from './checks/loaded-again.ts';
import { collectedFiles, testSideOf } from './checks/test-side.ts';
import { hasRejection, runLanes, type CheckResult, type Docket } from './docket.ts';
import { consult } from './instruments.ts';
import { askRed, type RedAhead } from './red-ahead.ts';

/** What was asked while the suite still ran. */
export interface AskedAhead {
  red: RedAhead;
  neutral: AskedAlone<CheckResult>;
  controls: AskedAlone<ControlsCheck>;
}

export async function judgeDeeply(
  docket: Docket,
  { green, suite, ahead }: { green: readonly string[]; suite: TestRun | null; ahead: AskedAhead },
): Promise<void> {
  const { input } = docket;
  const proves = testFilesOf(input.feature).length > 0 && input.mode === 'feature' && green.length > 0;
  const plain = asRecovered(await onceEach(input, together(docket.featureRun, suite)), docket.history.flaky);
  if (!input.settings.verification.red_check && proves) docket.caveats.add('red_check: off');
  let isRepeated = false;
  const red = async (): Promise<CheckResult> => {
    const moved = new Set(docket.history.moves.values());
    const question = {
      green: green.filter((id) => !moved.has(id)),
      isOfTests: testSideOf(collectedFiles(input, [suite, docket.featureRun])),
    };
    const answer = (await ahead.red.take(question)) ?? (await askRed(input, { ...question, plain }));
    docket.facts.red_to_green = answer.redToGreen;
    docket.unmoved = answer.unmoved;
    isRepeated = answer.isRepeated && question.green.length === green.length;
    return answer.result;
  };
  const controls = async (): Promise<CheckResult> => {
    const checked = (await ahead.controls.take(plain!)) ?? (await checkControls(input, plain!));
    docket.uncontrolled = checked.uncontrolled ?? [];
    return checked;
  };
  const repeat = (): Promise<CheckResult> | CheckResult =>
    isRepeated ? { findings: [], detail: `${green.length} of ${green.length} passed again` } : checkRepeat(input, green, plain!);
  const judgeable = plain !== null && (proves || input.mode === 'cleanup');
  await runLanes(docket, [
    [
      ...(proves && input.settings.verification.red_check ? [['red', red] as const] : []),
      ...(proves && plain !== null ? [['repeat', repeat] as const] : []),
    ],
    judgeable ? [['controls', controls]] : [],
    judgeable ? [['neutral', async () => (await ahead.neutral.take(plain)) ?? (await checkNeutral(input, plain))]] : [],
  ]);
  const idle = docket.unmoved.filter((id) => docket.uncontrolled.includes(id));
  if (idle.length > 0 && (input.thorough === true || !hasRejection(docket)))
    docket.findings.push(...(await consult(input, 'controls/unproved', () => [unproved(idle)])));
}

/** Neither wrong code nor another expectation made these fail. */
function unproved(tests: readonly string[]): Finding {
  return {
    check: 'controls',
    reason: 'test.not_red',
    weight: 'ask',
    message: `${tests.length === 1 ? 'a test still passes' : `${tests.length} tests still pass`} when the new code returns wrong values, and the harness could not change what ${tests.length === 1 ? 'it expects' : 'they expect'}`,
    subjects: tests.slice(0, 50),
  };
}

async function onceEach({ platform, trees, judged }: Case, run: TestRun | null): Promise<TestRun | null> {
  if (run === null) return null;
  const ids = run.tests.map((test) => test.id);
  const left = new Set(await withoutLoadedAgain(platform, trees, judged.tree, ids));
  return left.size === ids.length ? run : { ...run, tests: run.tests.filter((test) => left.has(test.id)) };
}

/** What failed once and passed when it was run again is asked like any other test that counts: whether chance decides is seen there. */
function asRecovered(run: TestRun | null, flaky: readonly string[]): TestRun | null {
  if (run === null || flaky.length === 0) return run;
  return { ...run, tests: run.tests.map((test) => (flaky.includes(test.id) ? { ...test, status: 'passed' as const } : test)) };
}

/** The suite, with the feature's own run beside it where the suite does not include that. */
function together(own: TestRun | null, suite: TestRun | null): TestRun | null {
  if (own === null || suite === null || own === suite) return own ?? suite;
  return { ...own, tests: [...suite.tests.filter((test) => !own.tests.some((one) => one.id === test.id)), ...own.tests] };
}
