/**
 * The feature's tests and the regression comparison, both from one run of the suite.
 *
 * 1. The feature's files are run apart only where the suite did not include them; each has to hold tests that pass.
 * 2. A failure is repeated, a lost baseline test on base as well, before it counts.
 * 3. A test that failed before the session, says what it said and still fails is a question, as long as it stands beside tests that passed.
 * 4. Where nothing is known about the time before the session, or nothing could be started at all, a person is asked: that says nothing about the work.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { featureLabel } from '../../domain/feature-name.ts';
import { counted } from '../../domain/counted.ts';
import type { Feature } from '../../domain/feature.ts';
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import { describeTest, fileOf, type Finding, type TestResult, type TestRun } from '../../domain/verdict.ts';
import { holdsNoTest, isFailure } from '../../domain/test-results.ts';
import { compareWithBaseline, type Loss } from '../memory/baseline.ts';
import type { Case, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import type { CheckResult } from '../docket.ts';
import { failedAnew } from './failed-anew.ts';
import { withFailures } from './with-failures.ts';
import { likeBefore, type LikeBefore } from './like-before.ts';
import { flakyFinding, passingSometimes, sometimesFinding } from './passing-sometimes.ts';
import { movesOf, repeatLost } from './lost-tests.ts';
import { repeatedWords } from '../repeats.ts';
import { isTestPath } from './protected-paths.ts';
import { singleTests } from '../runners/registry.ts';
import { missingPackages } from '../run/python-set-up.ts';
import { runSuite } from '../run/suite.ts';
import type { SuiteParts } from '../run/suite-in-parts.ts';

interface TestsCheck {
  result: CheckResult;
  /** Ids of the feature's tests that passed. */
  green: string[];
  run: TestRun;
}

export async function checkFeatureTest(
  input: OpenCase,
  tree: string,
  suite: TestRun | null,
): Promise<TestsCheck | { result: CheckResult }> {
  const { platform } = input;
  const files = testFilesOf(input.feature);
  if (files.length === 0) return { result: noTestFile(input.feature) };
  const present = pathSetOf(await input.trees.list(tree));
  const missing = files.filter((file) => !present.has(file));
  if (missing.length > 0) return { result: fail('test.none_ran', `the test file ${namesOfFiles(missing)} does not exist`, missing) };
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
  const judged = files.map((file, index) => judgeFile(file, results[index]!, old, flaky));
  const explained = (one: Finding): boolean => findings.length > 0 && one.subjects.length === 1 && apart.includes(one.subjects[0]!);
  return {
    result: {
      findings: [
        ...findings,
        ...judged.flatMap((one) => one.findings).filter((one) => !explained(one)),
        ...(await lacked(input, results.flat())),
      ],
      detail: judged.map((one) => one.detail).join('; '),
    },
    green: [...new Set(judged.flatMap((one) => one.green))],
    run: own ?? suite!,
  };
}

/** Packages that the candidate declares or uses and that are not installed: what failed because of that is mended by a command. */
async function lacked(input: OpenCase, tests: readonly TestResult[]): Promise<Finding[]> {
  const run = { tests: tests.filter(isFailure), problems: [], output_tail: '' };
  const sentences = run.tests.length === 0 ? [] : await missingPackages(input.platform, input, input.candidate.tree, run);
  return sentences.map((text) => makeFinding('feature-test', 'test.failed', 'warn', text, []));
}

/** An opaque suite without a command for single files stands for each of its files. */
function featureTestsIn(suite: TestRun, file: string, command: string | null): TestResult[] {
  const own = suite.tests.filter((test) => test.file === file);
  return own.length === 0 && singleTests(suite.runner) === null && command === null ? suite.tests : own;
}

function noTestFile(feature: Feature | null): CheckResult {
  if (feature === null || feature.verification_type === 'manual') return { findings: [], detail: 'no test to run', skipped: true };
  const finding = makeFinding(
    'feature-test',
    'test.none_ran',
    'ask',
    `feature ${featureLabel(feature.id)} names no test file, so nothing can be proved by a run`,
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
    findings.push(
      withFailures(makeFinding('feature-test', 'test.none_ran', 'reject', `no test of ${file} was run`, tests.map(describeTest)), tests),
    );
  else if (failed.length > 0 && failed.every((test) => flaky.has(test.id))) findings.push(sometimesFinding(file, failed));
  else if (failed.length > 0)
    findings.push(
      withFailures(
        makeFinding(
          'feature-test',
          'test.failed',
          isOld ? 'ask' : 'reject',
          `${failed.length} of ${counted(tests.length, 'test')} of ${file} failed${isOld ? ', as before the session' : ''}`,
          failed.map(describeTest),
        ),
        failed,
      ),
    );
  else if (tests.length === 0) findings.push(makeFinding('feature-test', 'test.none_ran', 'reject', `no test of ${file} was run`, [file]));
  else if (passed.length === 0 && other.length > 0)
    findings.push(
      makeFinding(
        'feature-test',
        'test.skipped',
        'reject',
        `no test of ${file} passed: all were skipped, put off or expected to fail`,
        other.map(describeTest),
      ),
    );
  else if (other.length > 0)
    findings.push(
      makeFinding(
        'feature-test',
        other.some((test) => test.status === 'retried') ? 'test.flaky' : 'test.skipped',
        other.every((test) => old.left.has(test.id)) ? 'warn' : 'ask',
        `${counted(other.length, 'test')} of ${file} did not simply pass`,
        other.map(describeTest),
      ),
    );
  return { findings, detail: `${passed.length} of ${tests.length} passed in ${file}`, green: passed.map((test) => test.id) };
}

interface RegressionCheck {
  result: CheckResult;
  kept: number;
  /** Failed first, passed when run again. */
  recovered: string[];
  /** Renamed or moved with the same body: from the old id to the new one. */
  moves: Map<string, string>;
}

export async function checkRegression(input: Case, parts: SuiteParts): Promise<RegressionCheck> {
  const { tree, contract } = input.judged;
  const { suite, fresh } = parts;
  const compared = parts.kept.map((one) => ({ ...compareWithBaseline(input.baseline?.passing_tests ?? [], one.run), ...one }));
  const lost = distinct(compared.flatMap((one) => one.lost));
  const kept = compared[0]!.kept.filter((id) => !lost.some((loss) => loss.id === id));
  const findings = runFindings('regression', suite);
  const moves = await movesOf(input, tree, suite, lost);
  const missing = lost.filter((loss) => !moves.has(loss.id));
  const isBroken = findings.some((one) => one.weight === 'reject');
  const repeated = isBroken ? null : await repeatLost(input, compared, missing);
  const gone = missing.filter((loss) => repeated === null || repeated.counts.includes(loss.id));
  const flaky = repeated?.flaky ?? [];
  findings.push(...freshFindings(await failedAnew(input, tree, suite, fresh)), ...writtenFindings(input, parts.written));
  const removed = gone.filter((loss) => loss.now === 'vanished' && contract.includes(loss.file));
  const broken = gone.filter((loss) => !removed.includes(loss));
  if (broken.length > 0) findings.push(lostFinding(broken, [...suite.tests, ...parts.kept.flatMap(({ run }) => run.tests)]));
  if (removed.length > 0) findings.push(removedFinding(removed));
  if (input.baseline === null)
    findings.push(
      makeFinding('regression', 'regression', 'ask', 'it is not known which tests passed before the session, so nothing was compared', []),
    );
  if (flaky.length > 0) findings.push(flakyFinding(flaky, [...suite.tests, ...repeated!.runs.flatMap((run) => run.tests)]));
  const recovered = repeated === null ? [] : [...repeated.flaky, ...repeated.unsteady];
  const held = kept.length + recovered.length + moves.size;
  const total =
    input.baseline === null
      ? 'no baseline'
      : `${held} of ${input.baseline.passing_tests.length} kept${moves.size > 0 ? `, ${moves.size} of them under another name` : ''}`;
  const detail = `${total}${repeated === null ? '' : repeatedWords(repeated)}`;
  return { result: { findings, detail }, kept: held, recovered, moves };
}

/** Taken out of a file that the feature may write in. */
function removedFinding(removed: readonly Loss[]): Finding {
  const message = `${counted(removed.length, 'test')} that passed before the session ${removed.length === 1 ? 'is' : 'are'} not there any more`;
  return makeFinding(
    'regression',
    'tamper.tests',
    'ask',
    message,
    removed.map((loss) => loss.id),
  );
}

/** A test that is not there any more says nothing; one that fails says why. */
function lostFinding(gone: readonly Loss[], tests: readonly TestResult[]): Finding {
  const failed = new Map(tests.filter((test) => test.status !== 'passed').map((test) => [test.id, test]));
  const message =
    gone.length === 1
      ? '1 test that passed before the session does not pass any more'
      : `${gone.length} tests that passed before the session do not pass any more`;
  const subjects = gone.map((loss) => `${loss.id} (${loss.now})`);
  return withFailures(
    makeFinding('regression', 'regression', 'reject', message, subjects),
    gone.map(({ id, file, now }) => failed.get(id) ?? { id, file, name: id, status: now }),
  );
}

function distinct(losses: readonly Loss[]): Loss[] {
  return losses.filter((loss, index) => losses.findIndex((other) => other.id === loss.id) === index);
}

/** Tests that change the product while they run can mend what they look at, and those that change accepted tests disarm them. Other files of tests are theirs to write. */
function writtenFindings({ baseline }: JudgeInput, written: readonly string[]): Finding[] {
  const accepted = new Set((baseline?.passing_tests ?? []).map(fileOf));
  const subjects = written.filter((path) => !isTestPath(path) || accepted.has(path));
  return subjects.length === 0
    ? []
    : [makeFinding('regression', 'tamper.tests', 'ask', 'new tests write or remove files of the project while they run', subjects)];
}

/** New tests need not be there, and what fails leaves a red suite behind. */
function freshFindings(failed: readonly TestResult[]): Finding[] {
  if (failed.length === 0) return [];
  return [
    withFailures(
      makeFinding(
        'regression',
        'test.failed',
        'ask',
        'new tests that the session brought do not pass, or cannot be loaded',
        failed.map(describeTest),
      ),
      failed,
    ),
  ];
}

/** What is wrong with a run as a whole. A status that no test explains may be older than the session: a question. */
function runFindings(check: Finding['check'], run: TestRun): Finding[] {
  if (run.consistent) return [];
  if (run.timed_out) return [makeFinding(check, 'test.timeout', 'reject', 'the tests did not end in time', run.problems)];
  if (run.command.length === 0) return [makeFinding(check, 'test.none_ran', 'ask', 'the tests could not be started', run.problems)];
  const onlyStatus = run.problems.length === 1 && /^exit status \d+, but no test failed$/.test(run.problems[0]!);
  if (onlyStatus)
    return [makeFinding(check, 'test.failed', 'ask', 'every test passed, and the test command still ended with an error', run.problems)];
  return [makeFinding(check, 'test.failed', 'reject', 'the result of the test run cannot be believed', run.problems)];
}

function fail(reason: Finding['reason'], message: string, subjects: string[]): CheckResult {
  return { findings: [makeFinding('feature-test', reason, 'reject', message, subjects)], detail: message };
}

function makeFinding(
  check: Finding['check'],
  reason: Finding['reason'],
  weight: Finding['weight'],
  message: string,
  subjects: string[],
): Finding {
  return { check, reason, weight, message, subjects: subjects.slice(0, 50) };
}
