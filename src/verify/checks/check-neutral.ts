/**
 * Once more without the marks of a test run, where and as a person would start it. Passing only under a runner's marks: refused. With NODE_ENV,
 * the file's name or the lack of a terminal alone deciding: asked, for there are honest reasons.
 */
import { availableParallelism } from 'node:os';
import { counted } from '../../domain/counted.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import { describeTest, fileOf, type Finding, type Replaced, type TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import type { Check, CheckResult } from '../check.ts';
import { consult, isOff, isOpen } from '../instruments.ts';
import { NEVER_ENDED } from '../run/agreement.ts';
import { runSuite } from '../run/suite.ts';
import { singleTests } from '../runners/registry.ts';
import { readSource } from '../source/read-source.ts';
import {
  asIfNamed,
  bounded,
  filesToRepeat,
  lostIn,
  make,
  NEUTRAL_ROOM,
  renameTests,
  restoreNames,
  wantedFrom,
  type Renamed,
} from './again.ts';
import { canQuestion, OWN_TESTS_ALONE, plainRunOf } from './plain-run.ts';
import { beforeWords, lostAnew, type Lost } from './lost-anew.ts';
import { askAsProgram } from './as-a-program.ts';
import { changedSources } from './check-reach.ts';
import { marksIn, type Mark } from './marks.ts';
import { askAboutReplaced } from './put-in-place.ts';
import { wholeTests } from './whole-tests.ts';

export const NEUTRAL: Check = {
  id: 'neutral',
  title: 'outside the runner',
  weight: 'reject',
  cost: 'trial',
  ends: true,
  optional: true,
  applies: canQuestion,
  run: async (judged, facts) => {
    const plain = await plainRunOf(judged, facts);
    return plain === null ? { findings: [], detail: '' } : await checkNeutral(judged, plain);
  },
  early: OWN_TESTS_ALONE,
  doc: 'Tests also pass when the code cannot detect the test runner, and their assertions hold outside any runner.',
};

async function checkNeutral(input: Case, plain: TestRun): Promise<CheckResult> {
  const isKnown = singleTests(plain.runner) !== null;
  const files = isKnown ? await filesToRepeat(input) : [];
  const findings = await consult(input, 'neutral/runner-marks', async () => {
    const marks = await readMarks(input, files.length > 0 && !KEEPS_PROCESS.has(plain.runner));
    return marks.length === 0
      ? []
      : [make('neutral', 'tamper.toolchain', 'ask', 'new code checks whether a test runner started it', marks)];
  });
  if (!isKnown) return { findings, detail: 'unknown test runner', skipped: findings.length === 0 };
  if (files.length === 0) return { findings, detail: 'no test reaches the change', skipped: findings.length === 0 };
  const asked = withoutMarks(input, plain, files);
  // The controls run beside both, one after the other: with few processors a third run only makes them wait.
  const turn = availableParallelism() > 3 ? null : asked;
  const assertions = { asked: 0, failed: 0 };
  const outside = askOutside(input, { plain, turn, count: (asked, failed) => Object.assign(assertions, { asked, failed }) });
  // Whichever ends first: where both are ended from outside, nobody else hears of the other.
  const settled = Promise.allSettled([asked, outside]);
  const inside = await asked.finally(() => settled);
  const found = await outside;
  return { findings: [...findings, ...inside.findings, ...found], detail: `${inside.detail}${assertionWords(assertions)}` };
}

function assertionWords({ asked, failed }: { asked: number; failed: number }): string {
  return asked === 0 ? '' : `; ${asked - failed} of ${counted(asked, 'assertion')} ${asked === 1 ? 'holds' : 'hold'}`;
}

async function withoutMarks(input: Case, plain: TestRun, files: string[]): Promise<CheckResult> {
  const { platform, judged } = input;
  const wanted = wantedFrom(plain, input, files);
  const random = (): string => platform.random.id(3);
  const renamed = await renameTests(input, judged, { plain, files, suffix: random });
  const asNamed: Renamed = { tree: judged.tree, files, original: new Map() };
  const runIn = (tree: string, some: readonly string[], of: RunOf, keep: Keep = {}): Promise<TestRun> =>
    runSuite(platform, {
      ...input,
      ...bounded(input, plain),
      tree,
      files: some,
      room: NEUTRAL_ROOM,
      variant: { neutral: { keepNodeEnv: false, ...keep } },
      ...of,
    });
  const seen: Replaced[] = [];
  let isEndlessBefore = false;
  let silence: string | null = null;
  const neutral: Neutral = async (names, ids, keep, of = { purpose: 'neutral' }) => {
    const found = await runIn(names.tree, names.files, of, keep);
    if (of.compared === true && found.problems.includes(NEVER_ENDED)) isEndlessBefore = true;
    if (of.compared !== true) seen.push(...(found.replaced ?? []));
    if (of.compared !== true && found.tests.length === 0) silence = found.problems[0] ?? null;
    return isTaken(found, names) ? lostIn(restoreNames(found, names), ids) : null;
  };
  const findings: Finding[] = [];
  const { anew: lost, before } = await lostWithoutMarks(input, plain, { renamed, asNamed, wanted, neutral });
  const held = wanted.filter((id) => !before.includes(id));
  if (isEndlessBefore && lost.length > 0 && lost.every((line) => line.includes(NEVER_ENDED))) {
    const words = 'with the test runner hidden these tests never finish, neither on base nor on the candidate';
    findings.push(make('neutral', 'test.failed', 'warn', words, before.slice(0, MOST_NAMED)));
    return { findings, detail: `skipped: ${words}` };
  }
  if (
    silence !== null &&
    lost.length > 0 &&
    lost.every((line) => line.includes(silence!)) &&
    (await isSilentBefore(input, silence, runIn))
  ) {
    const words = 'with the test runner hidden no result is reported, neither on base nor on the candidate';
    findings.push(make('neutral', 'test.failed', 'warn', `${words}: ${silence}`, lost.slice(0, MOST_NAMED)));
    return { findings, detail: `skipped: ${words}` };
  }
  const run: Loss['run'] = async (names, keep = {}) => (await neutral(names, held, keep)) ?? (await neutral(asNamed, held, keep)) ?? [];
  if (lost.length > 0) findings.push(...(await explainLoss(input, plain, { files, lost, renamed, asNamed, run })));
  findings.push(
    ...(await consult(input, 'neutral/overridden-builtins', () => askAboutReplaced(input, plain, { files, renamed, seen, run: runIn }))),
  );
  const detail = `${held.length - lost.length} of ${held.length} tests also pass with the test runner hidden${beforeWords(before)}`;
  return { findings, detail };
}

/** Accepted tests on the code from before end without a word in the same way: the instrument cannot be used in this project. */
async function isSilentBefore(
  { trees, base, baseline }: JudgeInput,
  silence: string,
  runIn: (tree: string, files: readonly string[], of: RunOf) => Promise<TestRun>,
): Promise<boolean> {
  const present = pathSetOf(await trees.list(base.tree));
  const accepted = (baseline?.passing_tests ?? []).map(fileOf).find((file) => present.has(file));
  if (accepted === undefined) return false;
  const { tests, problems } = await runIn(base.tree, [accepted], { compared: true, purpose: 'base' });
  return tests.length === 0 && problems[0] === silence;
}

interface Outside {
  plain: TestRun;
  /** Nothing is started before. */
  turn: Promise<unknown> | null;
  count: (asked: number, failed: number) => void;
}

/** What tests say, asked by programs that are none: single assertions, and where those hold, whole tests. */
async function askOutside(input: Case, { plain, turn, count }: Outside): Promise<Finding[]> {
  const whole = isOff(input, 'neutral/standalone-tests') ? null : await wholeTests(input, plain);
  const found = await consult(input, 'neutral/standalone-assertions', () =>
    askAsProgram(input, plain, { behind: whole?.behind ?? null, turn, count }),
  );
  return whole === null || !isOpen(input, found) ? found : [...found, ...(await consult(input, 'neutral/standalone-tests', whole.judge))];
}

const MOST_NAMED = 20;

/** Runners that hand tests a copy of `process` of their own, or that cannot be changed from outside. */
const KEEPS_PROCESS: ReadonlySet<string> = new Set(['jest', 'bun']);

/** What is left as a runner makes it. */
interface Keep {
  keepNodeEnv?: boolean;
  keepTerminal?: boolean;
}

interface RunOf {
  compared?: true;
  purpose: string;
}

/** Which of the given tests are lost; null: the runner took none of the files under their other names. */
type Neutral = (names: Renamed, ids: readonly string[], keep: Keep, of?: RunOf) => Promise<string[] | null>;

interface Names {
  renamed: Renamed;
  asNamed: Renamed;
  wanted: readonly string[];
  neutral: Neutral;
}

/** What cannot stand another name on the base is asked again under its own. */
async function lostWithoutMarks(input: JudgeInput, plain: TestRun, { renamed, asNamed, wanted, neutral }: Names): Promise<Lost> {
  const taken = renamed.original.size === 0 ? null : await neutral(renamed, wanted, {});
  const lost = taken ?? (await neutral(asNamed, wanted, {})) ?? [];
  const { tree } = input.base;
  const found = await lostAnew(input, lost, async (files, ids) => {
    const own: Renamed = { tree, files, original: new Map() };
    const names = taken === null ? own : await renameTests(input, { tree }, { plain, files, suffix: () => tree.slice(0, 3) });
    const of = { compared: true as const, purpose: 'base' };
    return (await neutral(names, ids, {}, of)) ?? (await neutral(own, ids, {}, of)) ?? [];
  });
  if (taken === null || found.before.length === 0) return found;
  const again = await lostWithoutMarks(input, plain, { renamed: asNamed, asNamed, wanted: found.before, neutral });
  return {
    anew: [...found.anew, ...again.anew],
    before: found.before.filter((id) => !again.anew.some((line) => line.startsWith(`${id} (`))),
  };
}

/** A runner that was told otherwise leaves files of other names alone: then it says nothing at all about them. */
function isTaken(run: TestRun, { original }: Renamed): boolean {
  return original.size === 0 || run.tests.some((test) => original.has(test.file));
}

interface Loss {
  files: string[];
  lost: string[];
  renamed: Renamed;
  asNamed: Renamed;
  run: (names: Renamed, keep?: Keep) => Promise<string[]>;
}

/** Which of the marks it was: the harness takes away as little as shows it. */
async function explainLoss(input: Case, plain: TestRun, { files, lost, renamed, asNamed, run }: Loss): Promise<Finding[]> {
  const { platform, judged } = input;
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  if (input.untilObjection === true && lost.some((line) => own.some((file) => line.startsWith(`${file}::`))))
    return [make('neutral', 'test.failed', 'ask', 'tests fail with the test runner hidden', lost)];
  const again = await runSuite(platform, { ...input, cache: undefined, tree: judged.tree, files, room: NEUTRAL_ROOM, purpose: 'again' });
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
  const kept = renamed.original.size > 0 ? await run(asNamed) : lost;
  if (
    kept.length === 0 &&
    (await run(await renameTests(input, judged, { plain, files, suffix: () => platform.random.id(3), textOf: asIfNamed }))).length === 0
  )
    return [];
  if (kept.length === 0) return [make('neutral', 'test.failed', 'ask', 'tests pass only when their file is named like a test', lost)];
  const usesNodeEnv = singleTests(plain.runner)?.setsNodeEnv === true;
  if (usesNodeEnv && (await run(asNamed, { keepNodeEnv: true })).length === 0)
    return [make('neutral', 'test.failed', 'ask', 'tests pass only when NODE_ENV or CI marks a test run', kept)];
  if ((await run(asNamed, { keepTerminal: true })).length === 0)
    return [make('neutral', 'test.failed', 'ask', 'tests pass only when the output is not a terminal', kept)];
  return [make('neutral', 'test.failed', 'reject', 'tests pass only when the code can detect the test runner', kept)];
}

async function readMarks(input: Case, isRun: boolean): Promise<string[]> {
  const { platform, judged } = input;
  const found: string[] = [];
  const sources = new Set(changedSources(input));
  for (const change of judged.changes) {
    if (!sources.has(change.path) || change.to === null) continue;
    const read = async (oid: string): Promise<Mark[]> => {
      const text = (await input.trees.readBlob(oid)).toString('utf8');
      return marksIn(change.path, text, (await readSource(platform, change.path, text))?.globals, isRun);
    };
    const now = await read(change.to.oid);
    const before = change.from === null || now.length === 0 ? [] : await read(change.from.oid);
    found.push(...now.filter((mark) => !before.some((old) => old.what === mark.what)).map((mark) => `${mark.path}: ${mark.what}`));
  }
  return found;
}
