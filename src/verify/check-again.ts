/**
 * Again, elsewhere: once without the marks of a test run, and once more in a directory, an order and at a date of its own.
 *
 * 1. Passing only under a runner's marks: refused. With NODE_ENV alone deciding: asked, for there are honest reasons.
 * 2. Passing once and failing in a fresh directory: refused as flaky. Failing only in another order or at another date: asked.
 */
import type { TreeEdit } from '../domain/tree.ts';
import type { Finding, TestRun } from '../domain/verdict.ts';
import type { Platform } from '../platform/platform.ts';
import type { JudgedTree } from './check-protected.ts';
import { changedSources, chooseReached } from './check-reach.ts';
import { describeTest } from './check-tests.ts';
import type { JudgeInput, RunVariant } from './contract.ts';
import type { CheckResult } from './docket.ts';
import { marksIn } from './marks.ts';
import { runSuite } from './suite.ts';
import { reverseTests } from './test-order.ts';

export async function checkNeutral(platform: Platform, input: JudgeInput, judged: JudgedTree, plain: TestRun): Promise<CheckResult> {
  const marks = await readMarks(input, judged);
  const findings = marks.length === 0 ? [] : [make('neutral', 'tamper.toolchain', 'ask', 'new code looks at whether a test runner started it', marks)];
  if (!DEEP.has(plain.runner)) return { findings, detail: 'the runner is not known, so its marks are not either', skipped: findings.length === 0 };
  const own = input.mode === 'feature' ? input.feature?.test_file : undefined;
  const files = [...(own === undefined ? [] : [own]), ...(await chooseReached(input, judged, own, (limit) => Number.parseInt(platform.random.id(6), 16) % limit))];
  if (files.length === 0) return { findings, detail: 'nothing that was changed is reached by a test', skipped: findings.length === 0 };
  const wanted = wantedFrom(plain, input, files);
  const run = (neutral: RunVariant['neutral']): Promise<TestRun> => runSuite(platform, { ...input, ...bounded(input, plain), tree: judged.tree, files, variant: { neutral }, purpose: 'neutral' });
  let lost = lostIn(await run({ keepNodeEnv: false }), wanted);
  if (lost.length > 0 && !(await failsPlainly(platform, input, judged, files, lost))) {
    const usesNodeEnv = plain.runner === 'vitest' || plain.runner === 'jest';
    const kept = usesNodeEnv ? lostIn(await run({ keepNodeEnv: true }), wanted) : lost;
    findings.push(kept.length === 0 ? make('neutral', 'test.failed', 'ask', 'tests pass only where NODE_ENV says that they are tests', lost) : make('neutral', 'test.failed', 'reject', 'tests pass only where the code can tell that a test runner started it', kept));
  } else if (lost.length > 0) {
    findings.push(make('neutral', 'test.flaky', own !== undefined && lost.some((line) => line.startsWith(`${own}::`)) ? 'reject' : 'warn', 'tests that passed do not pass every time', lost));
    lost = [];
  }
  return { findings, detail: `${wanted.length - lost.length} of ${wanted.length} tests pass without the marks of a test run` };
}

const DEEP: ReadonlySet<string> = new Set(['node:test', 'vitest', 'jest', 'pytest']);

async function readMarks(input: JudgeInput, judged: JudgedTree): Promise<string[]> {
  const found: string[] = [];
  const sources = new Set(changedSources(judged));
  for (const change of judged.changes) {
    if (!sources.has(change.path) || change.to === null) continue;
    const now = marksIn(change.path, (await input.trees.readBlob(change.to.oid)).toString('utf8'));
    const before = change.from === null || now.length === 0 ? [] : marksIn(change.path, (await input.trees.readBlob(change.from.oid)).toString('utf8'));
    found.push(...now.filter((mark) => !before.some((old) => old.what === mark.what)).map((mark) => `${mark.path}: ${mark.what}`));
  }
  return found;
}

/** What has to pass again: the tests of these files that passed in the plain run, those of the baseline among accepted files. */
function wantedFrom(plain: TestRun, input: JudgeInput, files: readonly string[]): string[] {
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const own = input.mode === 'feature' ? input.feature?.test_file : undefined;
  return plain.tests.filter((test) => test.status === 'passed' && files.includes(test.file) && (test.file === own || baseline.has(test.id))).map((test) => test.id);
}

function lostIn(run: TestRun, wanted: readonly string[]): string[] {
  const results = new Map(run.tests.map((test) => [test.id, test]));
  return wanted.filter((id) => results.get(id)?.status !== 'passed').map((id) => {
    const test = results.get(id);
    return test === undefined ? `${id} (not run${run.problems.length > 0 ? `: ${run.problems[0]!}` : ''})` : describeTest(test);
  });
}

/** Whether the same tests fail in a plain run as well, run again: then the marks have nothing to do with it. */
async function failsPlainly(platform: Platform, input: JudgeInput, judged: JudgedTree, files: readonly string[], lost: readonly string[]): Promise<boolean> {
  const again = await runSuite(platform, { ...input, cache: undefined, tree: judged.tree, files: [...files], purpose: 'again' });
  return again.tests.some((test) => test.status !== 'passed' && lost.some((line) => line.startsWith(`${test.id} (`)));
}

export async function checkRepeat(platform: Platform, input: JudgeInput, judged: JudgedTree, green: readonly string[], plain: TestRun): Promise<CheckResult> {
  const file = input.feature!.test_file!;
  const seed = 1 + (Number.parseInt(platform.random.id(3), 16) % 1_000_000);
  const reversed = plain.runner === 'node:test' ? await reversedTree(input, judged, file) : judged.tree;
  const run = async (tree: string, variant: RunVariant | undefined): Promise<string[]> =>
    lostIn(await runSuite(platform, { ...input, ...bounded(input, plain), cache: undefined, tree, files: [file], room: 'repeat', fresh: true, ...(variant === undefined ? {} : { variant }), purpose: 'repeat' }), green);
  const shuffle = plain.runner === 'node:test' ? {} : { shuffleSeed: seed };
  const first = await run(reversed, DEEP.has(plain.runner) ? { ...shuffle, clockShiftMs: CLOCK_SHIFT_MS } : undefined);
  const detail = `${green.length - first.length} of ${green.length} passed again`;
  if (first.length === 0) return { findings: [], detail };
  const same = await run(judged.tree, undefined);
  if (same.length > 0) return { findings: [make('repeat', 'test.flaky', 'reject', `tests of ${file} passed once and failed when they were run again in a fresh directory`, same)], detail };
  const ordered = await run(reversed, shuffle);
  const message = ordered.length > 0 ? `tests of ${file} pass in one order only` : `tests of ${file} pass at one date only`;
  return { findings: [make('repeat', 'test.flaky', 'ask', message, first)], detail };
}

/** Beyond a year, and not a whole number of days: another date, weekday and hour. */
const CLOCK_SHIFT_MS = (400 * 24 + 7) * 3_600_000;

async function reversedTree(input: JudgeInput, judged: JudgedTree, file: string): Promise<string> {
  const text = (await input.trees.read(judged.tree, file))?.toString('utf8') ?? '';
  const reversed = reverseTests(text);
  const edit: TreeEdit = { path: file, kind: 'write', content: reversed };
  return reversed === text ? judged.tree : input.trees.compose(judged.tree, [edit]);
}

function bounded(input: JudgeInput, plain: TestRun): { timeoutMs: number } {
  return { timeoutMs: Math.min(input.timeoutMs ?? Number.MAX_SAFE_INTEGER, 30_000 + plain.duration_ms * 4) };
}

function make(check: Finding['check'], reason: Finding['reason'], weight: Finding['weight'], message: string, subjects: readonly string[]): Finding {
  return { check, reason, weight, message, subjects: subjects.slice(0, 50) };
}
