/**
 * Accepted tests still pass.
 *
 * 1. A lost test is repeated on the candidate and on base before it counts.
 * 2. Where nothing is known about base, or nothing could be started at all, a person decides: that says nothing about the work.
 */
import { counted } from '../../domain/counted.ts';
import { describeTest, fileOf, type Finding, type TestResult, type TestRun } from '../../domain/verdict.ts';
import { compareWithBaseline, type Loss, passingIds } from '../memory/baseline.ts';
import type { Case, OpenCase } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';
import type { JudgeInput } from '../contract.ts';
import { repeatedWords, againIn, joinRepeated, repeatFailures, type Repeated } from '../repeats.ts';
import { runSuite } from '../run/suite.ts';
import type { SuiteParts } from '../run/suite-in-parts.ts';
import { make } from './again.ts';
import { flakyFinding } from './passing-sometimes.ts';
import { isTestPath } from './protected-paths.ts';
import { runFindings } from './run-findings.ts';
import { withFailures } from './with-failures.ts';
import { firstItem, lastItem } from '../../domain/items.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { holdsNoTest, isFailure } from '../../domain/test-results.ts';
import { bodiesOf, findMoves } from './moves.ts';

export const REGRESSION: Check = {
  id: 'regression',
  title: 'existing tests',
  weight: 'reject',
  after: ['feature-test'],
  cost: 'trial',
  ends: true,
  applies: (_judged, { suite }) => suite !== null,
  run: (judged, { suite }) => (suite === null ? { findings: [], detail: '' } : checkRegression(judged, suite)),
  doc: 'Every test that passed on base still passes. A failure counts only if it repeats and does not occur on base.',
};

async function checkRegression(input: Case, parts: SuiteParts): Promise<CheckResult> {
  const { tree, contract } = input.judged;
  const { suite, fresh } = parts;
  const compared = parts.kept.map((one) => ({ ...compareWithBaseline(input.baseline?.passing_tests ?? [], one.run), ...one }));
  const lost = distinct(compared.flatMap((one) => one.lost));
  const kept = firstItem(compared).kept.filter((id) => !lost.some((loss) => loss.id === id));
  const findings = await wholeRun(input, suite);
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
      make('regression', 'regression', 'ask', 'no record of the tests that passed on base, so regressions could not be checked', []),
    );
  if (flaky.length > 0) findings.push(flakyFinding(flaky, [...suite.tests, ...repeated!.runs.flatMap((run) => run.tests)]));
  const recovered = repeated === null ? [] : [...repeated.flaky, ...repeated.unsteady];
  const held = kept.length + recovered.length + moves.size;
  const total =
    input.baseline === null
      ? 'no baseline'
      : `${held} of ${input.baseline.passing_tests.length} still pass${moves.size > 0 ? `, ${moves.size} of them under another name` : ''}`;
  const detail = `${total}${repeated === null ? '' : repeatedWords(repeated)}`;
  return { findings, detail, facts: { regression: { kept: held, recovered, moves } } };
}

/** What is wrong with the run as a whole: it counts unless the run on base has the same problems, which no session can change. */
async function wholeRun(input: Case, suite: TestRun): Promise<Finding[]> {
  const { platform, base } = input;
  const findings = runFindings('regression', suite);
  if (findings.length === 0 || suite.timed_out || suite.command.length === 0) return findings;
  const before = await runSuite(platform, { ...input, tree: base.tree, room: 'base', purpose: 'base', compared: true });
  if (!suite.problems.every((problem) => before.problems.includes(problem))) return findings;
  return findings.map((finding) => ({ ...finding, weight: 'warn', message: `${finding.message}, as on base` }));
}

/** Taken out of a file that the feature may write in. */
function removedFinding(removed: readonly Loss[]): Finding {
  const message = `${counted(removed.length, 'test')} that passed on base ${removed.length === 1 ? 'was' : 'were'} removed`;
  return make(
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
    gone.length === 1 ? '1 test that passed on base no longer passes' : `${gone.length} tests that passed on base no longer pass`;
  const subjects = gone.map((loss) => `${loss.id} (${loss.now})`);
  return withFailures(
    make('regression', 'regression', 'reject', message, subjects),
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
    : [make('regression', 'tamper.tests', 'ask', 'new tests write or delete project files while they run', subjects)];
}

/** New tests need not be there, and what fails leaves a red suite behind. */
function freshFindings(failed: readonly TestResult[]): Finding[] {
  if (failed.length === 0) return [];
  return [withFailures(make('regression', 'test.failed', 'ask', 'new tests fail or cannot be loaded', failed.map(describeTest)), failed)];
}

/** Failed tests beside the feature's own that the session brought: in a file of its own, or into one that was there. */
async function failedAnew(input: OpenCase, tree: string, suite: TestRun, fresh: readonly string[]): Promise<TestResult[]> {
  const { platform } = input;
  const own = testFilesOf(input.feature);
  const known = new Set(input.baseline?.passing_tests ?? []);
  const failed = suite.tests.filter((test) => !own.includes(test.file) && isFailure(test) && !holdsNoTest(test) && !known.has(test.id));
  const others = failed.filter((test) => !fresh.includes(test.file)).map((test) => test.id);
  if (others.length === 0) return failed;
  const before = await bodiesOf(platform, input.trees, input.base.tree, others);
  const now = await bodiesOf(platform, input.trees, tree, others);
  return failed.filter((test) => fresh.includes(test.file) || (now.has(test.id) && !before.has(test.id)));
}

/** Tests of the baseline that a run of the candidate lost: those that only moved, and those that fail every time. */
async function movesOf(input: OpenCase, tree: string, suite: TestRun, lost: readonly Loss[]): Promise<Map<string, string>> {
  const { platform } = input;
  const vanished = lost.filter((loss) => loss.now === 'vanished').map((loss) => loss.id);
  const known = new Set(input.baseline?.passing_tests ?? []);
  const gained = passingIds(suite.tests).filter((id) => !known.has(id));
  return findMoves(platform, input.trees, { tree: input.base.tree, ids: vanished }, { tree, ids: gained });
}

/** A run in which every test of the baseline has to pass, on a tree of the candidate. */
interface KeptRun {
  run: TestRun;
  tree: string;
  lost: readonly Loss[];
}

/** Lost tests, repeated on the candidate where they were lost, and on base. */
async function repeatLost(input: OpenCase, runs: readonly KeptRun[], missing: readonly Loss[]): Promise<Repeated> {
  const { platform, base } = input;
  const found: Repeated[] = [];
  const left = new Set(missing.map((loss) => loss.id));
  for (const { run, tree, lost } of runs) {
    const failed = lost.map((loss) => loss.id).filter((id) => left.has(id));
    if (failed.length === 0) continue;
    found.push(
      await repeatFailures({
        failed,
        onCandidate: againIn(platform, { ...input, tree, purpose: 'again' }, run),
        onBase: againIn(platform, { ...input, tree: base.tree, room: 'base', purpose: 'base' }, run),
        isOnBase: () => true,
        isPartOfMore: true,
      }),
    );
    for (const id of lastItem(found).counts) left.delete(id);
  }
  return joinRepeated(found);
}
