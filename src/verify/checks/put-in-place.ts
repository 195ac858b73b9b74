/**
 * What the code of the project puts in the place of the language's own: a test that holds with it need not hold without.
 *
 * 1. Looked at in the run without marks, so that it costs none. Most work replaces nothing, and nothing follows.
 * 2. What is replaced on the base as well, by its accepted tests or by loading the same modules, is a property of the project, unless the session
 *    changed the file that does it.
 * 3. Where code of the product stands in the place, a person is asked. Where it is that of a test, of a package or of nobody, only if loading the
 *    modules that the tests ask for is enough: a test may put in place what it likes, and leave it.
 */
import { posix } from 'node:path';
import type { TreeEdit } from '../../domain/tree.ts';
import type { Finding, Replaced, TestRun } from '../../domain/verdict.ts';
import type { Case, OpenCase } from '../case.ts';
import { moduleCandidates, pythonImports } from '../source/imports.ts';
import { readSource } from '../source/read-source.ts';
import type { SourceReading } from '../source/source.ts';
import { make, type Renamed } from './again.ts';
import { twinOf } from './check-force.ts';
import { collectedFiles, testSideOf, type TestSide } from './test-side.ts';

export interface InPlace {
  files: readonly string[];
  renamed: Renamed;
  seen: readonly Replaced[];
  /** The same run over other files of a tree. */
  run: (tree: string, files: readonly string[], of: { compared?: true; purpose: string }) => Promise<TestRun>;
}

export async function askAboutReplaced(input: Case, plain: TestRun, { files, renamed, seen, run }: InPlace): Promise<Finding[]> {
  const { platform, judged } = input;
  if (seen.length === 0) return [];
  const isOfTests = testSideOf(collectedFiles(input, [plain]));
  const placeOf = ({ by }: Replaced): string => renamed.original.get(by) ?? by;
  const isOfProduct = (one: Replaced): boolean => one.by !== '' && !isOfTests(placeOf(one));
  const suffix = platform.random.id(3);
  const also = [...new Set(seen.filter(isOfProduct).map(placeOf))];
  const before = await onBase(input, judged.tree, files, { isOfTests, suffix: input.base.tree.slice(0, 3), also, run });
  const changed = new Set(judged.changes.map((change) => change.path));
  const anew = seen.filter((one) => !before.has(one.what) || (isOfProduct(one) && changed.has(placeOf(one))));
  const foreign = anew.filter((one) => !isOfProduct(one));
  const edits =
    foreign.length === 0 ? [] : await loadingAlone(input, { judged: judged.tree, tree: judged.tree, files }, { isOfTests, suffix });
  const alone =
    edits.length === 0
      ? new Set<string>()
      : namesIn(
          await run(
            await input.trees.compose(judged.tree, edits),
            edits.map((edit) => edit.path),
            { purpose: 'neutral' },
          ),
        );
  const held = anew.filter((one) => isOfProduct(one) || alone.has(one.what));
  if (held.length === 0) return [];
  const subjects = [...new Set(held.map((one) => (isOfProduct(one) ? `${one.what} (${placeOf(one)})` : one.what)))].toSorted();
  return [
    make('neutral', 'tamper.toolchain', 'ask', 'the code overrides language built-ins, and the tests ran with those overrides', subjects),
  ];
}

function namesIn(run: TestRun): Set<string> {
  return new Set((run.replaced ?? []).map((one) => one.what));
}

interface Loading {
  isOfTests: TestSide;
  suffix: string;
  /** Modules that are loaded too, where they are there. */
  also?: readonly string[];
  run: InPlace['run'];
}

async function onBase(input: OpenCase, judged: string, files: readonly string[], { run, ...how }: Loading): Promise<Set<string>> {
  const { tree } = input.base;
  const there = new Set((await input.trees.list(tree)).map((entry) => entry.path));
  const edits = await loadingAlone(input, { judged, tree, files }, how);
  const all = [...files.filter((file) => there.has(file)), ...edits.map((edit) => edit.path)];
  return all.length === 0
    ? new Set()
    : namesIn(await run(await input.trees.compose(tree, edits), all, { compared: true, purpose: 'base' }));
}

/** Beside each test file of the judged tree one that only loads what that file takes from the product, as far as the other tree has it. */
async function loadingAlone(
  input: OpenCase,
  { judged, tree, files }: { judged: string; tree: string; files: readonly string[] },
  { isOfTests, suffix, also = [] }: Omit<Loading, 'run'>,
): Promise<Extract<TreeEdit, { kind: 'write' }>[]> {
  const { platform } = input;
  const paths = new Set((await input.trees.list(tree)).map((entry) => entry.path));
  const edits: Extract<TreeEdit, { kind: 'write' }>[] = [];
  for (const path of files) {
    const text = (await input.trees.read(judged, path))?.toString('utf8') ?? '';
    const reading = await readSource(platform, path, text);
    if (reading === null) continue;
    edits.push({ path: twinOf(path, suffix), kind: 'write', content: loadingOnly(path, text, reading, { paths, isOfTests, also }) });
  }
  return edits;
}

/** Pure. */
export function loadingOnly(
  path: string,
  text: string,
  reading: SourceReading,
  { paths, isOfTests, also }: { paths: { has(path: string): boolean }; isOfTests: TestSide; also: readonly string[] },
): string {
  const more = also.filter((file) => paths.has(file));
  if (reading.language === 'python') {
    const taken = pythonImports(text, path, paths).filter((file) => !isOfTests(file) && !file.endsWith('__init__.py'));
    const modules = [...taken, ...more];
    const names = modules.map((file) => file.replace(/\.py$/, '').replaceAll('/', '.'));
    const bare = (name: string): string => name.replace(/^(?:src|lib)\./, '');
    const isNamed = (name: string): boolean => new RegExp(`^\\s*(?:from|import)\\s+${name.replaceAll('.', '\\.')}\\b`, 'm').test(text);
    const words = names.flatMap((name) => [name, bare(name)].filter((one) => one === name || isNamed(one)));
    const loads = [...new Set(words)].map((name) => `try: import ${name}\nexcept ImportError: pass`);
    return `${loads.join('\n')}\n\n\ndef test_loaded():\n    pass\n`;
  }
  const isCommon = /\brequire\s*\(/.test(text) && !/^import\s/m.test(text);
  const load = (specifier: string): string =>
    isCommon ? `require(${JSON.stringify(specifier)});` : `import ${JSON.stringify(specifier)};`;
  const specifiers = [...new Set(reading.imports.filter((one) => !one.isType).map((one) => one.specifier))].filter((one) => {
    if (!one.startsWith('.')) return false;
    const file = moduleCandidates(posix.join(posix.dirname(path), one)).find((candidate) => paths.has(candidate));
    return file !== undefined && !isOfTests(file);
  });
  const own = reading.imports.find((one) => /^(?:node:test|vitest|@jest\/globals|bun:test|tape|ava|uvu|tap)$/.test(one.specifier));
  const name = own?.locals.find((one) => /^(?:test|it)$/.test(one)) ?? own?.locals[0] ?? (/\btest\s*\(/.test(text) ? 'test' : 'it');
  const head = own === undefined ? '' : text.slice(own.start, own.end);
  const body = /^(?:tape|ava|tap)$/.test(own?.specifier ?? '') ? '(t) => { t.pass(); t.end?.(); }' : '() => {}';
  const run = own?.specifier === 'uvu' ? `\n${name}.run();` : '';
  const others = more.map((file) => posix.relative(posix.dirname(path), file)).map((file) => (file.startsWith('.') ? file : `./${file}`));
  return `${[head, ...[...specifiers, ...others].map(load)].join('\n')}\n${name}('loaded', ${body});${run}\n`;
}
