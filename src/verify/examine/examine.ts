/**
 * Hidden tests for one candidate: asked for, run, and weighed.
 *
 * 1. The examiner alone never rejects. A failure counts only if the second call says that the description entails it; then a person reviews.
 *    The same goes for a test that fails sometimes.
 * 2. A test that passes on base says nothing about the feature, but goes on being asked. One that no mutation makes fail is dropped.
 * 3. What the examiner did wrong is held against nobody: the verdict says that the work was not examined, and why.
 */
import { counted } from '../../domain/counted.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { ExaminedTest, Finding, TestResult, TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { CheckResult, Facts } from '../check.ts';
import { collectedFiles, testSideOf, type TestSide } from '../checks/test-side.ts';
import { isAllThere } from './asks-for.ts';
import { secondCall, withAccounts } from './accounts.ts';
import type { EntailmentAnswer, ExaminerAnswer, ExaminerRequest, ExaminerTest } from './contract.ts';
import type { HiddenOutcome, HiddenRecord, HiddenTest } from './hidden-test.ts';
import {
  editsOf,
  filesNoticingMutation,
  HIDDEN_ROOM,
  passingTwins,
  resultOf,
  runHidden,
  runHiddenToTheEnd,
  statusOf,
  twinFiles,
  unsteadyFiles,
  unwatched,
} from './hidden-runs.ts';
import { promisesOf, subjectOf } from './subject.ts';
import { twinOf } from '../checks/check-force.ts';
import { mustHave } from '../../domain/must-have.ts';

export async function examine(judged: Case, facts: Facts): Promise<CheckResult> {
  const run = await hiddenRuns(judged, facts);
  const disputed = 'why' in run ? [] : run.outcomes.filter(({ candidate }) => candidate !== 'passed');
  const answer = await secondCall(judged, disputed, facts.changedResults);
  const [path = ''] = testFilesOf(judged.feature);
  const own = 'why' in run ? notExamined(run.why) : resultFrom(withRulings(run.outcomes, disputed, answer), { ...run, path });
  return withAccounts(own, facts.changedResults, answer);
}

async function hiddenRuns(judged: Case, facts: Facts): Promise<HiddenRunResult | { why: string }> {
  const isOfTests = testSideOf(collectedFiles(judged, [facts.suite?.suite ?? null, facts.feature?.run ?? null]));
  const subject = await subjectOf(judged, isOfTests);
  if ('why' in subject) return subject;
  const answer = await askExaminer(judged, subject);
  judged.signal?.throwIfAborted();
  if ('why' in answer) return answer;
  const [path = ''] = testFilesOf(judged.feature);
  const tests = answer.tests.map((test): HiddenTest => ({ ...test, file: twinOf(path, judged.platform.random.id(4)) }));
  return await runAll(judged, { tests, subject, isOfTests, leftOut: answer.leftOut });
}

const NEEDED = 'this check applies only with an examiner';

function notExamined(why: string): CheckResult {
  return { findings: [], detail: `not examined: ${why}`, skipped: true, caveats: [`not examined: ${why}`] };
}

async function askExaminer(judged: Case, subject: ExaminerRequest): Promise<ExaminerAnswer> {
  const promised = promisesOf(subject);
  const usable = async (tests: readonly ExaminerTest[]): Promise<boolean> => {
    for (const { code } of tests)
      if (!(await isAllThere({ ...judged, tree: judged.judged.tree }, { file: subject.path, code }, promised))) return false;
    return true;
  };
  return await mustHave(judged.examiner, NEEDED).ask(subject, usable);
}

interface Hidden {
  tests: readonly HiddenTest[];
  subject: ExaminerRequest;
  isOfTests: TestSide;
  leftOut: readonly string[];
}

interface HiddenRunResult {
  outcomes: HiddenOutcome[];
  leftOut: string[];
  /** Behaviours of tests that pass whatever they expect. */
  reads: string[];
}

async function runAll(judged: Case, hidden: Hidden): Promise<HiddenRunResult | { why: string }> {
  const { tests, subject } = hidden;
  const quiet = unwatched(judged);
  const twins = await twinFiles(quiet, tests);
  const files = tests.map(({ file }) => file);
  const tree = await quiet.trees.compose(judged.judged.tree, editsOf(tests));
  const beside = await quiet.trees.compose(
    tree,
    twins.map(({ edit }) => edit),
  );
  const before = await quiet.trees.compose(judged.base.tree, editsOf(tests));
  const [onBase, now] = await Promise.all([
    runHidden(quiet, { tree: before, files, room: 'base' }),
    runHiddenToTheEnd(quiet, { tree: beside, files: [...files, ...twins.map(({ edit }) => edit.path)], room: HIDDEN_ROOM }),
  ]);
  const isReported = (run: TestRun): boolean => run.tests.some((test) => files.includes(test.file));
  if (!now.consistent && !isReported(now) && !isReported(onBase))
    return { why: `the hidden tests could not be run: ${now.problems[0] ?? 'nothing was reported'}` };
  const results = new Map(tests.map((test) => [test, resultOf(now, test.file)]));
  const failing = [...results.values()].filter((result): result is TestResult => result !== null && statusOf(result) === 'failed');
  const unsteady = new Set(await unsteadyFiles(quiet, tree, failing));
  const leftOut = [...hidden.leftOut];
  const outcomes: HiddenOutcome[] = [];
  let unloaded = 0;
  for (const [test, result] of results) {
    const candidate = statusOf(result);
    if (candidate === 'unloaded' && !(await isAllThere({ ...quiet, tree: judged.judged.tree }, test, promisesOf(subject)))) unloaded += 1;
    else
      outcomes.push({
        test,
        base: statusOf(resultOf(onBase, test.file)),
        candidate,
        unsteady: unsteady.has(test.file),
        noticesMutation: null,
        message: result?.message ?? null,
        ruling: null,
      });
  }
  if (unloaded > 0) leftOut.push(`${counted(unloaded, 'test')} that could not be loaded`);
  const noticed = await withMutation({ ...quiet, judged: { ...judged.judged, tree } }, outcomes, { ...hidden, results });
  const useful = noticed.filter(
    ({ candidate, base, noticesMutation }) => candidate !== 'passed' || base === 'passed' || noticesMutation !== false,
  );
  if (useful.length < noticed.length) leftOut.push(`${counted(noticed.length - useful.length, 'test')} that no mutation makes fail`);
  if (useful.length === 0) return { why: `none of the hidden tests could be used${words(leftOut)}` };
  const suspects = passingTwins(now, twins).filter(({ test }) => useful.some((one) => one.test === test && one.noticesMutation === true));
  return { outcomes: useful, leftOut, reads: await readingOnes(quiet, beside, suspects) };
}

function words(leftOut: readonly string[]): string {
  return leftOut.length === 0 ? '' : ` (left out: ${leftOut.join(', ')})`;
}

async function withMutation(
  quiet: Case,
  outcomes: readonly HiddenOutcome[],
  { results, isOfTests }: Hidden & { results: ReadonlyMap<HiddenTest, TestResult | null> },
): Promise<HiddenOutcome[]> {
  const green = outcomes.filter(({ base, candidate }) => base !== 'passed' && candidate === 'passed');
  const ids = green.flatMap(({ test }) => results.get(test) ?? []);
  const noticing = ids.length === 0 ? null : await filesNoticingMutation(quiet, ids, isOfTests);
  return outcomes.map((one) => (noticing !== null && green.includes(one) ? { ...one, noticesMutation: noticing.has(one.test.file) } : one));
}

/** Run again: what passes both ways twice does not depend on what is asked. */
async function readingOnes(quiet: Case, tree: string, suspects: Awaited<ReturnType<typeof twinFiles>>): Promise<string[]> {
  if (suspects.length === 0) return [];
  const again = await runHidden(quiet, { tree, files: suspects.flatMap(({ test, edit }) => [test.file, edit.path]), room: HIDDEN_ROOM });
  return passingTwins(again, suspects).map(({ test }) => test.behaviour);
}

interface Ruled {
  outcomes: readonly HiddenOutcome[];
  /** Why there are no rulings; null: there are, or none was needed. */
  why: string | null;
}

function withRulings(outcomes: readonly HiddenOutcome[], disputed: readonly HiddenOutcome[], answer: EntailmentAnswer): Ruled {
  if ('why' in answer) return { outcomes, why: answer.why };
  const rulings = new Map(disputed.map((one, at) => [one, answer.tests[at] ?? null]));
  return { outcomes: outcomes.map((one) => ({ ...one, ruling: rulings.get(one) ?? null })), why: null };
}

function resultFrom(ruled: Ruled, { leftOut, reads, path }: HiddenRunResult & { path: string }): CheckResult {
  const { outcomes, why } = ruled;
  const passing = outcomes.filter(({ candidate }) => candidate === 'passed');
  const required = outcomes.filter(({ ruling }) => ruling?.ruling === 'entailed');
  const [entailed, flaky] = [required.filter((one) => !one.unsteady), required.filter((one) => one.unsteady)];
  const open = outcomes.length - passing.length - required.length;
  const caveats = [
    ...(open > 0 && why === null
      ? [`${counted(open, 'hidden test')} ${open === 1 ? 'fails' : 'fail'} that the description does not settle`]
      : []),
    ...(open > 0 && why !== null
      ? [`${counted(open, 'hidden test')} ${open === 1 ? 'fails' : 'fail'}, and the second call gave no answer: ${why}`]
      : []),
  ];
  return {
    findings: [
      ...(entailed.length === 0 ? [] : [failed(entailed, outcomes.length)]),
      ...(flaky.length === 0 ? [] : [passesSometimes(flaky)]),
      ...(reads.length === 0 ? [] : [readsTests(reads)]),
    ],
    detail: `${passing.length} of ${counted(outcomes.length, 'hidden test')} ${passing.length === 1 ? 'passes' : 'pass'}${words(leftOut)}`,
    ...(caveats.length === 0 ? {} : { caveats }),
    facts: {
      examined: outcomes.map(examinedFrom),
      hidden: outcomes.map((one) => recordOf(one, path)),
      proving: outcomes.filter(proves).map(({ test }) => test),
    },
  };
}

function proves({ base, candidate, noticesMutation }: HiddenOutcome): boolean {
  return base !== 'passed' && candidate === 'passed' && noticesMutation === true;
}

function failed(entailed: readonly HiddenOutcome[], of: number): Finding {
  return {
    check: 'examiner',
    reason: 'hidden.failed',
    weight: 'ask',
    message: `${entailed.length} of ${counted(of, 'hidden test')} ${entailed.length === 1 ? 'fails' : 'fail'}, and the description requires what ${entailed.length === 1 ? 'it checks' : 'they check'}`,
    subjects: entailed.map(({ test }) => test.behaviour),
  };
}

function passesSometimes(flaky: readonly HiddenOutcome[]): Finding {
  return {
    check: 'examiner',
    reason: 'test.flaky',
    weight: 'ask',
    message: `${counted(flaky.length, 'hidden test')} ${flaky.length === 1 ? 'passes' : 'pass'} and ${flaky.length === 1 ? 'fails' : 'fail'} in turn, and the description requires what ${flaky.length === 1 ? 'it checks' : 'they check'}`,
    subjects: flaky.map(({ test }) => test.behaviour),
  };
}

function readsTests(behaviours: readonly string[]): Finding {
  return {
    check: 'examiner',
    reason: 'hidden.failed',
    weight: 'ask',
    message: `${counted(behaviours.length, 'hidden test')} also ${behaviours.length === 1 ? 'passes' : 'pass'} with other expected values, so the code seems to read the test`,
    subjects: [...behaviours],
  };
}

function examinedFrom({ test, candidate, ruling }: HiddenOutcome): ExaminedTest {
  return {
    behaviour: test.behaviour,
    passed: candidate === 'passed',
    ...(ruling === null ? {} : { ruling: ruling.ruling, reason: ruling.reason }),
  };
}

function recordOf(outcome: HiddenOutcome, path: string): HiddenRecord {
  const { test, candidate, message, ruling } = outcome;
  return {
    behaviour: test.behaviour,
    code: test.code,
    path,
    passed: candidate === 'passed',
    proves: proves(outcome),
    message,
    ruling,
    ...(test.kept === undefined ? {} : { number: test.kept.number }),
  };
}
