/**
 * Again, elsewhere: once without the marks of a test run, and once more in a directory, an order and at a date of its own.
 *
 * 1. Passing only under a runner's marks: refused. With NODE_ENV or the file's name alone deciding: asked, for there are honest reasons.
 * 2. Passing once and failing in a fresh directory: refused as flaky. Failing only in another order or at another date: asked.
 */
import { posix } from 'node:path';
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { Finding, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgedTree } from './check-protected.ts';
import { changedSources, chooseReached } from './check-reach.ts';
import { describeTest } from './check-tests.ts';
import type { JudgeInput } from '../contract.ts';
import type { CheckResult } from '../docket.ts';
import { marksIn, type Mark } from './marks.ts';
import { readSource } from '../source/read-source.ts';
import { runSuite } from '../run/suite.ts';
import { reverseTests } from '../run/test-order.ts';
import { singleTests } from '../runners/registry.ts';
import { CLOCK_SHIFT_MS, type RunVariant } from '../runners/runner.ts';

export async function checkNeutral(platform: Platform, input: JudgeInput, judged: JudgedTree, plain: TestRun): Promise<CheckResult> {
  const marks = await readMarks(platform, input, judged);
  const findings =
    marks.length === 0 ? [] : [make('neutral', 'tamper.toolchain', 'ask', 'new code looks at whether a test runner started it', marks)];
  if (singleTests(plain.runner) === null)
    return { findings, detail: 'the runner is not known, so its marks are not either', skipped: findings.length === 0 };
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  const files = [...own, ...(await chooseReached(input, judged, own, (limit) => Number.parseInt(platform.random.id(6), 16) % limit))];
  if (files.length === 0) return { findings, detail: 'nothing that was changed is reached by a test', skipped: findings.length === 0 };
  const wanted = wantedFrom(plain, input, files);
  const renamed = await renameTests(platform, input, judged, plain, files);
  const run = async (names: Renamed, keepNodeEnv: boolean): Promise<string[]> =>
    lostIn(
      restoreNames(
        await runSuite(platform, {
          ...input,
          ...bounded(input, plain),
          tree: names.tree,
          files: names.files,
          variant: { neutral: { keepNodeEnv } },
          purpose: 'neutral',
        }),
        names,
      ),
      wanted,
    );
  const lost = await run(renamed, false);
  if (lost.length > 0) findings.push(...(await explainLoss(platform, input, judged, plain, { files, lost, renamed, run })));
  return { findings, detail: `${wanted.length - lost.length} of ${wanted.length} tests pass without the marks of a test run` };
}

interface Loss {
  files: string[];
  lost: string[];
  renamed: Renamed;
  run: (names: Renamed, keepNodeEnv: boolean) => Promise<string[]>;
}

/** Which of the marks it was: the harness takes away as little as shows it. */
async function explainLoss(
  platform: Platform,
  input: JudgeInput,
  judged: JudgedTree,
  plain: TestRun,
  { files, lost, renamed, run }: Loss,
): Promise<Finding[]> {
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  if (input.untilObjection === true && lost.some((line) => own.some((file) => line.startsWith(`${file}::`))))
    return [make('neutral', 'test.failed', 'ask', 'tests do not pass without the marks of a test run', lost)];
  const again = await runSuite(platform, { ...input, cache: undefined, tree: judged.tree, files, purpose: 'again' });
  const unsteady = again.tests.filter((test) => test.status !== 'passed' && lost.some((line) => line.startsWith(`${test.id} (`)));
  if (unsteady.length > 0)
    return [
      make(
        'neutral',
        'test.flaky',
        unsteady.some((test) => own.includes(test.file)) ? 'reject' : 'warn',
        'tests that passed do not pass every time',
        unsteady.map(describeTest),
      ),
    ];
  const asNamed: Renamed = { tree: judged.tree, files, original: new Map() };
  const kept = renamed.original.size > 0 ? await run(asNamed, false) : lost;
  if (kept.length === 0 && (await readOwnName(input, judged, files, lost))) return [];
  if (kept.length === 0) return [make('neutral', 'test.failed', 'ask', 'tests pass only where their file has the name of a test', lost)];
  const usesNodeEnv = singleTests(plain.runner)?.setsNodeEnv === true;
  if (usesNodeEnv && (await run(asNamed, true)).length === 0)
    return [make('neutral', 'test.failed', 'ask', 'tests pass only where NODE_ENV or CI says that they are tests', kept)];
  return [make('neutral', 'test.failed', 'reject', 'tests pass only where the code can tell that a test runner started it', kept)];
}

/** Whether every file that lost a test looks at its own name: it finds its data by that, and the code cannot tell the name otherwise. */
async function readOwnName(input: JudgeInput, judged: JudgedTree, files: readonly string[], lost: readonly string[]): Promise<boolean> {
  for (const file of files.filter((one) => lost.some((line) => line.startsWith(`${one}::`)))) {
    const text = (await input.trees.read(judged.tree, file))?.toString('utf8') ?? '';
    if (!/import\.meta\.(?:url|filename)|__filename|__file__/.test(text)) return false;
  }
  return true;
}

interface Renamed {
  tree: string;
  files: string[];
  /** From the new path to the old one. */
  original: ReadonlyMap<string, string>;
}

/** Beside each test file a copy whose name says nothing, where the runner takes any file; not where results are stored by name. */
async function renameTests(
  platform: Platform,
  input: JudgeInput,
  judged: JudgedTree,
  plain: TestRun,
  files: readonly string[],
): Promise<Renamed> {
  const original = new Map<string, string>();
  const edits: TreeEdit[] = [];
  const takesAny = singleTests(plain.runner)?.takesAnyName === true;
  for (const file of takesAny ? files : []) {
    const content = (await input.trees.read(judged.tree, file))?.toString('utf8');
    if (content === undefined || /snapshot|datadir/i.test(content)) continue;
    const path = posix.join(posix.dirname(file), plainName(posix.basename(file), platform.random.id(3)));
    original.set(path, file);
    edits.push({ path, kind: 'write', content });
  }
  const names = new Map([...original].map(([path, file]) => [file, path]));
  return {
    tree: edits.length === 0 ? judged.tree : await input.trees.compose(judged.tree, edits),
    files: files.map((file) => names.get(file) ?? file),
    original,
  };
}

function plainName(name: string, suffix: string): string {
  const at = name.lastIndexOf('.');
  const stem = name.slice(0, at).replace(/[._-]?(?:tests?|specs?)(?=$|[._-])|^tests?[._-]/gi, '') || 'module';
  return `${stem}_${suffix}${name.slice(at)}`;
}

function restoreNames(run: TestRun, names: Renamed): TestRun {
  const tests = run.tests.map((test) => {
    const file = names.original.get(test.file);
    return file === undefined ? test : { ...test, file, id: `${file}${test.id.slice(test.file.length)}` };
  });
  return { ...run, tests };
}

async function readMarks(platform: Platform, input: JudgeInput, judged: JudgedTree): Promise<string[]> {
  const found: string[] = [];
  const sources = new Set(changedSources(input, judged));
  for (const change of judged.changes) {
    if (!sources.has(change.path) || change.to === null) continue;
    const read = async (oid: string): Promise<Mark[]> => {
      const text = (await input.trees.readBlob(oid)).toString('utf8');
      return marksIn(change.path, text, (await readSource(platform, change.path, text))?.globals);
    };
    const now = await read(change.to.oid);
    const before = change.from === null || now.length === 0 ? [] : await read(change.from.oid);
    found.push(...now.filter((mark) => !before.some((old) => old.what === mark.what)).map((mark) => `${mark.path}: ${mark.what}`));
  }
  return found;
}

/** What has to pass again: the tests of these files that passed in the plain run, those of the baseline among accepted files. */
function wantedFrom(plain: TestRun, input: JudgeInput, files: readonly string[]): string[] {
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  return plain.tests
    .filter((test) => test.status === 'passed' && files.includes(test.file) && (own.includes(test.file) || baseline.has(test.id)))
    .map((test) => test.id);
}

function lostIn(run: TestRun, wanted: readonly string[]): string[] {
  const results = new Map(run.tests.map((test) => [test.id, test]));
  return wanted
    .filter((id) => results.get(id)?.status !== 'passed')
    .map((id) => {
      const test = results.get(id);
      return test === undefined ? `${id} (not run${run.problems.length > 0 ? `: ${run.problems[0]!}` : ''})` : describeTest(test);
    });
}

export async function checkRepeat(
  platform: Platform,
  input: JudgeInput,
  judged: JudgedTree,
  green: readonly string[],
  plain: TestRun,
): Promise<CheckResult> {
  const files = testFilesOf(input.feature);
  const named = namesOfFiles(files);
  const seed = 1 + (Number.parseInt(platform.random.id(3), 16) % 1_000_000);
  const single = singleTests(plain.runner);
  const reversed = single?.order === 'reversed' ? await reversedTree(platform, input, judged, files) : judged.tree;
  const run = async (tree: string, variant: RunVariant | undefined): Promise<string[]> =>
    lostIn(
      await runSuite(platform, {
        ...input,
        ...bounded(input, plain),
        cache: undefined,
        tree,
        files,
        room: 'repeat',
        fresh: true,
        ...(variant === undefined ? {} : { variant }),
        purpose: 'repeat',
      }),
      green,
    );
  const shuffle = single?.order === 'reversed' ? {} : { shuffleSeed: seed };
  const first = await run(reversed, single !== null ? { ...shuffle, clockShiftMs: CLOCK_SHIFT_MS } : undefined);
  const detail = `${green.length - first.length} of ${green.length} passed again`;
  if (first.length === 0) return { findings: [], detail };
  if (input.untilObjection === true)
    return { findings: [make('repeat', 'test.flaky', 'ask', `tests of ${named} do not pass again elsewhere`, first)], detail };
  const same = await run(judged.tree, undefined);
  if (same.length > 0)
    return {
      findings: [
        make(
          'repeat',
          'test.flaky',
          'reject',
          `tests of ${named} passed once and failed when they were run again in a fresh directory`,
          same,
        ),
      ],
      detail,
    };
  const ordered = await run(reversed, shuffle);
  const message = ordered.length > 0 ? `tests of ${named} pass in one order only` : `tests of ${named} pass at one date only`;
  return { findings: [make('repeat', 'test.flaky', 'ask', message, first)], detail };
}

async function reversedTree(platform: Platform, input: JudgeInput, judged: JudgedTree, files: readonly string[]): Promise<string> {
  const edits: TreeEdit[] = [];
  for (const path of files) {
    const text = (await input.trees.read(judged.tree, path))?.toString('utf8') ?? '';
    const reading = await readSource(platform, path, text);
    const reversed = reading === null ? text : reverseTests(text, reading);
    if (reversed !== text) edits.push({ path, kind: 'write', content: reversed });
  }
  return edits.length === 0 ? judged.tree : input.trees.compose(judged.tree, edits);
}

function bounded(input: JudgeInput, plain: TestRun): { timeoutMs: number } {
  return { timeoutMs: Math.min(input.timeoutMs ?? Number.MAX_SAFE_INTEGER, 30_000 + plain.duration_ms * 4) };
}

function make(
  check: Finding['check'],
  reason: Finding['reason'],
  weight: Finding['weight'],
  message: string,
  subjects: readonly string[],
): Finding {
  return { check, reason, weight, message, subjects: subjects.slice(0, 50) };
}
