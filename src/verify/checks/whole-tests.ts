/**
 * Whole test files, asked by a program that is no test: what stands in a loop, in a table, in a hook, or works with an object from line to line is
 * no single assertion that could be asked by itself.
 *
 * 1. The feature's test files and some accepted ones that reach the change run in one process. Mostly all hold, and nothing follows.
 * 2. What does not hold is asked in a process of its own, in the runner by the same comparisons, and, where it is accepted, on the base. A person is
 *    asked where only the program makes the difference.
 * 3. New tests are not asked where set-up files prepare the world for them: there is nothing to compare with.
 * 4. An accepted test with loops or conditions has to assert as often as on the base: a list of the product that became shorter takes assertions along,
 *    and so does a no where it said yes.
 * 5. An accepted test that waits for an error of the product and gets a fault of the language holds by accident; so do one that compares what is no
 *    number any more, and one that names a constant which has become the same as another.
 */
import { testFilesOf } from '../../domain/test-files.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { Finding, RunnerName, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case, OpenCase } from '../case.ts';
import { NODE_PROGRAM } from '../run/programs.ts';
import { runRoomCommands } from '../run/room-command.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { consult } from '../instruments.ts';
import { singleTests } from '../runners/registry.ts';
import { eraseTypes } from '../source/erase-types.ts';
import { maskSource } from '../source/mask.ts';
import { parseJavascript } from '../source/parse-javascript.ts';
import { plainTests } from '../source/plain-tests.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf, type Language } from '../source/source.ts';
import { make, PROGRAM_ROOM } from './again.ts';
import { heldInRunner, type AskedFile } from './asked-in-runner.ts';
import { headOf, nameOf, pythonOf, type Behind } from './as-a-program.ts';
import { twinOf } from './check-force.ts';
import { reachedFiles } from './check-reach.ts';
import { setUpFiles } from './check-set-up.ts';
import { FAULTS, type ToldTest } from './plain-kit.ts';
import { plainModules } from './plain-modules.ts';
import { writerFor, type Writer } from './plant.ts';
import { ALL, readWhole, wholeInRunner, wholeProgram, type WholePart } from './plain-whole.ts';
import { collectedFiles, testSideOf } from './test-side.ts';
import { isVague, showingNumbers, vagueThan } from './vague-answers.ts';
import { firstItem } from '../../domain/items.ts';

interface Part extends WholePart {
  isOwn: boolean;
  head: string[];
  write: Writer;
}

interface Seen {
  part: Part;
  test: ToldTest;
}

const MOST_ACCEPTED = 10;
const PATIENCE_MS = 20_000;
/** How often such a test asserts depends on what it goes through, or on what it is told. */
const WAYS = /\b(?:for|if|try)\b|\.forEach\s*\(|\.map\s*\(/;

interface Asking {
  language: Language;
  /** The interpreter that programs are started with. */
  program: string;
}

export interface WholeTests {
  /** The first question, for whoever starts a program anyway. */
  behind: Behind;
  /** What follows from its answers; it is asked now if nobody did. */
  judge(): Promise<Finding[]>;
}

/** null: there is no test file that could be asked. */
export async function wholeTests(input: Case, plain: TestRun): Promise<WholeTests | null> {
  const { judged } = input;
  const single = singleTests(plain.runner);
  if (single === null) return null;
  const { language } = single;
  const program = language === 'python' ? await pythonOf(input, judged.tree) : NODE_PROGRAM;
  const parts = program === null ? [] : await partsIn(input, plain.runner, language);
  if (program === null || parts.length === 0) return null;
  const asking = { language, program };
  const { behind, read } = await questionOf(input, judged.tree, { ...asking, parts, titles: null });
  return {
    behind,
    judge: async () => {
      const first = behind.output === null ? null : read(behind.output);
      return await follow(input, asking, first ?? (await answersOf(input, judged.tree, { ...asking, parts, titles: null })));
    },
  };
}

async function follow(input: Case, asking: Asking, first: readonly Seen[]): Promise<Finding[]> {
  const { platform, judged } = input;
  const ask = (tree: string, some: readonly Part[], titles: readonly string[] | null): Promise<Seen[]> =>
    answersOf(input, tree, { ...asking, parts: some, titles });
  const isOff = ({ test }: Seen): boolean => test.state === 'off' || test.thrown.some(isFault);
  const isOdd = (one: Seen): boolean => isOff(one) || isVague(one.test);
  const told = [...new Set(first.filter(isOdd).map((one) => one.part))];
  const fewer = await assertingLess(
    first.filter((one) => one.part.isCounted === true && one.test.same === undefined && !isOff(one)),
    (parts, names) => ask(input.base.tree, parts, names),
    (parts, names) => ask(judged.tree, parts, names),
  );
  const words = (some: readonly Seen[]): string[] => some.map(({ part, test }) => `${part.file}: ${test.title}`);
  const finding = (message: string, some: readonly Seen[]): Finding[] =>
    some.length === 0 ? [] : [make('neutral', 'test.failed', 'ask', message, words(some))];
  const less = await consult(input, 'neutral/fewer-assertions', () =>
    finding('accepted tests assert less often than before: what they go through has become less, or leads them another way', fewer),
  );
  if (told.length === 0) return less;
  const titles = [...new Set(first.map((one) => one.test.title))];
  const alone = (await Promise.all(told.map((part) => ask(judged.tree, [part], null)))).flat();
  const old = told.filter((part) => !part.isOwn && alone.some((one) => one.part === part));
  const before = (await Promise.all(old.map((part) => ask(input.base.tree, [part], [...titles, ALL])))).flat();
  const onBase = ({ part, test }: Seen): ToldTest | undefined =>
    before.find((one) => one.part === part && one.test.title === test.title)?.test;
  const off = alone.filter((one) => one.test.state === 'off' && (one.part.isOwn || onBase(one)?.state === 'held'));
  const held = off.length === 0 ? [] : await heldInRunner(input, asTests(platform, asking.language, off));
  // What is off only once depends on chance.
  const again = held.length === 0 ? [] : (await Promise.all(told.map((part) => ask(judged.tree, [part], null)))).flat();
  const steady = held.filter((one) =>
    again.some(({ part, test }) => part === one.part && test.title === one.test.title && test.state === 'off'),
  );
  const faults = alone.filter(({ part, test }) => {
    const earlier = part.isOwn ? undefined : onBase({ part, test });
    return (
      test.state === 'held' &&
      earlier?.state === 'held' &&
      test.thrown.some((name, at) => isFault(name) && !isFault(earlier.thrown[at] ?? name))
    );
  });
  return [
    ...less,
    ...finding('tests hold only where a test runner runs them, and not in a program that does the same', steady),
    ...(await consult(input, 'neutral/language-faults', () =>
      finding('accepted tests wait for an error of the product, and what comes now is a fault of the language', faults),
    )),
    ...(await consult(input, 'neutral/vague-answers', () =>
      vagueThan(alone, onBase).flatMap(({ message, seen }) => finding(message, seen)),
    )),
  ];
}

type Ask = (parts: Part[], titles: string[]) => Promise<Seen[]>;

/** What the program did before is no reason: those that seem to assert less are asked again by themselves, as they were on the base. */
async function assertingLess(first: readonly Seen[], askBase: Ask, askNow: Ask): Promise<Seen[]> {
  if (first.length === 0) return [];
  const wanted = (some: readonly Seen[]): [Part[], string[]] => [
    [...new Set(some.map((one) => one.part))],
    [...new Set(some.map((one) => one.test.title))],
  ];
  const before = await askBase(...wanted(first));
  const isLess = ({ part, test }: Seen): boolean =>
    test.state === 'held' &&
    before.some(
      (one) => one.part === part && one.test.title === test.title && one.test.state === 'held' && one.test.asserted > test.asserted,
    );
  const less = first.filter(isLess);
  const now = less.length === 0 ? [] : await askNow(...wanted(less));
  return now.filter((one) => isLess(one) && less.some(({ part, test }) => part === one.part && test.title === one.test.title));
}

function isFault(name: string): boolean {
  return (FAULTS as readonly string[]).includes(name);
}

async function partsIn(input: Case, runner: RunnerName, language: Language): Promise<Part[]> {
  const { platform, judged } = input;
  const named = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  const own = named.length === 0 || (await setUpFiles(input)).length > 0 ? [] : named;
  const reached = await reachedFiles(input, named);
  while (reached.length > MOST_ACCEPTED) reached.splice(Number.parseInt(platform.random.id(6), 16) % reached.length, 1);
  const paths = pathSetOf(await input.trees.list(judged.tree));
  const isOfTests = testSideOf(collectedFiles(input));
  const parts: Part[] = [];
  for (const file of [...own, ...reached].filter((one) => languageOf(one) === language && paths.has(one))) {
    const text = (await input.trees.read(judged.tree, file))?.toString('utf8') ?? '';
    const plain = /\.[cm]?ts$/.test(file) ? await withoutTypes(file, text) : text;
    if (plain === null) continue;
    const erased = own.includes(file) || language === 'python' ? plain : await showingNumbers(file, plain);
    const reading = await readSource(platform, file.replace(/ts$/, 'js'), erased);
    const tests = reading === null ? null : plainTests(file, erased, reading, { paths, isOfTests });
    if (reading !== null && tests !== null)
      parts.push({
        file,
        tests,
        isOwn: own.includes(file),
        isCounted: !own.includes(file) && WAYS.test(maskSource(erased, language)),
        head: headOf(erased, reading),
        write: writerFor(language === 'python' ? '' : erased, language, runner),
      });
  }
  return parts;
}

async function withoutTypes(file: string, text: string): Promise<string | null> {
  const program = await parseJavascript(text, file, 5_000);
  return program === null ? null : eraseTypes(text, program, (specifier) => specifier);
}

interface Question extends Asking {
  parts: readonly Part[];
  titles: readonly string[] | null;
}

interface Prepared {
  behind: Behind;
  /** null: the program ended, or was stopped, before it told anything. */
  read(output: string): Seen[] | null;
}

async function questionOf(input: OpenCase, tree: string, { language, parts, titles }: Question): Promise<Prepared> {
  const { platform } = input;
  const entries = await input.trees.list(tree);
  const word = platform.random.id(12);
  const loads = parts.flatMap((part) => part.tests.loads);
  const typed = await plainModules(input, tree, loads);
  const paths = entries.map((entry) => entry.path);
  const aim = (one: string): string => typed.names.get(one) ?? one;
  const { path, files } = wholeProgram(language, parts, { word, name: nameOf(platform, paths), aim, wanted: titles });
  const edits = [...typed.edits, ...files.map((file): TreeEdit => ({ path: file.path, kind: 'write', content: file.content }))];
  return {
    behind: { edits, path, numbers: parts.map((_part, at) => String(at)), output: null },
    read: (output) => {
      const told = readWhole(output, word);
      return told === null ? null : parts.flatMap((part, at) => (told[at] ?? []).map((test) => ({ part, test })));
    },
  };
}

async function answersOf(input: OpenCase, tree: string, question: Question): Promise<Seen[]> {
  const { platform } = input;
  const { parts, titles, program } = question;
  const { behind, read } = await questionOf(input, tree, question);
  const { settings } = input;
  const collected = collectedFiles(input);
  const gone = (await input.trees.list(tree)).filter(
    ({ path }) => collected.has(path) || path === settings.paths.features || path === settings.paths.progress,
  );
  const composed = await input.trees.compose(tree, [...gone.map(({ path }): TreeEdit => ({ path, kind: 'delete' })), ...behind.edits]);
  const start = `${quoteWord(program)} ${behind.path} ${behind.numbers.join(' ')}`;
  const commands = [{ command: `exec 3>&1 >/dev/null 2>&1; rm -rf .git; ${start}`, timeoutMs: PATIENCE_MS }];
  const result = firstItem(await runRoomCommands(platform, { ...input, tree: composed, room: PROGRAM_ROOM, isElsewhere: true, commands }));
  const seen = result.timed_out ? null : read(result.output_tail);
  const all = (state: ToldTest['state']): Seen[] =>
    parts.map((part) => ({ part, test: { title: ALL, state, thrown: [], asserted: 0, nans: 0 } }));
  return seen === null ? all('off') : titles?.includes(ALL) === true ? [...seen, ...all('held')] : seen;
}

/** The same, by the same comparisons. */
function asTests(platform: Platform, language: Language, seen: readonly Seen[]): AskedFile<Seen>[] {
  return [...new Set(seen.map((one) => one.part))].map((part) => {
    const path = twinOf(part.file, platform.random.id(3));
    const asked = seen.filter((one) => one.part === part);
    const titles = asked.map((one) => one.test.title);
    return { path, asked, ...wholeInRunner(language, part, titles, { ...part, path, name: `asked${platform.random.id(3)}` }) };
  });
}
