/**
 * The feature's tests pass, in the run of the suite if that includes them.
 *
 * 1. The feature's files are run apart only where the suite did not include them; each has to hold tests that pass.
 * 2. A failure is repeated before it counts.
 * 3. A test that failed before the session, says what it said and still fails is a question, as long as it stands beside tests that passed.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { featureLabel } from '../../domain/feature-name.ts';
import { counted } from '../../domain/counted.ts';
import type { Feature } from '../../domain/feature.ts';
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import { describeTest, type Finding, type TestResult, type TestRun, fileOf } from '../../domain/verdict.ts';
import { holdsNoTest, isFailure } from '../../domain/test-results.ts';
import type { Case, OpenCase } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';
import { make } from './again.ts';
import { withoutLoadedAgain } from './loaded-again.ts';
import { withFailures } from './with-failures.ts';
import { passingSometimes, sometimesFinding } from './passing-sometimes.ts';
import { runFindings } from './run-findings.ts';
import { singleTests } from '../runners/registry.ts';
import { missingPackages } from '../run/python-set-up.ts';
import { runSuite } from '../run/suite.ts';
import { firstItem, itemAt } from '../../domain/items.ts';
import { bodiesOf } from './moves.ts';

export const FEATURE_TEST: Check = {
  id: 'feature-test',
  title: "feature's tests",
  weight: 'reject',
  after: ['suite'],
  cost: 'trial',
  ends: true,
  applies: ({ mode }) => mode === 'feature',
  run: (judged, { suite }) => checkFeatureTest(judged, suite?.suite ?? null),
  doc: "The feature's test files exist and contain tests, and all of them pass.",
};

async function checkFeatureTest(input: Case, suite: TestRun | null): Promise<CheckResult> {
  const { platform } = input;
  const { tree } = input.judged;
  const files = testFilesOf(input.feature);
  if (files.length === 0) return noTestFile(input.feature);
  const present = pathSetOf(await input.trees.list(tree));
  const missing = files.filter((file) => !present.has(file));
  if (missing.length > 0) return fail('test.none_ran', `the test file ${namesOfFiles(missing)} does not exist`, missing);
  const included = new Map(files.map((file) => [file, suite === null ? [] : featureTestsIn(suite, file, input.settings.testing.feature)]));
  const apart = files.filter((file) => included.get(file)!.length === 0);
  const own = apart.length === 0 ? null : await runSuite(platform, { ...input, tree, files: apart, purpose: 'feature' });
  const findings = own === null ? [] : runFindings('feature-test', own);
  const results = files.map((file) => (own !== null && apart.includes(file) ? testsApart(own, file, apart) : included.get(file)!));
  const old = await likeBefore(input, tree, results.flat());
  const flaky = await passingSometimes(input, {
    tree,
    tests: results.flat(),
    old: old.failed,
    plain: own ?? suite!,
    isApart: own !== null,
  });
  const judged = files.map((file, index) => judgeFile(file, itemAt(results, index), old, flaky));
  const explained = (one: Finding): boolean => findings.length > 0 && one.subjects.length === 1 && apart.includes(firstItem(one.subjects));
  const green = [...new Set(judged.flatMap((one) => one.green))];
  return {
    findings: [
      ...findings,
      ...judged.flatMap((one) => one.findings).filter((one) => !explained(one)),
      ...(await lacked(input, results.flat())),
    ],
    detail: judged.map((one) => one.detail).join('; '),
    facts: { feature: { run: own ?? suite!, green: await withoutLoadedAgain(platform, input.trees, tree, green) } },
  };
}

/** Packages that the candidate declares or uses and that are not installed: what failed because of that is mended by a command. */
async function lacked(input: Case, tests: readonly TestResult[]): Promise<Finding[]> {
  const run = { tests: tests.filter(isFailure), problems: [], output_tail: '' };
  const sentences = run.tests.length === 0 ? [] : await missingPackages(input.platform, input, { tree: input.candidate.tree, run });
  return sentences.map((text) => make('feature-test', 'test.failed', 'warn', text, []));
}

/** An opaque suite without a command for single files stands for each of its files. */
function featureTestsIn(suite: TestRun, file: string, command: string | null): TestResult[] {
  const own = suite.tests.filter((test) => test.file === file);
  return own.length === 0 && singleTests(suite.runner) === null && command === null ? suite.tests : own;
}

function noTestFile(feature: Feature | null): CheckResult {
  if (feature === null || feature.verification_type === 'manual') return { findings: [], detail: 'no test to run', skipped: true };
  const finding = make(
    'feature-test',
    'test.none_ran',
    'ask',
    `feature ${featureLabel(feature.id)} names no test file, so no test can prove it`,
    [featureLabel(feature.id)],
  );
  return { findings: [finding], detail: 'the feature names no test file' };
}

/** Results that name another file, or none, stand for every file that was asked for and is not named. */
function testsApart(run: TestRun, file: string, files: readonly string[]): TestResult[] {
  const own = run.tests.filter((test) => test.file === file);
  return files.length === 1 ? run.tests : own.length > 0 ? own : run.tests.filter((test) => !files.includes(test.file));
}

interface JudgedFile {
  findings: Finding[];
  detail: string;
  green: string[];
}

function judgeFile(file: string, tests: readonly TestResult[], old: LikeBefore, flaky: ReadonlySet<string>): JudgedFile {
  const passed = tests.filter((test) => test.status === 'passed');
  const failed = tests.filter(isFailure);
  const isOld = failed.length > 0 && passed.length > 0 && failed.every((test) => old.failed.has(test.id));
  const other = tests.filter((test) => test.status !== 'passed' && !isFailure(test));
  const findings: Finding[] = [];
  if (tests.length > 0 && tests.every(holdsNoTest))
    findings.push(withFailures(make('feature-test', 'test.none_ran', 'reject', `no test in ${file} ran`, tests.map(describeTest)), tests));
  else if (failed.length > 0 && failed.every((test) => flaky.has(test.id))) findings.push(sometimesFinding(file, failed));
  else if (failed.length > 0)
    findings.push(
      withFailures(
        make(
          'feature-test',
          'test.failed',
          isOld ? 'ask' : 'reject',
          `${failed.length} of ${counted(tests.length, 'test')} in ${file} failed${isOld ? ', as they do on base' : ''}`,
          failed.map(describeTest),
        ),
        failed,
      ),
    );
  else if (tests.length === 0) findings.push(make('feature-test', 'test.none_ran', 'reject', `no test in ${file} ran`, [file]));
  else if (passed.length === 0 && other.length > 0)
    findings.push(
      make(
        'feature-test',
        'test.skipped',
        'reject',
        `no test in ${file} passed: all were skipped, marked as todo or expected to fail`,
        other.map(describeTest),
      ),
    );
  else if (other.length > 0)
    findings.push(
      make(
        'feature-test',
        other.some((test) => test.status === 'retried') ? 'test.flaky' : 'test.skipped',
        other.every((test) => old.left.has(test.id)) ? 'warn' : 'ask',
        `${counted(other.length, 'test')} in ${file} did not pass at the first attempt`,
        other.map(describeTest),
      ),
    );
  return { findings, detail: `${passed.length} of ${tests.length} pass in ${file}`, green: passed.map((test) => test.id) };
}

function fail(reason: Finding['reason'], message: string, subjects: string[]): CheckResult {
  return { findings: [make('feature-test', reason, 'reject', message, subjects)], detail: message };
}

/** What did not pass before the session either. */
interface LikeBefore {
  /** Failed before, and say what they said. */
  failed: ReadonlySet<string>;
  /** Were skipped, put off or expected to fail before. */
  left: ReadonlySet<string>;
}

/** Tests that did not pass on the code from before the session either, in files that had tests which passed. */
async function likeBefore(input: OpenCase, tree: string, tests: readonly TestResult[]): Promise<LikeBefore> {
  const { platform } = input;
  const known = new Set(input.baseline?.passing_tests ?? []);
  const files = new Set([...known].map(fileOf));
  const apart = tests.filter((test) => test.status !== 'passed' && !known.has(test.id) && files.has(test.file));
  if (apart.length === 0) return { failed: new Set(), left: new Set() };
  const asked = [...new Set(apart.map((test) => test.file))];
  const run = await runSuite(platform, { ...input, tree: input.base.tree, files: asked, room: 'base', purpose: 'feature' });
  const then = new Map(run.tests.map((test) => [test.id, test.status]));
  const same = apart.filter((test) => then.get(test.id) === test.status);
  const failed = same.filter(isFailure).map((test) => test.id);
  const bodies = failed.length === 0 ? new Map<string, string>() : await bodiesOf(platform, input.trees, input.base.tree, failed);
  const now = failed.length === 0 ? bodies : await bodiesOf(platform, input.trees, tree, failed);
  return {
    failed: new Set(failed.filter((id) => bodies.has(id) && bodies.get(id) === now.get(id))),
    left: new Set(same.filter((test) => !isFailure(test) && test.status !== 'retried').map((test) => test.id)),
  };
}
