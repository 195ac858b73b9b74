/**
 * Controls: tests that must fail, run where the real ones run. A runner that does not report them as failed cannot be believed.
 *
 * 1. The feature's test file, and accepted test files that reach changed code, run with planted tests and with their own
 *    expectations changed. One run does both; where a planted test went missing in it, a second run without changed
 *    expectations decides, which may take longer if the first did not end in time.
 * 2. A planted test with the wrong result: refused. Tests of the feature that all hold whatever they expect: refused; some: asked.
 * 3. Accepted tests that cannot fail any more are compared with the code from before: what never could fail is not this session's fault.
 * 4. Where nothing could be changed in accepted tests, code that is wrong must be noticed as it was before.
 * 5. Tests that fail have to end the command with another status than 0, as they did.
 * 6. The same run again with planted tests that all must pass: there the tests themselves must pass. Code that behaves only where it
 *    knows that controls run fails one of the two.
 */
import { counted } from '../../domain/counted.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { Finding, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { CONTROLS_ROOMS, hasControlsRooms } from './again.ts';
import { changedTests, chooseReached, mostAtThisPace } from './check-reach.ts';
import type { Case, OpenCase } from '../case.ts';
import type { SuiteInput } from '../contract.ts';
import { hasRejection, type Check, type CheckResult } from '../check.ts';
import { canQuestion, OWN_TESTS_ALONE, plainRunOf } from './plain-run.ts';
import { changedOnBase, heldBefore, type Asked, type HeldBefore, type OnBase } from './control-base.ts';
import { checkFileControls } from './check-file-controls.ts';
import { heldCopies, judgeCopies } from './control-copies.ts';
import { beginPassing, judgePassing, type BegunPassing } from './control-passing.ts';
import { blindBefore, judgePlanted, wrongResults } from './control-planted.ts';
import { durationOf, type Subject } from './control-subject.ts';
import { keepForce } from './keep-force.ts';
import { askAboutStatus } from './kept-status.ts';
import { mostCopies, mutateTests, type Difference } from './mutate.ts';
import { lettersFrom, nameMaker, plantControls, plantPassing, type Dice } from './plant.ts';
import { consult, consultInTurn } from '../instruments.ts';
import { singleTests } from '../runners/registry.ts';
import type { RunVariant } from '../runners/runner.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { runSuite } from '../run/suite.ts';
import { isNamed } from '../source/test-names.ts';
import { isFailure } from '../../domain/test-results.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';

export const CONTROLS: Check = {
  id: 'controls',
  title: 'control tests',
  weight: 'reject',
  cost: 'trial',
  ends: true,
  optional: true,
  applies: canQuestion,
  run: async (judged, facts) => {
    const plain = await plainRunOf(judged, facts);
    if (plain === null) return { findings: [], detail: '' };
    const { uncontrolled = [], ...result } = await (facts.isEarly ? controlsBeside : checkControls)(judged, plain);
    return { ...result, facts: { uncontrolled } };
  },
  early: {
    ...OWN_TESTS_ALONE,
    applies: async (judged, facts) =>
      hasControlsRooms(await judged.trees.list(judged.judged.tree)) && (await OWN_TESTS_ALONE.applies(judged, facts)),
  },
  doc: 'Control tests planted among the real ones give the result they must, and tests fail when their expected values are changed.',
};

/** Tests that neither wrong code nor another expectation made fail. */
export const UNPROVED: Check = {
  id: 'controls/unproved',
  title: null,
  weight: 'ask',
  after: ['red', 'controls'],
  cost: 'text',
  applies: ({ thorough }, { findings }) => thorough === true || !hasRejection(findings),
  run: async (judged, { red, uncontrolled }) => {
    const tests = red.unmoved.filter((id) => uncontrolled.includes(id));
    return { findings: await consult(judged, 'controls/unproved', () => (tests.length === 0 ? [] : [unproved(tests)])), detail: '' };
  },
  doc: 'Every test of the feature fails either on mutated code or with changed expectations.',
};

function unproved(tests: readonly string[]): Finding {
  const one = tests.length === 1;
  return {
    check: 'controls',
    reason: 'test.not_red',
    weight: 'ask',
    message: `${one ? 'a test still passes' : `${tests.length} tests still pass`} when the new code returns wrong values, and the harness could not change what ${one ? 'it expects' : 'they expect'}`,
    subjects: tests.slice(0, 50),
  };
}

/**
 * How much longer the run that decides may take where the first one did not end in time. To fail can be slow where to pass is not: of a failed
 * `assert.ok`, node looks for its text in the file, which takes it a second where TypeScript is made one long line while it is loaded.
 */
const PATIENCE = 6;
const LEAST_MS = 15_000;

interface ControlsCheck extends CheckResult {
  /** Tests of the feature that passed although what they expect was changed, or in which nothing could be changed. */
  uncontrolled?: string[];
}

/**
 * While the suite is in its room. Those that must fail and those that must pass run side by side in
 * rooms that are named by chance: code that sees both cannot tell which is which.
 */
async function controlsBeside(input: Case, plain: TestRun): Promise<ControlsCheck> {
  const ending = new AbortController();
  const signal = input.signal === undefined ? ending.signal : AbortSignal.any([input.signal, ending.signal]);
  const [now, passing] = CONTROLS_ROOMS.map((room): RoomChoice => ({ room, fresh: true })) as [RoomChoice, RoomChoice];
  const begun: { passing?: BegunPassing } = {};
  const rooms: ControlRooms = { ...ROOMS, now, passing: { where: passing, signal, begun } };
  return await checkControls(input, plain, rooms).finally(async () => {
    ending.abort();
    await begun.passing?.once.catch(() => {});
  });
}

type RoomChoice = Pick<SuiteInput, 'room' | 'fresh'>;

interface ControlRooms {
  now: RoomChoice;
  /** For the code from before. */
  before: RoomChoice;
  /** Where the tests that have to pass run beside those that have to fail; whoever does not need them ends them. */
  passing: { where: RoomChoice; signal: AbortSignal; begun: { passing?: BegunPassing } } | null;
}

const ROOMS: ControlRooms = { now: { room: 'judge' }, before: { room: 'contract' }, passing: null };

async function checkControls(input: Case, plain: TestRun, rooms: ControlRooms = ROOMS): Promise<ControlsCheck> {
  const { platform, judged } = input;
  if (singleTests(plain.runner) === null) return checkFileControls(input, plain);
  const prepared = await prepareSubjects(input, plain);
  if (prepared.length === 0)
    return {
      findings: [],
      detail: 'no test file that control tests can be planted in',
      skipped: true,
      caveats: input.mode === 'feature' ? ['no control tests: the harness cannot write tests in the language of the test file'] : [],
    };
  const own = durationOf(plain, prepared);
  const limit = LEAST_MS + own * 4;
  const run = (
    where: RoomChoice,
    tree: string,
    texts: ReadonlyMap<string, string>,
    variant: RunVariant = { forceExit: true, alone: true },
    { patience = 1, limitMs = limit, ...more }: { patience?: number; limitMs?: number; signal?: AbortSignal } = {},
  ): Promise<TestRun> => {
    const timeoutMs = Math.min(input.timeoutMs ?? Number.MAX_SAFE_INTEGER, limitMs * patience);
    return runPlanted({ ...input, ...more, timeoutMs }, { where, tree, texts, variant });
  };
  const { passing } = rooms;
  if (passing !== null && prepared.every((one) => one.isFeature))
    passing.begun.passing = beginPassing(platform, prepared, (texts, elsewhere) =>
      run(passing.where, judged.tree, texts, { forceExit: true, alone: true, ...elsewhere }, { signal: passing.signal }),
    );
  const both = new Map(prepared.map((one) => [one.file, (one.changed?.planted ?? one.planted).text]));
  // Tests that wait for what never comes do not end: another run decides about the planted ones.
  const first = await run(rooms.now, judged.tree, both, { forceExit: true, alone: true }, { limitMs: LEAST_MS + own * 2 });
  const findings: Finding[] = [];
  const onBase: OnBase = (texts) => run(rooms.before, input.base.tree, texts);
  let blind: string[] = [];
  const unsure = prepared.filter((one) => wrongResults(one.file, one.changed?.planted ?? one.planted, first).length > 0);
  if (unsure.length > 0) {
    const texts = new Map(unsure.map((one) => [one.file, one.planted.text]));
    const second = await run(rooms.now, judged.tree, texts, { alone: true }, { patience: first.timed_out ? PATIENCE : 1 });
    blind = await blindBefore(unsure, second, onBase);
    findings.push(...unsure.filter(({ file }) => !blind.includes(file)).flatMap((one) => judgePlanted(one, second)));
  }
  const subjects = prepared.filter(({ file }) => !blind.includes(file));
  const before = (file: string, asked: Asked = { copies: [], text: '' }): Promise<HeldBefore> =>
    heldBefore(input, file, { difference: differenceFor('', diceOf(platform)), dice: diceOf(platform), onBase, asked });
  const changedBefore = once(() => changedOnBase(heldAnyhow(subjects, first), onBase));
  const unasked: string[] = [];
  const runOn = (isBase: boolean, texts: ReadonlyMap<string, string>, variant: RunVariant): Promise<TestRun> =>
    run(isBase ? rooms.before : rooms.now, isBase ? input.base.tree : judged.tree, texts, variant);
  if (findings.length === 0 || input.thorough === true)
    findings.push(
      ...(await consultInTurn(input, [
        ['controls/changed', () => judgeChanged(subjects, first, changedBefore, before)],
        [
          'controls/copies',
          () => judgeCopies(subjects, first, { run: (texts) => run(rooms.now, judged.tree, texts), changedBefore, before }),
        ],
        [
          'controls/passing',
          () =>
            judgePassing(
              input,
              { subjects, plain, begun: passing?.begun.passing ?? null, caveats: unasked },
              (texts, { onBase, ...variant }) => runOn(onBase === true, texts, { forceExit: true, alone: true, ...variant }),
            ),
        ],
        ['controls/mutation-parity', () => keepForce(input, judged.tree, heldFiles(subjects, plain, first))],
        [
          'controls/exit-status',
          () =>
            askAboutStatus(input, subjects, {
              first,
              dice: diceOf(platform),
              run: (where, texts) => runOn(where === 'base', texts, {}),
            }),
        ],
      ])),
    );
  const count = subjects.reduce((sum, one) => sum + one.planted.mustFail.length, 0);
  const changed = subjects.reduce((sum, one) => sum + (one.changed?.count ?? 0), 0);
  const caveats = [
    ...(subjects.some((one) => one.isFeature && one.changed === null) ? ["no expected value in the feature's tests could be changed"] : []),
    ...unasked,
    ...blind.map((file) => `no control tests in ${file}: planted tests do not run normally there, not even on base`),
  ];
  const total = count + changed;
  const detail = `${findings.length === 0 ? `${total} of ${total} behaved as required` : `${total} planted`} in ${counted(subjects.length, 'file')}`;
  return { findings, detail, caveats, uncontrolled: uncontrolledIn(subjects, plain, first) };
}

/** Accepted files in which a test passed although everything that could be changed in it was. */
function heldFiles(subjects: readonly Subject[], plain: TestRun, run: TestRun): string[] {
  const failed = new Set(run.tests.filter(isFailure).map((test) => test.id));
  const holds = ({ file, changed }: Subject): boolean =>
    plain.tests.some((test) => test.file === file && test.status === 'passed' && (changed === null || !failed.has(test.id)));
  return subjects.filter((one) => !one.isFeature && holds(one)).map((one) => one.file);
}

function uncontrolledIn(subjects: readonly Subject[], plain: TestRun, run: TestRun): string[] {
  const failed = new Set(run.tests.filter(isFailure).map((test) => test.id));
  return subjects
    .filter((one) => one.isFeature)
    .flatMap(({ file, changed }) =>
      plain.tests.filter((test) => test.file === file && test.status === 'passed' && (changed === null || !failed.has(test.id))),
    )
    .map((test) => test.id);
}

async function prepareSubjects(input: Case, plain: TestRun): Promise<Subject[]> {
  const { platform, judged } = input;
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  const dice = diceOf(platform);
  const files = [...new Set([...own, ...changedTests(input, own), ...(await chooseReached(input, own, dice, mostAtThisPace(plain)))])];
  const subjects: Subject[] = [];
  for (const file of files) {
    const [text, before] = await Promise.all(
      [judged.tree, input.base.tree].map(async (tree) => (await input.trees.read(tree, file))?.toString('utf8')),
    );
    const planted = text === undefined ? null : plantControls({ text, path: file }, plain.runner, dice, before);
    const passing = text === undefined ? null : plantPassing({ text, path: file }, plain.runner, dice, before);
    if (text === undefined || planted === null || passing === null) continue;
    const reading = await readSource(platform, file, text);
    const names = nameMaker(text, languageOf(file)!, dice);
    const most = mostCopies(own.includes(file) ? 1 : files.length - own.length);
    const mutated =
      reading === null ? null : mutateTests(text, reading, differenceFor(text, dice), { calls: !own.includes(file), names, dice, most });
    const both =
      mutated === null || mutated.count === 0 ? null : plantControls({ text: mutated.text, path: file }, plain.runner, dice, before);
    subjects.push({
      file,
      text,
      reading,
      isFeature: own.includes(file),
      isAsBefore: text === before,
      planted,
      changed: both === null ? null : { ...mutated!, planted: both },
      passing,
    });
  }
  return subjects;
}

function diceOf(platform: Platform): Dice {
  return (limit) => Number.parseInt(platform.random.id(6), 16) % limit;
}

function differenceFor(text: string, dice: Dice): Difference {
  const word = lettersFrom(dice, 3 + dice(4));
  return text.includes(word) ? differenceFor(text, dice) : { word, offset: 1 + dice(5_000) };
}

async function runPlanted(
  input: OpenCase,
  { where, tree, texts, variant }: { where: RoomChoice; tree: string; texts: ReadonlyMap<string, string>; variant: RunVariant },
): Promise<TestRun> {
  const { platform } = input;
  const edits = [...texts].map(([path, content]): TreeEdit => ({ path, kind: 'write', content }));
  const request: SuiteInput = {
    ...input,
    ...where,
    tree: await input.trees.compose(tree, edits),
    files: [...texts.keys()],
    variant,
    purpose: 'controls',
    mixed: true,
  };
  return runSuite(platform, request);
}

/** Accepted files in which something held whatever it expects: they are asked on the code from before, all in one run. */
function heldAnyhow(subjects: readonly Subject[], first: TestRun): Subject[] {
  return subjects.filter((one) => !one.isFeature && (changedResults(one, first).holding.length > 0 || heldCopies(one, first).length > 0));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}

async function judgeChanged(
  subjects: readonly Subject[],
  run: TestRun,
  changedBefore: () => Promise<TestRun>,
  heldBefore: (file: string) => Promise<HeldBefore>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const subject of subjects) {
    const { known, holding } = changedResults(subject, run);
    if (holding.length === 0) continue;
    if (subject.isFeature) findings.push(...holdNow(subject, { known, holding }, await heldBefore(subject.file)));
    else findings.push(...compareOnBase(subject, holding, await changedBefore()));
  }
  return findings;
}

/** What held before the session, whatever it expected, is left out on both sides. */
function holdNow({ file }: Subject, { known, holding }: ChangedResults, before: HeldBefore): Finding[] {
  const subjects = holding.filter((title) => !before.test(title));
  if (subjects.length === 0) return [];
  const found = { check: 'controls', reason: 'test.not_red', subjects } as const;
  const decided = known - (holding.length - subjects.length);
  return decided > 0 && subjects.filter((title) => title !== UNTITLED).length === decided
    ? [
        {
          ...found,
          weight: 'reject',
          message: `the tests in ${file} still pass when their expected values are changed, so they prove nothing`,
        },
      ]
    : [{ ...found, weight: 'ask', message: `some tests in ${file} still pass when their expected values are changed` }];
}

/** Stands for all tests of a file whose names are worked out only when they run. */
const UNTITLED = '(tests with computed titles)';

interface ChangedResults {
  /** Changed tests whose results can be told. */
  known: number;
  /** Those among them that still pass. */
  holding: string[];
}

function changedResults({ file, changed }: Subject, run: TestRun): ChangedResults {
  if (changed === null) return { known: 0, holding: [] };
  const own = new Set([...changed.planted.mustFail, ...changed.planted.mustPass, WHOLE_FILE]);
  const isCopy = (name: string): boolean => changed.copies.some((copy) => isNamed(name, copy.name));
  const results = run.tests.filter((test) => test.file === file && !own.has(test.name) && !isCopy(test.name));
  const named = changed.titles
    .map((title) => ({ title, tests: results.filter((test) => isNamed(test.name, title)) }))
    .filter((one) => one.tests.length > 0);
  const holding = named.filter((one) => one.tests.some((test) => test.status === 'passed')).map((one) => one.title);
  const others = changed.untitled ? results.filter((test) => !changed.known.some((title) => isNamed(test.name, title))) : [];
  if (others.length > 0 && others.every((test) => test.status === 'passed')) holding.push(UNTITLED);
  return { known: named.length, holding };
}

function compareOnBase(subject: Subject, holding: readonly string[], run: TestRun): Finding[] {
  const before = changedResults(subject, run);
  const lost = holding.filter((title) => !before.holding.includes(title));
  if (lost.length === 0) return [];
  return [
    {
      check: 'controls',
      reason: 'regression',
      weight: 'reject',
      message: `tests in ${subject.file} that passed on base now pass even when their expected values are changed`,
      subjects: lost,
    },
  ];
}
