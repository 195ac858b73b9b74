/**
 * Test files of a command that is not read test by test. Nothing tells there which tests ran, so each file that holds tests, or that
 * the command can be seen to read for them, is protected as a file.
 */
import { posix } from 'node:path';
import { expandGlob } from '../../domain/glob.ts';
import { isTestPath } from './protected-paths.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

/**
 * Files of the trusted tree. `commands` may name folders; `scripts` are texts that the command reads, `named` the files that it names.
 * A folder in which some names tell the tests is left to its names.
 */
export function filesOfTests(
  paths: ReadonlySet<string>,
  { commands, scripts, named }: { commands: readonly string[]; scripts: readonly string[]; named: ReadonlySet<string> },
): Set<string> {
  const all = [...paths];
  const found = new Set(all.filter(isTestLike));
  const told = new Set([...found].flatMap(foldersOf));
  const folders = new Set([...[...named].map((path) => posix.dirname(path)), ...commands.flatMap(placesIn)]);
  const isOfTests = (folder: string): boolean => folders.has(folder) && !told.has(folder);
  const globbed = [...commands, ...scripts].flatMap(placesIn).filter((place) => /[*?[{]/.test(place) && place.includes('/'));
  const matching = new Set([...new Set(globbed)].slice(0, MOST_GLOBS).flatMap((place) => expandGlob(place, all)));
  for (const path of all)
    if (!isSource(path) && !COMPILED.test(path) && (matching.has(path) || foldersOf(path).some(isOfTests))) found.add(path);
  return found;
}

const LONGEST_PATH = 300;
const MOST_GLOBS = 100;
/** Compilers are given their sources by folder as well. */
const COMPILED = /\.(?:c|cc|cpp|cxx|h|hh|hpp|rs|go|java|kt|swift|cs|m|mm|scala|zig)$/i;

function placesIn(text: string): string[] {
  return text
    .replace(/(?:\bcd|\s-C|--prefix|--cwd|--dir)[ =]+\S+/g, ' ')
    .split(/[\s'"`;|&<>()=,$@]+/)
    .map((word) => word.replace(/^(?:\.\/)+/, '').replace(/\/+(?:\.\.\.)?$/, ''))
    .filter((place) => place !== '' && place.length <= LONGEST_PATH);
}

/** What is tested lies there, whoever names it. */
const SOURCE_FOLDERS: ReadonlySet<string> = new Set(
  'src source sources lib libs app apps cmd internal pkg packages crates modules include bin scripts tools dist build out target docs doc public static assets vendor'.split(
    ' ',
  ),
);

function isSource(path: string): boolean {
  return SOURCE_FOLDERS.has(beforeFirst(path, '/').toLowerCase());
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}

const TEST_WORDS: ReadonlySet<string> = new Set(['test', 'tests', 'spec', 'specs', 'testcase', 'testcases']);
const TEST_FOLDERS = /^(?:tests?|specs?|e2e|testdata|testcases?|fixtures?|t)$/;
const PROSE = /\.(?:md|markdown|rst|txt|adoc|html?)$/i;

/** By its place or its name, in whatever language: `FooTest.java`, `foo_spec.rb`, `run-tests.sh`, `t/basic.t`, `suite.bats`. */
export function isTestLike(path: string): boolean {
  if (isTestPath(path) || /\.(?:bats|t|feature)$|IT\.(?:java|kt|groovy|scala)$/.test(path)) return true;
  const [name = '', ...folders] = path.split('/').toReversed();
  if (folders.some((folder) => TEST_FOLDERS.test(folder.toLowerCase()) || isTestWord(wordsOf(folder).at(-1)))) return true;
  const words = wordsOf(name.replace(/\.[^.]*$/, ''));
  return !PROSE.test(name) && name.includes('.') && (isTestWord(words.at(-1)) || isTestWord(words[0]));
}

function isTestWord(word: string | undefined): boolean {
  return word !== undefined && TEST_WORDS.has(word);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}
