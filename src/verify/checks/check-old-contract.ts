/**
 * The earlier version of every changed test file runs on the new code, with the earlier version of the data that tests read.
 *
 * 1. A test of the baseline that does not pass so is a regression where it says what it said; where it says something else, or only data was set
 *    back, a person decides.
 * 2. A test of the feature that does not pass so was rewritten, unless it was a stub: one that fails in the same words although all code that
 *    it could reach throws.
 * 3. Both versions run where everything they reach is wrong: what falls in the earlier one has to fall in the new one.
 */
import { testFilesOf } from '../../domain/test-files.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { describeTest, fileOf, type Finding, type TestResult, type TestRun } from '../../domain/verdict.ts';
import type { Case, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import type { Check, CheckResult } from '../check.ts';
import { consult, consultInTurn } from '../instruments.ts';
import { isFailure } from '../../domain/test-results.ts';
import { passingIds } from '../memory/baseline.ts';
import { runSuite } from '../run/suite.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { readSources } from '../source/read-source.ts';
import { wrongnessOf } from './check-matter.ts';
import { checkExpected } from './check-expected.ts';
import { checkForce } from './check-force.ts';
import { checkHelpers } from './check-helpers.ts';
import { checkSetUp } from './check-set-up.ts';
import { withFailures } from './with-failures.ts';
import { withoutLoadedAgain } from './loaded-again.ts';
import { bodiesOf, findMoves } from './moves.ts';
import { dataOfTests } from './test-data.ts';
import { notForEver, wrongEverywhere } from './wrong-everywhere.ts';

export const OLD_CONTRACT: Check = {
  id: 'old-contract',
  title: 'earlier versions',
  weight: 'reject',
  after: ['second-opinion'],
  cost: 'trial',
  ends: true,
  run: (judged, { feature, suite }) =>
    checkOldContract(
      judged,
      [feature?.run, suite?.suite].flatMap((run) => run?.tests ?? []),
    ),
  doc: 'Changed tests also pass in their earlier version, and still fail when the code is wrong.',
};

/** `ran`: the tests of the session's version. What does not pass there either is told by the feature's own check. */
async function checkOldContract(input: Case, ran: readonly TestResult[]): Promise<CheckResult> {
  const { platform, judged } = input;
  const failing = new Set(ran.filter(isFailure).map((test) => test.id));
  const data = await dataOfTests(input);
  const setBack = new Set([...judged.contract, ...data.changed]);
  const edits = judged.changes.flatMap((change): TreeEdit[] =>
    setBack.has(change.path) && change.from !== null ? [{ path: change.path, kind: 'entry', entry: change.from }] : [],
  );
  const files = [...new Set([...judged.contract, ...data.readers])];
  const waiting = await consult(input, 'old-contract/data', () => waitingFindings(data.waiting));
  const later = [
    ['old-contract/helpers', () => checkHelpers(input)],
    ['old-contract/expected', () => checkExpected(input)],
    ['old-contract/set-up', () => checkSetUp(input)],
  ] as const;
  if (files.length === 0) {
    const findings = [...waiting, ...(await consultInTurn(input, later))];
    const untouched = judged.released.length === 0 ? 'no accepted test was changed' : 'only tests that the feature may change';
    const detail = judged.helpers.length === 0 ? untouched : `changed code that tests rely on: ${judged.helpers.join(', ')}`;
    return { findings, detail, ...(judged.helpers.length + findings.length === 0 ? { skipped: true } : {}) };
  }
  const tree = await input.trees.compose(judged.tree, edits);
  const inEarlier = { ...input, tree, files, room: 'contract', purpose: 'old-contract' as const, mixed: true as const };
  const run = await runSuite(platform, inEarlier);
  const known = (input.baseline?.passing_tests ?? []).filter((id) => files.includes(fileOf(id)));
  const expected = await withoutLoadedAgain(platform, input.trees, input.base.tree, known);
  const notPassed = (told: TestRun, ids: readonly string[]): Promise<string[]> => notPassedIn(input, tree, told, ids);
  const missed = await notPassed(run, expected);
  // What fails once and passes in the same run again does not depend on the code.
  const lost = missed.length === 0 ? missed : await notPassed(await runSuite(platform, { ...inEarlier, cache: undefined }), missed);
  const others = run.tests.filter((test) => isFailure(test) && !expected.includes(test.id) && !failing.has(test.id) && isOwn(input, test));
  const rewritten = others.length === 0 ? [] : await withoutStubs(input, tree, others);
  const findings = [
    ...waiting,
    ...(await consult(input, 'old-contract/earlier-version', async () =>
      lostFindings(lost, data, run.tests, await sayingTheSame(input, lost, ran)),
    )),
    ...(await consult(input, 'old-contract/rewritten', () => rewrittenFindings(rewritten, data))),
  ];
  if (findings.length === 0 || input.thorough === true)
    findings.push(...(await consultInTurn(input, [['old-contract/mutation-parity', () => checkForce(input)], ...later])));
  const held = run.tests.length - lost.length - rewritten.length;
  return { findings, detail: `${held} of ${run.tests.length} tests pass in their earlier version` };
}

/** One that has another title in every run is known by its body. */
async function notPassedIn(
  { platform, trees, base, baseline }: OpenCase,
  tree: string,
  { tests }: TestRun,
  ids: readonly string[],
): Promise<string[]> {
  const [passed, told] = [passingIds(tests), new Set(tests.map((test) => test.id))];
  const known = new Set(baseline?.passing_tests);
  const gained = passed.filter((id) => !known.has(id));
  const moves = await findMoves(platform, trees, { tree: base.tree, ids: ids.filter((id) => !told.has(id)) }, { tree, ids: gained });
  return ids.filter((id) => !passed.includes(id) && !moves.has(id));
}

function waitingFindings(waiting: readonly { data: string; test: string }[]): Finding[] {
  if (waiting.length === 0) return [];
  const message = 'data was changed that only tests of unverified features read';
  const subjects = waiting.slice(0, 50).map(({ data, test }) => `${data} (read by ${test})`);
  return [{ check: 'old-contract', reason: 'tamper.tests', weight: 'ask', message, subjects }];
}

function isOwn(input: JudgeInput, test: TestResult): boolean {
  return testFilesOf(input.feature).includes(test.file);
}

/**
 * Tests of files that nobody is asked about, with the same words as before: something else in their file hides what broke. One that the file no
 * longer has is not the same, although the words that made it are: they make others now.
 */
async function sayingTheSame(input: Case, lost: readonly string[], ran: readonly TestResult[]): Promise<Set<string>> {
  const { platform, judged } = input;
  const [ids, files] = [new Set(ran.map((test) => test.id)), new Set(ran.map((test) => test.file))];
  const silent = lost.filter((id) => !judged.rewritten.includes(fileOf(id)) && (ids.has(id) || !files.has(fileOf(id))));
  if (silent.length === 0) return new Set();
  const then = await bodiesOf(platform, input.trees, input.base.tree, silent);
  const now = await bodiesOf(platform, input.trees, judged.tree, silent);
  return new Set(silent.filter((id) => then.has(id) && then.get(id) === now.get(id)));
}

function lostFindings(
  lost: readonly string[],
  data: { changed: readonly string[]; readers: readonly string[] },
  tests: readonly TestResult[],
  same: ReadonlySet<string>,
): Finding[] {
  const byData = lost.filter((id) => same.has(id) && data.readers.includes(fileOf(id)));
  const unloaded = new Set(tests.filter((test) => test.name === WHOLE_FILE && test.failure === 'import').map((test) => test.file));
  const importing = lost.filter((id) => same.has(id) && !byData.includes(id) && unloaded.has(fileOf(id)));
  const hidden = lost.filter((id) => same.has(id) && !byData.includes(id) && !importing.includes(id));
  const changed = lost.filter((id) => !same.has(id));
  const make = (weight: Finding['weight'], message: string, subjects: readonly string[]): Finding[] =>
    subjects.length === 0
      ? []
      : [
          withFailures(
            {
              check: 'old-contract',
              reason: weight === 'reject' ? 'regression' : 'tamper.tests',
              weight,
              message,
              subjects: subjects.slice(0, 50),
            },
            tests.filter((test) => subjects.includes(test.id)),
          ),
        ];
  const broken = (ids: readonly string[]): string =>
    ids.length === 1
      ? '1 test that passed on base fails in its earlier version'
      : `${ids.length} tests that passed on base fail in their earlier version`;
  return [
    ...make('reject', broken(hidden), hidden),
    ...make('ask', `expected values changed along with the code: ${broken(changed)}`, changed),
    ...make('ask', `modules that tests import were removed: ${broken(importing)}`, importing),
    ...make('ask', `tests pass only with the changed version of ${data.changed.join(', ')}, not with the one on base`, byData),
  ];
}

function rewrittenFindings(tests: readonly TestResult[], data: { changed: readonly string[] }): Finding[] {
  if (tests.length === 0) return [];
  const what =
    data.changed.length === 0
      ? "the feature's test was rewritten"
      : `the feature's test, or what it reads (${data.changed.join(', ')}), was changed`;
  return [
    withFailures(
      {
        check: 'old-contract',
        reason: 'tamper.tests',
        weight: 'ask',
        message: `${what}, and its earlier version fails on the new code`,
        subjects: tests.slice(0, 50).map(describeTest),
      },
      tests,
    ),
  ];
}

/** Those that do not fail in the same words where all code that they could reach throws. */
async function withoutStubs(input: OpenCase, tree: string, tests: readonly TestResult[]): Promise<TestResult[]> {
  const { platform } = input;
  const files = [...new Set(tests.map((test) => test.file))];
  const edits = await wrongEverywhere(input, tree, { files, wrongness: wrongnessOf(platform, 'thrown') });
  const run = await runSuite(platform, {
    ...input,
    ...notForEver(input),
    tree: await input.trees.compose(tree, edits),
    files,
    room: 'contract',
    variant: { forceExit: true },
    purpose: 'reach',
    mixed: true,
  });
  const thrown = new Map(run.tests.map((test) => [test.id, test]));
  const alone = edits.length > 0 ? new Set<string>() : await standingAlone(input, tree, files);
  return tests.filter((test) => {
    const other = thrown.get(test.id);
    const isTold = edits.length > 0 || alone.has(test.file);
    const wantsModule = MISSING_MODULE.test(test.message ?? '');
    return (
      test.name === WHOLE_FILE || other === undefined || !isFailure(other) || wordsOf(other) !== wordsOf(test) || !isTold || wantsModule
    );
  });
}

/** What a test says that loads a module which is not there: it would look at something if it were. */
const MISSING_MODULE =
  /cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|no module named|ModuleNotFoundError|cannot import name|failed to (?:load|resolve)/i;

/** Modules of runners and their assertions. */
export const OF_RUNNERS = /^(?:node:(?:test|assert(?:\/strict)?)|assert|vitest|@jest\/globals|pytest|unittest)$/;

/** Test files that import nothing but a runner and its assertions. */
async function standingAlone(input: OpenCase, tree: string, files: readonly string[]): Promise<Set<string>> {
  const { platform } = input;
  const texts = await Promise.all(
    files.map(async (path) => ({ path, text: (await input.trees.read(tree, path))?.toString('utf8') ?? '' })),
  );
  const readings = await readSources(platform, texts);
  return new Set(
    files.filter((_file, index) => {
      const reading = readings[index] ?? null;
      return reading !== null && !reading.hasOpenImport && reading.imports.every((one) => OF_RUNNERS.test(one.specifier));
    }),
  );
}

/** What a failure says, without the places where it happened. */
function wordsOf(test: TestResult): string {
  return (test.message ?? '')
    .split('\n')
    .filter((line) => !/^\s+at |:\d+|^\s*>/.test(line))
    .join('\n');
}
