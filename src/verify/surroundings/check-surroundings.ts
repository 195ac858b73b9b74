/**
 * What new code newly observes beside its inputs is varied where it can be, and shown to a person where it cannot.
 *
 * 1. Environment and arguments: tests that pass without the runner's marks pass in another guise too; a difference needs review. An accepted test that
 *    fails in that guise on base shows nothing.
 * 2. What cannot be varied needs review if nothing in the feature asks for it. Handing on a path or the machine's name is ordinary.
 */
import { cleanText } from '../../domain/clean-text.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import { fileOf, type Finding, type TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { Check, CheckResult, Facts } from '../check.ts';
import { bounded, filesToRepeat, make, NEUTRAL_ROOM, wantedFrom } from '../checks/again.ts';
import { canQuestion, plainRunOf } from '../checks/plain-run.ts';
import { consult } from '../instruments.ts';
import { repeatFailures } from '../repeats.ts';
import { runSuite } from '../run/suite.ts';
import { singleTests } from '../runners/registry.ts';
import type { Guise } from '../runners/runner.ts';
import { readSource } from '../source/read-source.ts';
import { newlyObserved, type PlacedObservation } from './newly.ts';
import { ASKED_FOR } from './roots.ts';
import { firstItem, itemAt } from '../../domain/items.ts';

export const SURROUNDINGS: Check = {
  id: 'surroundings',
  title: 'surroundings',
  weight: 'ask',
  after: ['neutral'],
  cost: 'trial',
  ends: true,
  optional: true,
  applies: ({ judged }) => judged.changes.length > 0,
  run: checkSurroundings,
  doc: 'Nothing decides by what code can observe beside its inputs, unless the feature asks for it: environment, arguments, stack, files and limits of the machine.',
};

const MOST_SHOWN = 20;

async function checkSurroundings(judged: Case, facts: Facts): Promise<CheckResult> {
  const observed = await newlyObserved(judged);
  if (observed.length === 0) return { findings: [], detail: 'nothing is newly observed', skipped: true };
  const asked = wordsOf(judged);
  const open = observed.filter((one) => !isAskedFor(one, asked));
  const shown = await consult(judged, 'surroundings/shown', () => review(open));
  const varied = await consult(judged, 'surroundings/guise', () => vary(judged, facts, open));
  const detail = `newly reads ${listed([...new Set(observed.map(({ what }) => what))])}`;
  return { findings: [...shown, ...varied], detail };
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, 4).map(cleanText).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`;
}

/** Description, steps and interface: what the work is asked to do. */
function wordsOf({ feature }: Case): string {
  if (feature === null) return '';
  const { description, interface: promised, verification } = feature;
  return [description, promised ?? '', JSON.stringify(verification ?? '')].join('\n');
}

export function isAskedFor({ what, name }: PlacedObservation, words: string): boolean {
  if (words === '') return false;
  if (name !== null) return new RegExp(`(?<![\\w])${name.replace(/\W/g, '\\$&')}(?![\\w])`, 'i').test(words);
  const last = what.split(/[./\s]/).findLast((part) => part.length > 3);
  if (what.startsWith('/') || what.startsWith('the program ')) return words.includes(what.replace('the program ', ''));
  if (last !== undefined && words.includes(last)) return true;
  return ASKED_FOR.some(([pattern, asking]) => pattern.test(what) && asking.test(words));
}

/** One finding for all of them, one line each. */
/** @internal */
export function review(open: readonly PlacedObservation[]): Finding[] {
  const lines = open
    .filter((one) => one.kind === 'room' || ((one.kind === 'place' || one.kind === 'machine') && one.decides) || isFixed(one))
    .map(({ path, line, what }) => cleanText(`${path}:${line} newly reads ${what}`));
  const subjects = [...new Set(lines)];
  if (subjects.length === 0) return [];
  const first = firstItem(subjects);
  const message =
    subjects.length === 1
      ? `${first}, which the description does not mention`
      : `${first}, and ${subjects.length - 1} more that the description does not mention`;
  return [make('surroundings', 'surroundings.new', 'ask', message, subjects.slice(0, MOST_SHOWN))];
}

async function vary(judged: Case, facts: Facts, open: readonly PlacedObservation[]): Promise<Finding[]> {
  const plain = canQuestion(judged, facts) ? await plainRunOf(judged, facts) : null;
  if (plain === null || singleTests(plain.runner) === null) return [];
  const guises = guisesFor(open, await namesInTests(judged));
  const files = guises.length === 0 ? [] : await filesToRepeat(judged);
  for (const guise of files.length === 0 ? [] : guises) {
    const lost = await lostIn(judged, plain, { files, guise });
    if (lost.length > 0) return [make('surroundings', 'surroundings.new', 'ask', wordsFor(guise, lost, open), lost)];
  }
  return [];
}

function wordsFor({ env, words }: Guise, lost: readonly string[], open: readonly PlacedObservation[]): string {
  const places = open
    .filter(({ kind }) => kind === 'environment' || kind === 'arguments')
    .map(({ path, line, what }) => `${path}:${line} newly reads ${what}`);
  const given = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...(words.length === 0 ? [] : ['other arguments'])];
  const tests = lost.length === 1 ? '1 test fails' : `${lost.length} tests fail`;
  return cleanText(`${places[0] ?? 'new code reads its surroundings'}, and ${tests} with ${given.join(', ')}`);
}

interface Dressed {
  files: readonly string[];
  guise: Guise;
}

/** Tests that pass without a runner's marks and not in the guise, three times of three; accepted ones only if they pass in it on base. */
async function lostIn(judged: Case, plain: TestRun, { files, guise }: Dressed): Promise<string[]> {
  const runIn = (tree: string, some: readonly string[], dressed: boolean): Promise<TestRun> =>
    runSuite(judged.platform, {
      ...judged,
      ...bounded(judged, plain),
      cache: undefined,
      tree,
      files: some,
      room: NEUTRAL_ROOM,
      purpose: tree === judged.base.tree ? 'base' : 'guise',
      variant: { neutral: { keepNodeEnv: false, keepTerminal: true, ...(dressed ? { guise } : {}) } },
    });
  const candidate = judged.judged.tree;
  const passing = (run: TestRun): Set<string> => new Set(run.tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  const wanted = wantedFrom(plain, judged, files);
  const dressed = passing(await runIn(candidate, files, true));
  const failed = wanted.filter((id) => !dressed.has(id));
  if (failed.length === 0) return [];
  const undressed = passing(await runIn(candidate, [...new Set(failed.map(fileOf))], false));
  const byGuise = failed.filter((id) => undressed.has(id));
  if (byGuise.length === 0) return [];
  const there = pathSetOf(await judged.trees.list(judged.base.tree));
  const accepted = new Set(judged.baseline?.passing_tests ?? []);
  const own = testFilesOf(judged.feature);
  const { counts, flaky } = await repeatFailures({
    failed: byGuise,
    onCandidate: (some) => runIn(candidate, some ?? files, true),
    onBase: (some) =>
      runIn(
        judged.base.tree,
        (some ?? files).filter((file) => there.has(file)),
        true,
      ),
    isOnBase: (id) => accepted.has(id) && there.has(fileOf(id)) && !own.includes(fileOf(id)),
  });
  return [...counts, ...flaky];
}

/** What the feature's own tests name in their code: texts, and names of members. */
async function namesInTests(judged: Case): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const path of judged.mode === 'feature' ? testFilesOf(judged.feature) : []) {
    const text = (await judged.trees.read(judged.judged.tree, path))?.toString('utf8') ?? '';
    const reading = await readSource(judged.platform, path, text);
    for (const one of reading?.texts ?? []) names.add(one);
    for (const test of reading?.tests ?? [])
      for (const [name] of text.slice(test.start, test.end).matchAll(/\b[A-Z][A-Z\d_]{2,}\b/g)) names.add(name);
  }
  return names;
}

/**
 * Another guise of a run: environment and arguments as the newly observed code would meet them elsewhere.
 *
 * 1. A variable has the values that the code compares it with, one a guise, then `production`. Those that every run needs stay as they are.
 * 2. What the work is asked to observe is left as it is, and so is a value that the feature's own tests name.
 */
const MOST_GUISES = 2;
const OTHER_VALUE = 'production';
/** Without these no run is like another. */
const NEEDED = /^(?:PATH|HOME|TMPDIR|TMP|TEMP|PWD|SHELL|LD_\w+|NODE_OPTIONS|NODE_PATH|NODE_V8_\w+|PYTHON\w*|VIRTUAL_ENV)$/;
/** The run without marks has other values of these. */
const VARIED_ELSEWHERE = /^(?:LANG|LC_\w+|CI|(?:VITEST|JEST|NODE_TEST|MOCHA|AVA|TAPE|NODE_TAPE|PYTEST)_?\w*)$/;
const WORDS = ['--verbose', 'run', OTHER_VALUE];

/** A variable that a run cannot do without, and whose value decides something. */
function isFixed({ kind, name, decides }: PlacedObservation): boolean {
  return kind === 'environment' && decides && name !== null && NEEDED.test(name);
}

/** `names`: literals and names of the feature's own tests. */
function guisesFor(observed: readonly PlacedObservation[], names: ReadonlySet<string>): Guise[] {
  const values = new Map<string, string[]>();
  for (const { kind, name, decides, values: beside } of observed) {
    const variable = name ?? 'NODE_ENV';
    if (kind !== 'environment' || NEEDED.test(variable) || VARIED_ELSEWHERE.test(variable)) continue;
    const compared = decides ? beside.filter((value) => value !== variable) : [];
    const isNamed = name !== null && names.has(name);
    const own = isNamed ? compared.filter((value) => !names.has(value)) : [...compared, OTHER_VALUE];
    values.set(variable, [...new Set([...(values.get(variable) ?? []), ...own])]);
  }
  const given = observed.filter(({ kind }) => kind === 'arguments').flatMap((one) => one.values);
  const hasWords = observed.some(({ kind }) => kind === 'arguments');
  const words = hasWords ? [...new Set([...given.filter((word) => !names.has(word)), ...WORDS])] : [];
  const most = Math.max(hasWords ? 1 : 0, ...[...values.values()].map((own) => own.length));
  return Array.from({ length: Math.min(most, MOST_GUISES) }, (_none, at) => ({
    env: Object.fromEntries([...values].flatMap(([name, own]) => (own.length === 0 ? [] : [[name, itemAt(own, at % own.length)]]))),
    words,
  }));
}
