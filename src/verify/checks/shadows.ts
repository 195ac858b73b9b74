/**
 * What accepted tests import must resolve to what it did: new files that could be found in its place.
 *
 * 1. Looked at are the tests that were there, their helpers and whatever they lead to, as the trusted tree has them.
 * 2. An import without an ending, or one that stands for a compiled file, may find several; Python looks beside the test first. Which one
 *    comes first is the tools' affair: a new one beside one that is still there is enough for a question.
 * 3. A Python module of the name of a folder takes that folder's place; a package file that does more than to name things can do so for every
 *    module beside it. One that was there may do what it likes, but not begin to say where its modules lie.
 * 4. A Python module that could be found under the name of one that the language has takes its place for everything that runs.
 * 5. Jest puts a file of `__mocks__` in the place of the package of that name, unasked; beside a module of that name it waits to be asked.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { posix } from 'node:path';
import type { TreeChange } from '../../domain/tree.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import { moduleCandidates, pythonCandidates } from '../source/imports.ts';
import { PYTHON_MODULES } from '../source/python-modules.ts';
import { readSource, readSources } from '../source/read-source.ts';
import { languageOf, type SourceStatement } from '../source/source.ts';
import { isTestPath } from './protected-paths.ts';
import { filesReachedFrom } from './reach.ts';

const MOST_FILES = 500;

/** Added files by which an import may lead elsewhere, each with what is found instead of what. */
export async function findShadows(
  platform: Platform,
  input: Pick<JudgeInput, 'trees' | 'base' | 'candidate' | 'baseline'>,
  changes: readonly TreeChange[],
  paths: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const added = changes.filter((change) => change.from === null && change.to !== null).map((change) => change.path);
  const code = added.filter((path) => languageOf(path) !== null || !posix.basename(path).includes('.'));
  const found = new Map(added.flatMap((path) => automaticMock(path, paths, added)));
  const turned = changes.filter(({ path, from, to }) => from !== null && to !== null && posix.basename(path) === '__init__.py');
  if (code.length + turned.length === 0) return found;
  const now = pathSetOf(await input.trees.list(input.candidate.tree));
  const tests = [
    ...new Set([
      ...(input.baseline?.passing_tests ?? []).map(fileOf),
      ...[...paths].filter((path) => languageOf(path) !== null && isTestPath(path)),
    ]),
  ];
  const files = (await filesReachedFrom(input.trees, input.base.tree, tests.filter((path) => paths.has(path)).slice(0, MOST_FILES))).slice(
    0,
    MOST_FILES,
  );
  const texts = await Promise.all(
    files
      .filter((path) => languageOf(path) !== null)
      .map(async (path) => ({ path, text: (await input.trees.read(input.base.tree, path))?.toString('utf8') ?? '' })),
  );
  const readings = await readSources(platform, texts);
  for (const [path, instead] of await newPackages(platform, input, code, files)) found.set(path, instead);
  for (const { path } of turned)
    if (await leadsElsewhere(platform, input, path, files)) found.set(path, `${path}: changes where modules of its package are found`);
  for (const path of code.filter((one) => isInPlaceOfPython(one, now, tests)))
    found.set(path, `${path}: shadows the built-in module '${moduleNameOf(path)}'`);
  const isNew = new Set(code);
  for (const [index, { path }] of texts.entries()) {
    for (const one of readings[index]?.imports ?? []) {
      const candidates = path.endsWith('.py')
        ? pythonCandidates(one, path)
        : one.specifier.startsWith('.')
          ? [moduleCandidates(posix.join(posix.dirname(path), one.specifier))]
          : [];
      for (const group of candidates) takeShadow(group, { from: path, name: one.specifier, paths, now, isNew }, found);
    }
  }
  return found;
}

/** In a folder in which Python looks for modules: at the top, where sources begin, or beside tests. */
function isInPlaceOfPython(path: string, now: ReadonlySet<string>, tests: readonly string[]): boolean {
  if (!path.endsWith('.py') || !PYTHON_MODULES.has(moduleNameOf(path))) return false;
  const folder = folderOf(posix.basename(path) === '__init__.py' ? posix.dirname(path) : path);
  if (now.has(posix.join(folder, '__init__.py'))) return false;
  return SOURCE_ROOTS.has(folder) || tests.some((one) => folderOf(one) === folder);
}

const SOURCE_ROOTS: ReadonlySet<string> = new Set(['', 'src', 'lib', 'python']);

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

function moduleNameOf(path: string): string {
  return posix.basename(path) === '__init__.py' ? posix.basename(posix.dirname(path)) : posix.basename(path, '.py');
}

/** Python files that come before a folder that tests import from. */
async function newPackages(
  platform: Platform,
  { trees, candidate }: Pick<JudgeInput, 'trees' | 'candidate'>,
  added: readonly string[],
  reached: readonly string[],
): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const path of added.filter((one) => one.endsWith('.py'))) {
    const isPackage = posix.basename(path) === '__init__.py';
    const folder = isPackage ? posix.dirname(path) : path.replace(/\.py$/, '');
    if (!reached.some((one) => one.startsWith(`${folder}/`))) continue;
    if (!isPackage) found.push([path, `${path}: shadows the folder ${folder}/, from which tests import`]);
    else if (!(await onlyNames(platform, trees, candidate.tree, path)))
      found.push([path, `${path}: runs before every module of ${folder}/, from which tests import`]);
  }
  return found;
}

/** A package file that was there, with a statement about the place of its modules that it did not have. */
async function leadsElsewhere(
  platform: Platform,
  { trees, base, candidate }: Pick<JudgeInput, 'trees' | 'base' | 'candidate'>,
  path: string,
  reached: readonly string[],
): Promise<boolean> {
  if (!reached.some((one) => one.startsWith(`${posix.dirname(path)}/`))) return false;
  const [before, now] = await Promise.all(
    [base.tree, candidate.tree].map(async (tree) => {
      const text = (await trees.read(tree, path))?.toString('utf8') ?? '';
      const reading = await readSource(platform, path, text);
      return reading === null ? [text] : reading.statements.map((one) => text.slice(one.start, one.end));
    }),
  );
  return now!.some((statement) => /\b__path__\b/.test(statement) && !before!.includes(statement));
}

/** Imports, words and plain values. */
async function onlyNames(platform: Platform, trees: JudgeInput['trees'], tree: string, path: string): Promise<boolean> {
  const text = (await trees.read(tree, path))?.toString('utf8') ?? '';
  const reading = await readSource(platform, path, text);
  const isWords = (one: SourceStatement): boolean => /^[rRuU]?["']/.test(text.slice(one.start, one.start + 2));
  return (
    reading !== null &&
    reading.statements.every((one) => (one.kind === 'import' || one.isPure || isWords(one)) && !one.names.includes('__path__'))
  );
}

interface Look {
  from: string;
  name: string;
  paths: ReadonlySet<string>;
  now: ReadonlySet<string>;
  isNew: ReadonlySet<string>;
}

/** `group`: everything that one import could mean. */
function takeShadow(group: readonly string[], { from, name, paths, now, isNew }: Look, found: Map<string, string>): void {
  const before = group.find((path) => paths.has(path) && now.has(path));
  if (before === undefined || before === group[0]) return;
  for (const path of group) if (isNew.has(path)) found.set(path, `${path}: ${from} imports '${name}', which was ${before}`);
}

function automaticMock(path: string, paths: ReadonlySet<string>, added: readonly string[]): [string, string][] {
  const match = /^(.*\/)?__mocks__\/(.+?)\.[cm]?[jt]sx?$/.exec(path);
  if (match === null) return [];
  const [, folder = '', name = ''] = match;
  const isBeside = [...paths, ...added].some((other) => other.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, '') === `${folder}${name}`);
  return isBeside ? [] : [[path, `${path}: replaces the package '${name}' in every test`]];
}
