/**
 * What tests say about the code, asked again by a program that is none: no runner, no assertion of a library, none of the harness's preloads,
 * no test file, feature list or repository in sight. Code that is right only where tests run, and assertions that forgive, show there.
 *
 * 1. Asked are assertions that are made of literals and the project's own functions; all of them in one process.
 * 2. What does not hold there is asked alone in the runner. Only where it holds in a test of its own, the surroundings make the difference.
 * 3. Assertions of accepted tests that do not hold there on the base either are a property of the project.
 * 4. The same in another folder, time zone and language, and without the assertions of Python's code: asked about where an accepted test held
 *    there before, else told.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Finding, RunnerName, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { commandSources } from '../run/command-sources.ts';
import { findPython, NODE_PROGRAM } from '../run/programs.ts';
import { pythonOfTree } from '../run/python-of-tree.ts';
import { runRoomCommands } from '../run/room-command.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { chooseCommand } from '../run/test-command.ts';
import { singleTests } from '../runners/registry.ts';
import { plainAssertions, type PlainAssertion } from '../source/plain-assertions.ts';
import { readSources, type SourceFile } from '../source/read-source.ts';
import { languageOf, type Language, type SourceReading } from '../source/source.ts';
import { make, PROGRAM_ROOM } from './again.ts';
import { heldInRunner, type AskedFile } from './asked-in-runner.ts';
import { twinOf } from './check-force.ts';
import { reachedFiles } from './check-reach.ts';
import { plainProgram, readTold, type AskedBehind, type PlainProgram } from './plain-caller.ts';
import { plainModules } from './plain-modules.ts';
import { writerFor, type Writer } from './plant.ts';
import { isTestFile } from './protected-paths.ts';
import { collectedFiles } from './test-side.ts';
import { firstItem, itemAt } from '../../domain/items.ts';

interface Asked extends PlainAssertion {
  file: string;
  /** The test file's own statements that load something, and how tests are written beside its own. */
  head: string[];
  write: Writer;
}

const MOST_FILES = 200;
const MOST_ASKED = 2_000;
const MOST_TOLD = 40;
const PATIENCE_MS = 15_000;
const PATIENCE_EACH_MS = 20;
const ZONES = ['Asia/Kathmandu', 'America/St_Johns', 'Australia/Adelaide'] as const;

/** Another program, which can run in the same process behind this one: its files, and what was printed if it did. */
export interface Behind extends AskedBehind {
  edits: readonly TreeEdit[];
  output: string | null;
}

interface FirstLook {
  behind: Behind | null;
  /** The first program is not started before; the next ones are in any case. */
  turn: Promise<unknown> | null;
  /** Called with how many assertions ran outside the runner, and how many of them failed only there. */
  count?: (asked: number, failed: number) => void;
}

export async function askAsProgram(
  input: Case,
  plain: TestRun,
  { behind, turn, count }: FirstLook = { behind: null, turn: null },
): Promise<Finding[]> {
  const { platform, judged } = input;
  const single = singleTests(plain.runner);
  if (single === null) return [];
  const asked = await askedIn(input, plain.runner, single.language);
  if (asked.length === 0) return [];
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  const ask = (tree: string, some: readonly Asked[]): Promise<Answers | null> =>
    answersOf(input, tree, { asked: some, language: single.language });
  const first = await answersOf(input, judged.tree, { asked, language: single.language, look: { behind, turn } });
  if (first === null) return [];
  if (first.off.length + first.elsewhere.length === 0) {
    count?.(asked.length, 0);
    return [];
  }
  const told = [...new Set([...first.off, ...first.elsewhere])].slice(0, MOST_TOLD);
  const old = told.filter((one) => !own.includes(one.file));
  const before = old.length === 0 ? null : await ask(input.base.tree, old);
  const held = new Set(await heldInRunner(input, asTests(platform, told)));
  const isNew = (one: Asked, there: readonly Asked[] | undefined): boolean => held.has(one) && there?.includes(one) !== true;
  const off = first.off.filter((one) => isNew(one, before?.off));
  const elsewhere = first.elsewhere.filter((one) => isNew(one, before?.elsewhere) && !off.includes(one));
  // What is off only once depends on chance.
  const again = off.length + elsewhere.length === 0 ? null : await ask(judged.tree, [...off, ...elsewhere]);
  const words = (some: readonly Asked[], there: readonly Asked[] | undefined): string[] =>
    some.filter((one) => there?.includes(one) === true).map((one) => `${one.file}: ${one.text.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  const finding = (weight: Finding['weight'], where: string, subjects: string[]): Finding[] =>
    subjects.length === 0
      ? []
      : [make('neutral', 'test.failed', weight, `assertions that pass in the test runner fail ${where}`, subjects)];
  count?.(asked.length, words(off, again?.off).length);
  const [oldElsewhere, newElsewhere] = [
    elsewhere.filter((one) => !own.includes(one.file)),
    elsewhere.filter((one) => own.includes(one.file)),
  ];
  return [
    ...finding('ask', 'outside it', words(off, again?.off)),
    ...finding('ask', 'in another folder, time zone or language, as they did not on base', words(oldElsewhere, again?.elsewhere)),
    ...finding('warn', 'in another folder, time zone or language', words(newElsewhere, again?.elsewhere)),
  ];
}

/** Of the feature's test files and of all accepted ones that reach what was changed. */
async function askedIn(input: Case, runner: RunnerName, language: Language): Promise<Asked[]> {
  const { platform, judged } = input;
  const own = input.mode === 'feature' ? testFilesOf(input.feature) : [];
  const paths = pathSetOf(await input.trees.list(judged.tree));
  const collected = collectedFiles(input);
  const reached = await reachedFiles(input, own);
  while (reached.length > MOST_FILES) reached.splice(Number.parseInt(platform.random.id(6), 16) % reached.length, 1);
  const files: SourceFile[] = [];
  for (const path of [...own, ...reached])
    if (languageOf(path) === language && paths.has(path))
      files.push({ path, text: (await input.trees.read(judged.tree, path))?.toString('utf8') ?? '' });
  const readings = await readSources(platform, files);
  const found = files.flatMap(({ path, text }, at): Asked[] => {
    const reading = readings[at] ?? null;
    if (reading === null) return [];
    const more = { file: path, head: headOf(text, reading), write: writerFor(text, language, runner) };
    const isOwn = own.includes(path);
    return plainAssertions(path, text, reading, { paths, isOfTests: (one) => collected.has(one) || isTestFile(one) }).map((one) => ({
      ...one,
      ...more,
      isAccepted: !isOwn,
      compares: one.compares === 'truth' && !isOwn ? ('yes' as const) : one.compares,
    }));
  });
  return found.slice(0, MOST_ASKED);
}

export function headOf(text: string, reading: SourceReading): string[] {
  return reading.statements
    .map((one) => ({ kind: one.kind, words: text.slice(one.start, one.end) }))
    .filter(({ kind, words }) => kind === 'import' || /^(?:const|let|var)\s[^;]*=\s*require\([^;]*;?$/.test(words))
    .map(({ words }) => words);
}

/** A program, and the word before what it tells. */
interface ToldBy extends PlainProgram {
  word: string;
}

interface Answers {
  off: Asked[];
  /** Those that are off in another folder, zone and language. */
  elsewhere: Asked[];
}

/** null: the program could not be started. What it does not come back from in time is off. */
async function answersOf(
  input: OpenCase,
  tree: string,
  { asked, language, look = null }: { asked: readonly Asked[]; language: Language; look?: FirstLook | null },
): Promise<Answers | null> {
  const { platform } = input;
  const behind = look?.behind ?? null;
  const program = language === 'python' ? await pythonOf(input, tree) : NODE_PROGRAM;
  if (program === null) return null;
  const entries = await input.trees.list(tree);
  const files = [...new Set(asked.map((one) => one.file))];
  const parts = files.map((file) => asked.filter((one) => one.file === file));
  const order = parts.flat();
  const typed = await plainModules(input, tree, language === 'python' ? [] : order.flatMap((one) => one.loads.flatMap(modulesIn)));
  const loadedPlain = parts.map((part) => part.map((one) => ({ ...one, loads: one.loads.map((load) => withPlain(load, typed.names)) })));
  const taken = [...entries, ...(behind?.edits ?? [])].map((entry) => entry.path);
  const zone = itemAt(ZONES, Number.parseInt(platform.random.id(2), 16) % ZONES.length);
  // Of new tests it is only told where they do not hold elsewhere: at first the same process asks that too.
  const isOneProcess = look !== null && order.every((one) => one.isAccepted !== true);
  const words = [platform.random.id(12), platform.random.id(12)] as const;
  const [here, there] = [behind, null].map((next, at): ToldBy => {
    const isElsewhere = at === 1;
    if (isElsewhere && isOneProcess) return { word: words[1], path: '', files: [] };
    const elsewhere = isOneProcess ? { word: words[1], zone } : null;
    const called = { word: itemAt(words, at), name: nameOf(platform, taken), isOnce: isElsewhere, behind: next, elsewhere };
    const { path, files } = plainProgram(language, loadedPlain, called);
    taken.push(...files.map((file) => file.path));
    return { word: itemAt(words, at), path, files };
  }) as [ToldBy, ToldBy];
  const { settings } = input;
  const collected = collectedFiles(input);
  const gone = entries.filter(
    (entry) => collected.has(entry.path) || entry.path === settings.paths.features || entry.path === settings.paths.progress,
  );
  const others = (behind?.edits ?? []).filter((edit) => !typed.edits.some((one) => one.path === edit.path));
  const composed = await input.trees.compose(tree, [
    ...gone.map((entry): TreeEdit => ({ path: entry.path, kind: 'delete' })),
    ...others,
    ...typed.edits,
    ...[...here.files, ...there.files].map((file): TreeEdit => ({ path: file.path, kind: 'write', content: file.content })),
  ]);
  const start = (path: string): string => `${quoteWord(program)} ${path}`;
  // What the code itself prints goes nowhere, so that it cannot push out what is told.
  const other = `export TZ=${zone} LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8 PYTHONOPTIMIZE=1; cd "\${TMPDIR:-/}"`;
  const starts = [start(here.path), ...(isOneProcess ? [] : [`(${other}; exec ${start(`"$root/${there.path}"`)})`])];
  // At first both at once. What does not hold there is asked again by one after the other: code that keeps files would find those of another.
  const programs = look !== null && !isOneProcess ? `${starts.map((one) => `${one} &`).join(' ')} wait` : starts.join('; ');
  const command = `exec 3>&1 >/dev/null 2>&1; root=$PWD; rm -rf .git; ${programs}`;
  const commands = [{ command, timeoutMs: PATIENCE_MS + PATIENCE_EACH_MS * order.length, env: await variablesOf(input, tree) }];
  await look?.turn;
  const result = firstItem(await runRoomCommands(platform, { ...input, tree: composed, room: PROGRAM_ROOM, isElsewhere: true, commands }));
  const { timed_out: wasStopped, output_tail: output } = result;
  if (behind !== null && !wasStopped) behind.output = output;
  const [off, elsewhere] = [here, there].map(({ word }) => {
    const told = readTold(output, word, wasStopped);
    return told === null ? order : told.flatMap((at) => order[at] ?? []);
  }) as [Asked[], Asked[]];
  return { off, elsewhere };
}

const LOADED = /(?<=["']\.\/)[^"']+(?=["'])/g;

function modulesIn(load: string): string[] {
  return load.match(LOADED) ?? [];
}

function withPlain(load: string, names: ReadonlyMap<string, string>): string {
  return load.replaceAll(LOADED, (path) => names.get(path) ?? path);
}

const NAMES = ['main', 'app', 'cli', 'server', 'run', 'tool', 'begin', 'serve'];

/** Like a program of the project's own; none that is there. */
export function nameOf(platform: Platform, paths: readonly string[]): string {
  const dice = Number.parseInt(platform.random.id(2), 16);
  const free = NAMES.filter((name) => !paths.some((path) => path.startsWith(name)));
  return free[dice % free.length] ?? `start${platform.random.id(3)}`;
}

/** What the test command itself sets, without what only says that tests run. */
async function variablesOf({ settings, trees }: JudgeInput, tree: string): Promise<Record<string, string>> {
  const { full, report } = settings.testing;
  const { NODE_ENV: _mark, ...env } = chooseCommand(full, report, await commandSources(trees, tree, [full])).resolved.env;
  return env;
}

export async function pythonOf(input: OpenCase, tree: string): Promise<string | null> {
  const { platform } = input;
  const chosen = await pythonOfTree(platform, input, tree);
  if (chosen === null) return await findPython(platform);
  return 'missing' in chosen ? null : chosen.python;
}

/** Each in a test of its own without anything around it. */
function asTests(platform: Platform, asked: readonly Asked[]): AskedFile<Asked>[] {
  return [...new Set(asked.map((one) => one.file))].map((file) => {
    const some = asked.filter((one) => one.file === file);
    const { head, write } = firstItem(some);
    const isTaken = (name: string): boolean => head.some((line) => new RegExp(`\\b${name}\\b`).test(line));
    const asHanded = (text: string): string =>
      write.parameter === '' ? text : text.replace(/^[a-z]\w*(?=\.)/i, (name) => (isTaken(name) ? name : write.parameter));
    const tests = some.map((one, at) =>
      file.endsWith('.py') ? write.test(`test_asked_${at}`, one.text).text : write.test(`asked ${at}`, `${asHanded(one.text)};`).text,
    );
    const text = `${head.join('\n')}\n\n${write.header}${tests.join('\n')}${write.footer([])}`;
    return { path: twinOf(file, platform.random.id(3)), asked: some, text };
  });
}
