/**
 * Data that tests read, wherever it lies: golden files, tables of cases, stored output. It is part of the test.
 *
 * 1. A changed file counts when a test that was there, a helper of one, or a module that tests come to and that the session left as it was
 *    names it or its folder. What the session's own code reads goes with that code.
 * 2. Data of a test that does not count yet, which no code reads, is asked about: it cannot be shown to be right.
 * 3. A module that holds nothing but values counts as data where tests import it and nothing else does; one that hands on what other modules do is code.
 */
import { fileOf } from '../../domain/verdict.ts';
import { posix } from 'node:path';
import { testFilesOf } from '../../domain/test-files.ts';
import type { TreeChange } from '../../domain/tree.ts';
import type { Case, OpenCase } from '../case.ts';
import { moduleCandidates, pythonCandidates } from '../source/imports.ts';
import { readSources } from '../source/read-source.ts';
import { languageOf, type SourceImport, type SourceReading } from '../source/source.ts';
import { isTestFile, isTestPath, kindOf } from './protected-paths.ts';
import { filesReachedFrom } from './reach.ts';

export interface TestData {
  /** Changed or removed data. */
  changed: string[];
  /** Test files that read it. */
  readers: string[];
  /** Of the same kind, but read by tests that do not count yet, and by no code: nobody can say by running them whether it is right. */
  waiting: { data: string; test: string }[];
}

interface Module {
  path: string;
  reading: SourceReading | null;
}

const MOST_FILES = 1_000;

export async function dataOfTests(input: Case): Promise<TestData> {
  const { judged } = input;
  const { settings, trees, base } = input;
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const named = { stateDirectory: settings.paths.state_dir, extra: [], commandFiles: new Set<string>() };
  const said = [settings.paths.features, settings.paths.progress];
  const changes = judged.changes.filter(
    (change) =>
      change.from !== null &&
      !replaced.has(change.path) &&
      !said.includes(change.path) &&
      !judged.contract.includes(change.path) &&
      kindOf(change.path, named) === null,
  );
  const data = changes.filter((change) => languageOf(change.path) === null).map((change) => change.path);
  const values = await modulesOfValues(input, changes);
  if (data.length === 0 && values.length === 0) return { changed: [], readers: [], waiting: [] };
  const tests = new Set([...(input.baseline?.passing_tests ?? []).map(fileOf), ...testFilesOf(input.feature)]);
  const code = (await trees.list(base.tree)).map((entry) => entry.path).filter((path) => languageOf(path) !== null);
  const ofTests = code.filter((path) => tests.has(path) || isTestPath(path)).slice(0, MOST_FILES);
  const reached = await filesReachedFrom(trees, base.tree, ofTests);
  const left = new Set(judged.changes.map((change) => change.path));
  const modules = await readAll(
    input,
    [...new Set([...ofTests, ...reached.filter((path) => !left.has(path) && languageOf(path) !== null)])].slice(0, MOST_FILES),
  );
  const found = { changed: new Set<string>(), readers: new Set<string>() };
  const take = (file: string, by: Module): void => {
    found.changed.add(file);
    for (const reader of tests.has(by.path) ? [by.path] : tests) found.readers.add(reader);
  };
  const isReading = (module: Module, file: string): boolean =>
    (module.reading?.texts ?? []).some((word) => leadsTo(word, module.path, file));
  for (const module of modules) for (const file of data.filter((one) => isReading(module, one))) take(file, module);
  const waiting = modules
    .filter((module) => isTestFile(module.path) && !tests.has(module.path))
    .flatMap((module) => data.filter((one) => isReading(module, one)).map((one) => ({ data: one, test: module.path })));
  const others =
    values.length + waiting.length === 0 ? [] : await readAll(input, code.filter((path) => !ofTests.includes(path)).slice(0, MOST_FILES));
  for (const file of values.filter((one) => !others.some((module) => imports(module, one))))
    for (const module of modules.filter((one) => ofTests.includes(one.path) && imports(one, file))) take(file, module);
  const isOfCode = (file: string): boolean => others.some((module) => isReading(module, file));
  const open = waiting.filter((one) => !isOfCode(one.data) && !FOR_PEOPLE.test(one.data));
  return { changed: [...found.changed], readers: [...found.readers], waiting: open };
}

/** Words at the root of a project that are there to be read by people: tests that name them mostly make such a file of their own. */
const FOR_PEOPLE = /^(?:[^/]+\.(?:md|rst)|(?:README|CHANGE[^/]*|HISTORY|LICEN[CS]E|CONTRIBUTING|AUTHORS|NEWS)(?:\.\w+)?)$/i;

async function readAll({ platform, trees, base }: OpenCase, paths: readonly string[]): Promise<Module[]> {
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: (await trees.read(base.tree, path))?.toString('utf8') ?? '' })));
  const readings = await readSources(platform, texts);
  return paths.map((path, index) => ({ path, reading: readings[index] ?? null }));
}

/** Changed modules in which nothing is done: values alone, as they were before. */
async function modulesOfValues(input: OpenCase, changes: readonly TreeChange[]): Promise<string[]> {
  const modules = await readAll(
    input,
    changes.filter((change) => languageOf(change.path) !== null).map((change) => change.path),
  );
  return modules
    .filter(({ reading }) => reading !== null && reading.values.length > 0 && reading.functions.length + reading.tests.length === 0)
    .filter(({ path, reading }) => !handsOn(path, reading!))
    .map(({ path }) => path);
}

/** The entry of a package: it has what others do. */
function handsOn(path: string, { imports: taken, exports }: SourceReading): boolean {
  const real = taken.filter((one) => !one.isType);
  if (path.endsWith('.py')) return posix.basename(path) === '__init__.py' && real.length > 0;
  return exports.includes('*') || real.some((one) => one.names.length > 0 && one.locals.length === 0);
}

function imports({ path, reading }: Module, file: string): boolean {
  return (reading?.imports ?? []).some((one) => candidatesOf(one, path).includes(file));
}

function candidatesOf(one: SourceImport, path: string): string[] {
  if (path.endsWith('.py')) return pythonCandidates(one, path).flat();
  return one.specifier.startsWith('.') ? moduleCandidates(posix.join(posix.dirname(path), one.specifier)) : [];
}

/** Whether a text of the file at `path` leads to `file` or to a folder that holds it; a pattern leads to the folder that it begins with. */
export function leadsTo(word: string, path: string, file: string): boolean {
  if (word === '' || word.length > 300) return false;
  const pattern = /[*?{[]/.exec(word);
  if (pattern !== null) return leadsTo(word.slice(0, word.lastIndexOf('/', pattern.index) + 1), path, file);
  const parts = word
    .replace(/^\.?\//, '')
    .split('/')
    .filter((part) => part !== '..' && part !== '.' && part !== '');
  if (parts.length === 0) return false;
  const tail = parts.join('/');
  const isWhole = file === tail || file.endsWith(`/${tail}`);
  const folder = posix.normalize(posix.join(posix.dirname(path), word));
  return isWhole || file.startsWith(`${folder}/`) || (/^[\w-]+$/.test(tail) && file.startsWith(`${tail}/`));
}
