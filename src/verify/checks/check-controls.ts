/**
 * Controls: tests that must fail, run where the real ones run. A runner that does not report them as failed cannot be believed.
 *
 * 1. The feature's test file, and accepted test files that reach changed code, run with planted tests and with their own
 *    expectations changed. One run does both; where a planted test went missing in it, a second run without changed
 *    expectations decides.
 * 2. A planted test with the wrong result: refused. Tests of the feature that all hold whatever they expect: refused; some: asked.
 * 3. Accepted tests that cannot fail any more are compared with the code from before: what never could fail is not this session's fault.
 * 4. The same run again with planted tests that all must pass: there the tests themselves must pass. Code that behaves only where it
 *    knows that controls run fails one of the two.
 */
import { counted } from '../../domain/counted.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { Finding, RunnerName, TestResult, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgedTree } from './check-protected.ts';
import { chooseReached } from './check-reach.ts';
import type { JudgeInput, SuiteInput } from '../contract.ts';
import type { CheckResult } from '../docket.ts';
import { copyWithLeaves } from './leaf-copies.ts';
import { languageOf } from '../source/mask.ts';
import { mutateTests, type Difference, type MutatedTests } from './mutate.ts';
import { lettersFrom, nameMaker, plantControls, plantPassing, type Dice, type PlantedTests } from './plant.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { runSuite } from '../run/suite.ts';
import { isNamed } from '../source/test-cases.ts';

interface Subject {
  file: string;
  isFeature: boolean;
  planted: PlantedTests;
  /** With expectations changed as well; null where nothing could be changed. */
  changed: (Omit<MutatedTests, 'text'> & { planted: PlantedTests }) | null;
  /** As it is, beside planted tests that pass. */
  passing: PlantedTests;
}

const DEEP: ReadonlySet<RunnerName> = new Set(['node:test', 'vitest', 'jest', 'pytest']);

export async function checkControls(platform: Platform, input: JudgeInput, judged: JudgedTree, plain: TestRun): Promise<CheckResult> {
  if (!DEEP.has(plain.runner))
    return {
      findings: [],
      detail: 'controls cannot be planted for this runner',
      skipped: true,
      caveats: ['no controls: the harness cannot write tests for this runner'],
    };
  const subjects = await prepareSubjects(platform, input, judged, plain);
  if (subjects.length === 0)
    return {
      findings: [],
      detail: 'no test file in which controls could be planted',
      skipped: true,
      caveats: input.mode === 'feature' ? ['no controls: the test file is in a language that the harness cannot write'] : [],
    };
  const timeoutMs = Math.min(input.timeoutMs ?? Number.MAX_SAFE_INTEGER, 15_000 + plain.duration_ms * 4);
  const run = (room: string, tree: string, texts: ReadonlyMap<string, string>, forceExit = true): Promise<TestRun> =>
    runPlanted(platform, { ...input, timeoutMs }, { room, tree, texts, forceExit });
  const first = await run('judge', judged.tree, new Map(subjects.map((one) => [one.file, (one.changed?.planted ?? one.planted).text])));
  const findings: Finding[] = [];
  const unsure = subjects.filter((one) => wrongResults(one.file, one.changed?.planted ?? one.planted, first).length > 0);
  if (unsure.length > 0) {
    const second = await run('judge', judged.tree, new Map(unsure.map((one) => [one.file, one.planted.text])), false);
    findings.push(...unsure.flatMap((one) => judgePlanted(one, second)));
  }
  if (findings.length === 0) findings.push(...(await judgeChanged(subjects, first, (texts) => run('contract', input.base.tree, texts))));
  if (findings.length === 0)
    findings.push(...(await judgeLeaves(platform, input, judged, subjects, (texts) => run('judge', judged.tree, texts))));
  if (findings.length === 0) findings.push(...(await judgePassing(input, subjects, plain, (texts) => run('judge', judged.tree, texts))));
  const count = subjects.reduce((sum, one) => sum + one.planted.mustFail.length, 0);
  const changed = subjects.reduce((sum, one) => sum + (one.changed?.count ?? 0), 0);
  const caveats = subjects.some((one) => one.isFeature && one.changed === null)
    ? ["no expectation of the feature's tests could be changed for a control"]
    : [];
  return { findings, detail: `${count} planted tests and ${changed} changed ones in ${counted(subjects.length, 'file')}`, caveats };
}

async function prepareSubjects(platform: Platform, input: JudgeInput, judged: JudgedTree, plain: TestRun): Promise<Subject[]> {
  const own = input.mode === 'feature' ? input.feature?.test_file : undefined;
  const dice = diceOf(platform);
  const files = [...(own === undefined ? [] : [own]), ...(await chooseReached(input, judged, own, dice))];
  const subjects: Subject[] = [];
  for (const file of files) {
    const text = (await input.trees.read(judged.tree, file))?.toString('utf8');
    const planted = text === undefined ? null : plantControls(text, file, plain.runner, dice);
    const passing = text === undefined ? null : plantPassing(text, file, plain.runner, dice);
    if (text === undefined || planted === null || passing === null) continue;
    const mutated = mutateTests(text, file, differenceFor(text, dice), { calls: file !== own });
    const both = mutated === null || mutated.count === 0 ? null : plantControls(mutated.text, file, plain.runner, dice);
    subjects.push({ file, isFeature: file === own, planted, changed: both === null ? null : { ...mutated!, planted: both }, passing });
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
  platform: Platform,
  input: JudgeInput,
  { room, tree, texts, forceExit }: { room: string; tree: string; texts: ReadonlyMap<string, string>; forceExit: boolean },
): Promise<TestRun> {
  const edits = [...texts].map(([path, content]): TreeEdit => ({ path, kind: 'write', content }));
  const request: SuiteInput = {
    ...input,
    tree: await input.trees.compose(tree, edits),
    files: [...texts.keys()],
    room,
    variant: forceExit ? { forceExit } : {},
    purpose: 'controls',
    mixed: true,
  };
  return runSuite(platform, request);
}

interface WrongResult {
  name: string;
  got: string;
}

function wrongResults(file: string, planted: PlantedTests, run: TestRun): WrongResult[] {
  const results = new Map<string, TestResult>();
  for (const test of run.tests) if (test.file === file) results.set(test.name, test);
  const check = (name: string, wanted: string): WrongResult[] => {
    const got = results.get(name)?.status ?? 'missing';
    return got === wanted ? [] : [{ name, got }];
  };
  return [...planted.mustFail.flatMap((name) => check(name, 'failed')), ...planted.mustPass.flatMap((name) => check(name, 'passed'))];
}

const UNREADABLE = /SyntaxError|Transform failed|Parse failure|Unexpected token|PARSE_ERROR|has already been declared|IndentationError/;

function judgePlanted(subject: Subject, run: TestRun): Finding[] {
  const wrong = wrongResults(subject.file, subject.planted, run);
  if (wrong.length === 0) return [];
  const whole = run.tests.find((test) => test.file === subject.file && test.name === WHOLE_FILE);
  if (whole !== undefined && UNREADABLE.test(whole.message ?? '')) {
    return [
      {
        check: 'controls',
        reason: 'tamper.toolchain',
        weight: 'ask',
        message: `the harness could not write a test of its own into ${subject.file}, so it cannot vouch for its results`,
        subjects: [subject.file],
      },
    ];
  }
  const [total, count] = [subject.planted.mustFail.length + subject.planted.mustPass.length, wrong.length];
  const seen = [...new Set(wrong.map((one) => one.got))].join(', ');
  return [
    {
      check: 'controls',
      reason: 'tamper.toolchain',
      weight: 'reject',
      message: `${count} of ${total} known tests beside those of ${subject.file} did not get the result they must have, so its results prove nothing`,
      subjects: [`${subject.file}: ${seen}`],
    },
  ];
}

async function judgeChanged(
  subjects: readonly Subject[],
  run: TestRun,
  onBase: (texts: ReadonlyMap<string, string>) => Promise<TestRun>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const subject of subjects) {
    const { known, holding } = changedResults(subject, run);
    if (holding.length === 0) continue;
    if (!subject.isFeature) findings.push(...(await compareOnBase(subject, holding, onBase)));
    else if (known > 0 && holding.filter((title) => title !== UNTITLED).length === known)
      findings.push({
        check: 'controls',
        reason: 'test.not_red',
        weight: 'reject',
        message: `the tests of ${subject.file} pass whatever they expect, so they prove nothing`,
        subjects: holding,
      });
    else
      findings.push({
        check: 'controls',
        reason: 'test.not_red',
        weight: 'ask',
        message: `some tests of ${subject.file} pass whatever they expect`,
        subjects: holding,
      });
  }
  return findings;
}

/** Stands for all tests of a file whose names are worked out only when they run. */
const UNTITLED = '(tests with computed titles)';

/** Changed tests whose results can be told, and those among them that still pass. */
function changedResults({ file, changed }: Subject, run: TestRun): { known: number; holding: string[] } {
  if (changed === null) return { known: 0, holding: [] };
  const own = new Set([...changed.planted.mustFail, ...changed.planted.mustPass, WHOLE_FILE]);
  const results = run.tests.filter((test) => test.file === file && !own.has(test.name));
  const named = changed.titles
    .map((title) => ({ title, tests: results.filter((test) => isNamed(test.name, title)) }))
    .filter((one) => one.tests.length > 0);
  const holding = named.filter((one) => one.tests.some((test) => test.status === 'passed')).map((one) => one.title);
  const others = changed.untitled ? results.filter((test) => !changed.known.some((title) => isNamed(test.name, title))) : [];
  if (others.length > 0 && others.every((test) => test.status === 'passed')) holding.push(UNTITLED);
  return { known: named.length, holding };
}

/**
 * The tests themselves, in a run that code cannot tell from the one in which they had to fail; accepted ones then without the
 * feature's beside them, so that its code cannot mend for a moment what it broke. Twice, because of flakes.
 */
async function judgePassing(
  input: JudgeInput,
  subjects: readonly Subject[],
  plain: TestRun,
  run: (texts: ReadonlyMap<string, string>) => Promise<TestRun>,
): Promise<Finding[]> {
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const lostOnce = async (some: readonly Subject[]): Promise<string[]> => {
    const { tests } = await run(new Map(some.map((one) => [one.file, one.passing.text])));
    const passed = new Set(tests.filter((test) => test.status === 'passed').map((test) => test.id));
    const isWanted = (test: TestResult): boolean =>
      some.some((one) => one.file === test.file && (one.isFeature || baseline.has(test.id))) && test.status === 'passed';
    return plain.tests.filter((test) => isWanted(test) && !passed.has(test.id)).map((test) => test.id);
  };
  const lost = async (some: readonly Subject[]): Promise<string[]> => {
    const first = some.length === 0 ? [] : await lostOnce(some);
    return first.length === 0 ? [] : (await lostOnce(some)).filter((id) => first.includes(id));
  };
  const ask = (message: string, ids: readonly string[]): Finding[] =>
    ids.length === 0 ? [] : [{ check: 'controls', reason: 'tamper.toolchain', weight: 'ask', message, subjects: ids.slice(0, 50) }];
  const together = await lost(subjects);
  if (together.length > 0)
    return ask('tests that passed do not pass in a run like that of the controls, with other tests beside them', together);
  const accepted = subjects.filter((one) => !one.isFeature);
  return accepted.length === subjects.length
    ? []
    : ask("tests that counted before pass only together with the feature's tests", await lost(accepted));
}

/** The feature's tests with one expected value changed at a time. */
async function judgeLeaves(
  platform: Platform,
  input: JudgeInput,
  judged: JudgedTree,
  subjects: readonly Subject[],
  run: (texts: ReadonlyMap<string, string>) => Promise<TestRun>,
): Promise<Finding[]> {
  const file = subjects.find((one) => one.isFeature)?.file;
  const text = file === undefined ? undefined : (await input.trees.read(judged.tree, file))?.toString('utf8');
  if (file === undefined || text === undefined) return [];
  const dice = diceOf(platform);
  const made = copyWithLeaves(text, file, differenceFor(text, dice), nameMaker(text, languageOf(file) ?? 'javascript', dice));
  if (made === null) return [];
  const { tests } = await run(new Map([[file, made.text]]));
  const held = [...made.copies].filter(([name]) => tests.some((test) => test.status === 'passed' && isNamed(test.name, name)));
  if (held.length === 0) return [];
  const subjectsOf = [...new Set(held.map(([, { title, value }]) => `${title}: ${value}`))];
  const isAll = held.length === made.copies.size;
  return [
    {
      check: 'controls',
      reason: 'test.not_red',
      weight: isAll ? 'reject' : 'ask',
      message: isAll
        ? `the tests of ${file} pass whatever they expect, so they prove nothing`
        : `some tests of ${file} pass as well where one of the values that they expect is another`,
      subjects: subjectsOf.slice(0, 50),
    },
  ];
}

async function compareOnBase(
  subject: Subject,
  holding: readonly string[],
  onBase: (texts: ReadonlyMap<string, string>) => Promise<TestRun>,
): Promise<Finding[]> {
  const before = changedResults(subject, await onBase(new Map([[subject.file, subject.changed!.planted.text]])));
  const lost = holding.filter((title) => !before.holding.includes(title));
  if (lost.length === 0) return [];
  return [
    {
      check: 'controls',
      reason: 'regression',
      weight: 'reject',
      message: `tests of ${subject.file} that passed before the session pass now whatever they expect`,
      subjects: lost,
    },
  ];
}
