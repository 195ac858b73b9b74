/**
 * What has to pass again elsewhere, and how it is run there.
 *
 * The two runs differ from each other on purpose: one is as a person would start the code, without marks of a test run and in a place that is none of
 * the harness's; the other has the marks, and another order and date. What is right in the first is right where people use it.
 */
import { posix } from 'node:path';
import { cleanText } from '../../domain/clean-text.ts';
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import { MANY_FILES, type TreeEdit } from '../../domain/tree.ts';
import { describeTest, fileOf, type Finding, type TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case, JudgedTree, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { reverseTests } from '../run/test-order.ts';
import { singleTests } from '../runners/registry.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import type { RunVariant } from '../runners/runner.ts';
import { maskSource } from '../source/mask.ts';
import { readSource } from '../source/read-source.ts';
import { applyEdits, languageOf } from '../source/source.ts';
import { chooseReached } from './check-reach.ts';
import { firstItem } from '../../domain/items.ts';
import { mustHave } from '../../domain/must-have.ts';

/** The feature's own test files, and accepted ones that reach what was changed. */
export async function filesToRepeat(input: Case): Promise<string[]> {
  const { platform } = input;
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  return [...own, ...(await chooseReached(input, own, (limit) => Number.parseInt(platform.random.id(6), 16) % limit))];
}

/** Another order: by the runner where it has one, else by turning the texts of the feature's tests around. */
export function orderOf(
  platform: Platform,
  plain: TestRun,
): { variant: RunVariant; tree(input: JudgeInput, judged: Pick<JudgedTree, 'tree'>): Promise<string> } {
  const isReversed = singleTests(plain.runner)?.order === 'reversed';
  return {
    variant: isReversed ? {} : { shuffleSeed: 1 + (Number.parseInt(platform.random.id(3), 16) % 1_000_000) },
    tree: async (input, judged) => (isReversed ? reversedTree({ ...input, platform }, judged, testFilesOf(input.feature)) : judged.tree),
  };
}

async function reversedTree(input: OpenCase, judged: Pick<JudgedTree, 'tree'>, files: readonly string[]): Promise<string> {
  const { platform } = input;
  const edits: TreeEdit[] = [];
  for (const path of files) {
    const text = (await input.trees.read(judged.tree, path))?.toString('utf8') ?? '';
    const reading = await readSource(platform, path, text);
    const reversed = reading === null ? text : reverseTests(text, reading);
    if (reversed !== text) edits.push({ path, kind: 'write', content: reversed });
  }
  return edits.length === 0 ? judged.tree : input.trees.compose(judged.tree, edits);
}

const DAYS = { near: [2, 330], far: [366, 3_000] } as const;

const DAY_MS = 24 * 3_600_000;

/**
 * How far ahead another date is: within a year or beyond it, on a day that nobody can guess, and at another hour. It is a Sunday: code that minds
 * the day of the week minds that one, and sessions are at work on all others.
 */
export function anotherDate(platform: Platform, distance: keyof typeof DAYS): number {
  const [least, most] = DAYS[distance];
  const ahead = (least + (Number.parseInt(platform.random.id(4), 16) % (most - least))) * DAY_MS + 7 * 3_600_000;
  const weekday = new Date(platform.clock.now() + ahead).getUTCDay();
  return ahead + ((7 - weekday) % 7) * DAY_MS;
}

/** Beside the rooms of controls and of wrong code, which are used at the same time. */
export const NEUTRAL_ROOM = 'neutral';
/** Where controls run while the suite still does, those that must fail and those that must pass; a project with many files has no rooms for that. */
export const CONTROLS_ROOMS = ['controls', 'passing'] as const;

export function hasControlsRooms(files: readonly unknown[]): boolean {
  return files.length < MANY_FILES;
}

/** Where programs ask that are no tests, beside the run without marks; red and wrong code, which use it too, are done early. */
export const PROGRAM_ROOM = 'base';

export interface Renamed {
  tree: string;
  files: string[];
  /** From the new path to the old one. */
  original: ReadonlyMap<string, string>;
}

/** Beside each test file a copy whose name says nothing, where the runner takes any file; not where results are stored by name. */
export async function renameTests(
  input: JudgeInput,
  judged: Pick<JudgedTree, 'tree'>,
  {
    plain,
    files,
    suffix,
    textOf = withName,
  }: { plain: TestRun; files: readonly string[]; suffix: () => string; textOf?: (text: string, from: string, to: string) => string },
): Promise<Renamed> {
  const original = new Map<string, string>();
  const edits: TreeEdit[] = [];
  const takesAny = singleTests(plain.runner)?.takesAnyName === true;
  for (const file of takesAny ? files : []) {
    const content = (await input.trees.read(judged.tree, file))?.toString('utf8');
    if (content === undefined || /snapshot|datadir/i.test(content)) continue;
    const path = posix.join(posix.dirname(file), plainName(posix.basename(file), suffix()));
    original.set(path, file);
    edits.push({ path, kind: 'write', content: textOf(content, file, path) });
  }
  const names = new Map([...original].map(([path, file]) => [file, path]));
  return {
    tree: edits.length === 0 ? judged.tree : await input.trees.compose(judged.tree, edits),
    files: files.map((file) => names.get(file) ?? file),
    original,
  };
}

/**
 * A file that names itself, also within a pattern, names itself by its new name: what it expects of its own place stays true. Another file of the
 * same name in another folder keeps its own. `from` and `to` are paths in one folder.
 */
export function withName(text: string, from: string, to: string): string {
  const inPattern = (name: string): string => name.replaceAll('.', '\\.');
  const [old, now] = [posix.basename(from), posix.basename(to)];
  const folders = new Set(['.', posix.basename(posix.dirname(from))]);
  const rename = (all: string, name: string, other: string): string =>
    all.split(name).reduce((before, after) => `${before}${isElsewhere(before, folders) ? name : other}${after}`);
  return rename(rename(text, old, now), inPattern(old), inPattern(now));
}

/** The text before a name is a path to another folder. */
function isElsewhere(before: string, folders: ReadonlySet<string>): boolean {
  const folder = /([\w.@~-]+)\\?\/$/.exec(before.slice(-200))?.[1];
  return folder !== undefined && !folders.has(folder);
}

/** What a file asks about its own place has the answer that it had: only others see the new name. */
export function asIfNamed(text: string, path: string): string {
  const name = posix.basename(path);
  const language = mustHave(languageOf(name), 'only files of known languages get another name');
  const mask = maskSource(text, language);
  const beside = JSON.stringify(`./${name}`);
  const answers: [RegExp, string][] =
    language === 'python'
      ? [
          [
            /(?<![\w.])__file__(?!\s*=)\b/g,
            `(__import__('os').path.join(__import__('os').path.dirname(__file__), ${JSON.stringify(name)}))`,
          ],
        ]
      : [
          [/\bimport\.meta\.url\b/g, `new URL(${beside}, import.meta.url).href`],
          [/\bimport\.meta\.filename\b/g, `(import.meta.dirname + ${JSON.stringify(`/${name}`)})`],
          [/(?<![\w.$])__filename\b/g, `(__dirname + ${JSON.stringify(`/${name}`)})`],
        ];
  const edits = answers.flatMap(([pattern, answer]) =>
    [...mask.matchAll(pattern)].map((match) => ({ at: match.index, length: match[0].length, text: answer })),
  );
  return applyEdits(text, edits);
}

function plainName(name: string, suffix: string): string {
  const at = name.lastIndexOf('.');
  const stem = name.slice(0, at).replace(/[._-]?(?:tests?|specs?)(?=$|[._-])|^tests?[._-]/gi, '') || 'module';
  return `${stem}_${suffix}${name.slice(at)}`;
}

export function restoreNames(run: TestRun, names: Renamed): TestRun {
  const tests = run.tests.map((test) => {
    const file = names.original.get(test.file);
    if (file === undefined) return test;
    const own = (told: string): string => told.replaceAll(posix.basename(test.file), posix.basename(file));
    return { ...test, file, name: own(test.name), id: `${file}${own(test.id.slice(test.file.length))}` };
  });
  return { ...run, tests };
}

/** What has to pass again: the tests of these files that passed in the plain run, those of the baseline among accepted files. */
export function wantedFrom(plain: TestRun, input: JudgeInput, files: readonly string[]): string[] {
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  return plain.tests
    .filter((test) => test.status === 'passed' && files.includes(test.file) && (own.includes(test.file) || baseline.has(test.id)))
    .map((test) => test.id);
}

export function lostIn(run: TestRun, wanted: readonly string[]): string[] {
  const results = new Map(run.tests.map((test) => [test.id, test]));
  return wanted
    .filter((id) => results.get(id)?.status !== 'passed')
    .map((id) => {
      const test = results.get(id);
      return test === undefined ? `${id} (not run${run.problems.length > 0 ? `: ${firstItem(run.problems)}` : ''})` : describeTest(test);
    });
}

export function bounded(input: JudgeInput, plain: TestRun): { timeoutMs: number } {
  return { timeoutMs: Math.min(input.timeoutMs ?? Number.MAX_SAFE_INTEGER, 30_000 + plain.duration_ms * 4) };
}

export function make(
  check: Finding['check'],
  reason: Finding['reason'],
  weight: Finding['weight'],
  message: string,
  subjects: readonly string[],
): Finding {
  return { check, reason, weight, message, subjects: subjects.slice(0, 50) };
}

const ON_SOME_DATES = 'only on some dates';

/**
 * The tests `ids` fail with the clock put forward by `shiftMs`. A session can mend that: the first time it is refused, and a person is asked only
 * when the next claim shows it again.
 */
export function datedFinding(
  { platform, refused }: OpenCase,
  check: Finding['check'],
  { ids, subjects, shiftMs }: { ids: readonly string[]; subjects: readonly string[]; shiftMs: number },
): Finding {
  const [pass, fail] = ids.length === 1 ? ['passes', 'it fails'] : ['pass', 'they fail'];
  const date = new Date(platform.clock.now() + shiftMs).toISOString().slice(0, 10);
  const isMendable = refused !== undefined && !refused.some(({ message }) => message.includes(ON_SOME_DATES));
  const message = `${testsOf(ids)} ${pass} ${ON_SOME_DATES}: ${fail} when the clock is set to ${date}`;
  return make(check, 'test.flaky', isMendable ? 'reject' : 'ask', message, subjects);
}

/** For the detail of a check: why failures of a run at another date were not counted. */
export function unreachedWords({ unreached = [] }: Pick<TestRun, 'unreached'>): string {
  return `not run on another date: the tests start ${namesOfFiles(unreached)}`;
}

/** As the subject of a sentence: the one test by its name, or how many of which files. */
export function testsOf(ids: readonly string[]): string {
  const files = namesOfFiles([...new Set(ids.map(fileOf))]);
  if (ids.length !== 1) return `${ids.length} tests in ${files}`;
  const name = cleanText(firstItem(ids).slice(files.length).replace(/^::/, '')).replace(/\s+/g, ' ');
  return `test "${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name}" in ${files}`;
}

const LONGEST_NAME = 120;

/** Not one test of the run came to an end. */
export function tellsNothing(run: TestRun): boolean {
  return run.tests.every((test) => test.name === WHOLE_FILE);
}
