/** The feature's tests on the code from before the session, and on its own code made wrong. */
import { counted } from '../../domain/counted.ts';
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { fileOf, type Finding, type TestResult, type TestRun } from '../../domain/verdict.ts';
import type { Case, JudgedTree, OpenCase } from '../case.ts';
import { checkMatter, touch, wrongnessOf, type Matter, type MatterRequest } from './check-matter.ts';
import type { Check, CheckResult, Facts } from '../check.ts';
import { passingElsewhere } from './check-repeat.ts';
import { hasProof, plainRunOf } from './plain-run.ts';
import { singleTests } from '../runners/registry.ts';
import { consult, isOff, isOpen, type InstrumentId } from '../instruments.ts';
import { cannotLoadOnBase } from './missing-import.ts';
import { bodiesOf } from './moves.ts';
import { codeWithTests } from './own-tests.ts';
import { comparingOwn, expectsOnlyOwn } from './own-expectations.ts';
import { compareRed } from './red.ts';
import { redByHelpers } from './red-by-helpers.ts';
import { runSuite } from '../run/suite.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import { collectedFiles, testSideOf, type TestSide } from './test-side.ts';
import { notForEver, wrongEverywhere } from './wrong-everywhere.ts';
import { writtenAnswers } from './written-answers.ts';

export const RED: Check = {
  id: 'red',
  title: 'red→green',
  weight: 'reject',
  cost: 'trial',
  ends: true,
  applies: (judged, facts) => judged.settings.verification.red_check && hasProof(judged, facts),
  run: async (judged, facts) => {
    const { result, redToGreen, unmoved, repeated } = await askRed(judged, facts);
    return { ...result, facts: { red: { redToGreen, unmoved, repeated } } };
  },
  early: {
    applies: ({ feature, settings }, facts) =>
      settings.verification.red_check &&
      (facts.feature?.run.tests ?? []).every((test) => !testFilesOf(feature).includes(test.file) || test.status === 'passed'),
    key: async (judged, facts) => {
      const isOfTests = testSide(judged, facts);
      const ofTests = judged.judged.changes.filter(({ path }) => isOfTests(path)).map(({ path }) => path);
      return JSON.stringify([newlyGreen(facts).toSorted(), ofTests]);
    },
  },
  doc: "At least one of the feature's tests fails on base, and the tests fail when the new code returns wrong values.",
};

/** Tests of the feature that passed, without those that only moved. */
function newlyGreen({ feature, regression }: Facts): string[] {
  const moved = new Set(regression?.moves.values());
  return (feature?.green ?? []).filter((id) => !moved.has(id));
}

function testSide(judged: Case, { feature, suite }: Facts): TestSide {
  return testSideOf(collectedFiles(judged, [suite?.suite ?? null, feature?.run ?? null]));
}

/** The run in which the code is touched without being made wrong also repeats the tests elsewhere, in another order and at another date. */
async function askRed(judged: Case, facts: Facts): Promise<RedCheck & { repeated: readonly string[] }> {
  const plain = await plainRunOf(judged, facts);
  const repeated = new Set<string>();
  const elsewhere = async (run: TestRun, edits: readonly TreeEdit[]): Promise<ReadonlySet<string>> => {
    const passed = await passingElsewhere(judged, run, edits);
    for (const id of passed) repeated.add(id);
    return passed;
  };
  const checked = await checkRed(judged, {
    green: newlyGreen(facts),
    isOfTests: testSide(judged, facts),
    duration: plain?.duration_ms ?? 0,
    elsewhere: plain === null || singleTests(plain.runner) === null ? undefined : (edits) => elsewhere(plain, edits),
  });
  return { ...checked, repeated: [...repeated] };
}

interface RedRequest {
  /** Tests of the feature that passed on the candidate. */
  green: readonly string[];
  isOfTests: TestSide;
  /** How long the feature's tests took. */
  duration: number;
  elsewhere?: MatterRequest['elsewhere'];
}

interface RedCheck {
  result: CheckResult;
  redToGreen: string[];
  /** Tests that never fell, whatever the session's code gave. */
  unmoved: string[];
}

/** New tests on old code: they must fail there; and on the new code made wrong, so that it is not only something missing that they notice. */
async function checkRed(input: Case, request: RedRequest): Promise<RedCheck> {
  const { platform, judged } = input;
  const files = testFilesOf(input.feature);
  const known = new Set(input.baseline?.passing_tests ?? []);
  const isMissed = !request.green.some((id) => known.has(id)) && (await cannotLoadOnBase(input, { files, isOfTests: request.isOfTests }));
  const compared = async (helpers: readonly string[]): Promise<ReturnType<typeof compareRed>> => {
    if (isMissed) return compareRed({ green: request.green, before: [], baseline: known });
    const tree = await input.trees.compose(input.base.tree, testsOf(input, [...files, ...helpers], request.isOfTests));
    const before = await runSuite(platform, { ...input, tree, files, room: 'base', variant: { alone: true }, purpose: 'red', mixed: true });
    const baseline = await heldOnBase(input, request.green, before.tests);
    return compareRed({ green: request.green, before: before.tests, baseline });
  };
  const isTouched = request.elsewhere !== undefined && !isOff(input, 'matter');
  const touched = isTouched ? touch(input, request) : undefined;
  // Beside the run on the code from before. Whichever is ended first, somebody hears of the other, and nothing is left running.
  const settled = Promise.allSettled([touched]);
  const plain = await compared([]).catch(async (error: unknown) => {
    await settled;
    throw error;
  });
  // What a test asks may stand in what it relies on.
  const { redToGreen, alreadyGreen } = plain.redToGreen.length > 0 || judged.helpers.length === 0 ? plain : await compared(judged.helpers);
  const matter = await checkMatter(input, { ...request, files, wanted: redToGreen, touched });
  await settled;
  const unmoved = redToGreen.filter((id) => !matter.fell.includes(id) && !matter.touchy.includes(id));
  const elsewhere = redToGreen.length === 0 ? await redByHelpers(input) : [];
  const holding = codeWithTests(request.green);
  const isInCode = request.green.length > 0 && request.green.every((id) => holding.has(fileOf(id)));
  const facts = { ...request, redToGreen, alreadyGreen, elsewhere, unmoved, applied: matter.applied, isInCode };
  const findings = redFindings(namesOfFiles(files), facts);
  const next = async (id: InstrumentId, find: () => Promise<Finding[]> | Finding[]): Promise<void> => {
    findings.push(...(await consult(input, id, find)));
  };
  await weakFindings(namesOfFiles(files), matter, next);
  if (isOpen(input, findings) && unmoved.length > 0)
    await next('red/unreached', () => unreachedFindings(input, { files, unmoved, proved: redToGreen.length - unmoved.length }));
  if (isOpen(input, findings) && unmoved.length * 2 > redToGreen.length)
    await next('red/own-expectations', async () => {
      const own = await comparingOwn(input, files, unmoved);
      return own.length * 2 > redToGreen.length ? [ownFinding(namesOfFiles(files), own)] : [];
    });
  if (isOpen(input, findings)) await next('red/idle-files', () => idleFindings(judged, files, redToGreen, unmoved));
  if (findings.length === 0 || input.thorough === true)
    await next('red/own-expectations', async () => {
      const owns = await Promise.all(files.map((file) => expectsOnlyOwn(input, file)));
      const ofFile = (file: string): string[] => redToGreen.filter((id) => fileOf(id) === file);
      return files.filter((_file, at) => owns[at]).map((file) => ownFinding(file, ofFile(file)));
    });
  if (isOpen(input, findings))
    await next('red/written-answers', () => writtenAnswers(input, { red: redToGreen, isOfTests: request.isOfTests }));
  const proved = redToGreen.length - unmoved.length;
  return {
    result: {
      findings,
      detail: redLine({ green: request.green.length, red: redToGreen.length, proved, isMissed }),
    },
    redToGreen: redToGreen.filter((id) => !unmoved.includes(id)),
    unmoved,
  };
}

/** `3 of 3 fail on base (module missing) and fail on mutated code`. */
function redLine({ green, red, proved, isMissed }: { green: number; red: number; proved: number; isMissed: boolean }): string {
  const fail = (count: number): string => (count === 1 ? 'fails' : 'fail');
  const onBase = `${red} of ${green} ${fail(red)} on base${isMissed ? ' (module missing)' : ''}`;
  if (red === 0) return onBase;
  return proved === red ? `${onBase} and ${fail(red)} on mutated code` : `${onBase}, ${proved} of them on mutated code`;
}

/** What tests notice that is not worth what it seems. */
async function weakFindings(
  file: string,
  { touchy, isLoose, isIdle, fell }: Matter,
  next: (id: InstrumentId, find: () => Finding[]) => Promise<void>,
): Promise<void> {
  const ask = (message: string, subjects: readonly string[]): Finding => ({
    check: 'red',
    reason: 'test.not_red',
    weight: 'ask',
    message,
    subjects: subjects.slice(0, 50),
  });
  if (touchy.length > 0)
    await next('red/touchy', () => [
      ask(`tests in ${file} also fail when the new code is rewritten without changing what it does, so they prove nothing`, touchy),
    ]);
  if (isLoose)
    await next('red/loose', () => [ask(`no test in ${file} fails when numbers are off by one, only when they are far off`, fell)]);
  if (isIdle) await next('red/idle', () => [ask(`the tests in ${file} also pass when the changed code does nothing`, fell)]);
}

/**
 * Of tests that hold whatever the session's code gives: those that come to no code of the project at all. Classes and values that they look at
 * have no body that would tell. A few beside tests that prove something are told; where they are more than those, a person is asked.
 */
async function unreachedFindings(
  input: Case,
  { files, unmoved, proved }: { files: readonly string[]; unmoved: readonly string[]; proved: number },
): Promise<Finding[]> {
  const { platform, judged } = input;
  let unreached = unmoved;
  for (const kind of ['thrown', 'hollow'] as const) {
    if (unreached.length === 0) return [];
    const edits = await wrongEverywhere(input, judged.tree, { files, wrongness: wrongnessOf(platform, kind) });
    if (edits.length === 0) continue;
    const tree = await input.trees.compose(judged.tree, edits);
    const run = await runSuite(platform, {
      ...input,
      ...notForEver(input),
      tree,
      files,
      room: 'base',
      variant: { forceExit: true, alone: true },
      purpose: 'wrong',
      mixed: true,
    });
    const passed = new Set(run.tests.filter((test) => test.status === 'passed').map((test) => test.id));
    unreached = unreached.filter((id) => passed.has(id));
  }
  const looking = unreached.length === 0 ? new Set<string>() : await lookingAtThings(input, judged.tree, files);
  const held = unreached.filter((id) => !looking.has(id));
  if (held.length === 0) return [];
  const message = `${counted(held.length, 'test')} in ${namesOfFiles(files)} ${held.length === 1 ? 'reaches' : 'reach'} no code of the project`;
  const weight = held.length > proved ? 'ask' : 'warn';
  return [{ check: 'red', reason: 'test.not_red', weight, message, subjects: held.slice(0, 50) }];
}

/** Ids of tests whose text names something that they import and that is no function, as far as names tell: those begin with a capital. */
async function lookingAtThings({ platform, trees }: OpenCase, tree: string, files: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of files) {
    const text = (await trees.read(tree, file))?.toString('utf8') ?? '';
    const reading = await readSource(platform, file, text);
    const things = (reading?.imports ?? []).flatMap((one) => one.locals).filter((name) => /^[A-Z]/.test(name));
    for (const test of reading?.tests ?? [])
      if (things.some((name) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text.slice(test.start, test.end))))
        for (const title of test.title ?? []) found.add(`${file}::${title}`);
  }
  return found;
}

/** Tests of the baseline that say what they said. Of one that was rewritten in a file that old code cannot load, the failure to load is the answer. */
async function heldOnBase(input: Case, green: readonly string[], before: readonly TestResult[]): Promise<Set<string>> {
  const { platform, judged } = input;
  const known = new Set(input.baseline?.passing_tests ?? []);
  const told = new Set(before.map((test) => test.id));
  const untold = green.filter((id) => known.has(id) && !told.has(id));
  if (untold.length === 0) return known;
  if (isUnread(input)) return new Set([...known].filter((id) => !untold.includes(id)));
  const [then, now] = [
    await bodiesOf(platform, input.trees, input.base.tree, untold),
    await bodiesOf(platform, input.trees, judged.tree, untold),
  ];
  for (const id of untold) if (then.has(id) && now.has(id) && then.get(id) !== now.get(id)) known.delete(id);
  return known;
}

/** The session changed test files in a language whose tests are not read: which of them say what they said cannot be told. */
function isUnread({ feature, judged: { changes } }: Case): boolean {
  const changed = testFilesOf(feature).filter((file) => changes.some((change) => change.path === file && change.to !== null));
  return changed.some((file) => languageOf(file) === null);
}

function ownFinding(file: string, subjects: readonly string[]): Finding {
  const message = `tests in ${file} take all their expected values from the code under test`;
  return { check: 'red', reason: 'test.not_red', weight: 'ask', message, subjects: subjects.slice(0, 50) };
}

interface RedFacts {
  green: readonly string[];
  redToGreen: readonly string[];
  alreadyGreen: readonly string[];
  /** Tests of other files that were red because of what they rely on. */
  elsewhere: readonly string[];
  unmoved: readonly string[];
  applied: number;
  /** All of them stand in files of the product: whoever brings the tests brings the code. */
  isInCode: boolean;
}

function redFindings(file: string, { green, redToGreen, alreadyGreen, elsewhere, unmoved, applied, isInCode }: RedFacts): Finding[] {
  const make = (weight: Finding['weight'], message: string, subjects: readonly string[]): Finding => ({
    check: 'red',
    reason: 'test.not_red',
    weight,
    message,
    subjects: subjects.slice(0, 50),
  });
  if (elsewhere.length > 0)
    return [make('ask', `no test in ${file} fails on base; with a changed helper, tests in other files do`, elsewhere)];
  if (redToGreen.length === 0 && isInCode)
    return [make('ask', `the tests in ${file} are part of a source file, so they cannot run on base`, green)];
  if (redToGreen.length === 0)
    return [make('reject', `no test in ${file} fails on base, so none shows that the feature was missing`, green)];
  if (unmoved.length === redToGreen.length)
    return applied === 0
      ? [make('ask', `the change could not be mutated, so it is unknown whether the tests in ${file} test it`, unmoved)]
      : [make('reject', `the tests in ${file} still pass when the new code returns wrong values, so they do not test it`, unmoved)];
  if (alreadyGreen.length === 0) return [];
  return [
    make(
      'warn',
      `${counted(alreadyGreen.length, 'test')} in ${file} also ${alreadyGreen.length === 1 ? 'passes' : 'pass'} on base`,
      alreadyGreen,
    ),
  ];
}

/** Of several files, those that the session wrote and that show nothing by themselves: none of their tests was red, or none notices wrong code. */
function idleFindings(judged: JudgedTree, files: readonly string[], redToGreen: readonly string[], unmoved: readonly string[]): Finding[] {
  const written = new Set(judged.changes.filter((change) => change.to !== null).map((change) => change.path));
  const proving = new Set(redToGreen.filter((id) => !unmoved.includes(id)).map(fileOf));
  const known = redToGreen.map(fileOf).filter((file) => files.includes(file));
  const idle = known.length === 0 ? [] : files.filter((file) => written.has(file) && !proving.has(file));
  if (idle.length === 0) return [];
  const message = `of the ${files.length} test files of the feature, ${namesOfFiles(idle)} ${idle.length === 1 ? 'proves' : 'prove'} nothing about it`;
  return [{ check: 'red', reason: 'test.not_red', weight: 'ask', message, subjects: idle.slice(0, 50) }];
}

/** The feature's test files and what was added beside it for tests; and what the session said about itself, so that no test is red for want of it. */
function testsOf(input: Case, files: readonly string[], isOfTests: TestSide): TreeEdit[] {
  const { judged } = input;
  const said = [input.settings.paths.features, input.settings.paths.progress];
  const left = new Set(judged.edits.map((edit) => edit.path));
  return judged.changes.flatMap((change): TreeEdit[] => {
    const wanted = files.includes(change.path) || said.includes(change.path) || (change.status === 'added' && isOfTests(change.path));
    return wanted && change.to !== null && !left.has(change.path) ? [{ path: change.path, kind: 'entry', entry: change.to }] : [];
  });
}
