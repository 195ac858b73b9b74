/**
 * Modules outside of the tests from which accepted tests take what they expect: samples, tables that a function makes.
 *
 * 1. A changed module counts where an accepted test imports it, expects what comes from it and looks at nothing of it.
 * 2. The test runs on the new code with the earlier version of that module, which stands beside the new one: the code itself has the new one. The
 *    data that the module names is the earlier one as well.
 * 3. What does not pass so on the code from before either says nothing: it asks whether two things are one and the same.
 */
import { posix } from 'node:path';
import type { TreeChange, TreeEdit } from '../../domain/tree.ts';
import { fileOf, type Finding } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import { runSuite } from '../run/suite.ts';
import { javascriptImports, moduleCandidates, pythonCandidates, pythonImports } from '../source/imports.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf, type SourceImport, type SourceReading } from '../source/source.ts';
import type { JudgedTree } from './check-protected.ts';
import { isTestPath } from './protected-paths.ts';
import { leadsTo } from './test-data.ts';

const MOST_TESTS = 300;

interface Taken {
  test: string;
  /** Its text with the import led to the twin. */
  text: string;
  module: TreeChange;
  twin: string;
}

export async function checkExpected(platform: Platform, input: JudgeInput, judged: JudgedTree): Promise<Finding[]> {
  const taken = await expectedModules(platform, input, judged);
  if (taken.length === 0) return [];
  const twins = taken.flatMap(({ test, text, module, twin }): TreeEdit[] => [
    { path: twin, kind: 'entry', entry: { ...module.from!, path: twin } },
    { path: test, kind: 'write', content: text },
  ]);
  const data = await dataOf(platform, input, judged, taken);
  const back = data.map((change): TreeEdit => ({ path: change.path, kind: 'entry', entry: change.from! }));
  const files = [...new Set(taken.map(({ test }) => test))];
  const lostIn = async (tree: string, edits: readonly TreeEdit[]): Promise<string[]> => {
    const request = { ...input, tree: await input.trees.compose(tree, [...edits]), files, room: 'contract', purpose: 'old-contract' };
    const run = await runSuite(platform, { ...request, mixed: true });
    const passed = new Set(run.tests.filter((test) => test.status === 'passed').map((test) => test.id));
    return input.baseline!.passing_tests.filter((id) => files.includes(fileOf(id)) && !passed.has(id));
  };
  const now = await lostIn(judged.tree, [...twins, ...back]);
  const before = now.length === 0 ? [] : await lostIn(input.base.tree, twins);
  const lost = now.filter((id) => !before.includes(id));
  const named = [...new Set(taken.map(({ module }) => module.path)), ...data.map(({ path }) => path)].join(', ');
  const message = `tests pass only with the changed version of ${named}, from which they take what they expect`;
  return lost.length === 0 ? [] : [{ check: 'old-contract', reason: 'tamper.tests', weight: 'ask', message, subjects: lost.slice(0, 50) }];
}

async function expectedModules(platform: Platform, input: JudgeInput, judged: JudgedTree): Promise<Taken[]> {
  const { trees, base, baseline } = input;
  const replaced = new Set([...judged.edits.map((edit) => edit.path), ...judged.contract, ...judged.helpers]);
  const modules = new Map(
    judged.changes
      .filter(({ path, from, to }) => from !== null && to !== null && languageOf(path) !== null && !isTestPath(path) && !replaced.has(path))
      .map((change) => [change.path, change]),
  );
  const tests = modules.size < 2 ? [] : [...new Set((baseline?.passing_tests ?? []).map(fileOf))].slice(0, MOST_TESTS);
  const taken: Taken[] = [];
  for (const test of tests.filter((one) => languageOf(one) !== null && !replaced.has(one))) {
    const text = (await trees.read(base.tree, test))?.toString('utf8') ?? '';
    const reached = test.endsWith('.py') ? pythonImports(text, test, modules) : javascriptImports(text, test, modules);
    const reading = reached.length === 0 ? null : await readSource(platform, test, text);
    for (const one of reading?.imports ?? []) {
      const module = filesOf(one, test).flatMap((path) => modules.get(path) ?? [])[0];
      if (module === undefined || !isExpected(one, reading!)) continue;
      const suffix = platform.random.id(3);
      const twin = module.path.replace(/(\.[cm]?[jt]sx?|\.py)$/, `_${suffix}$1`);
      taken.push({ test, module, twin, text: ledTo(text, one, suffix) });
    }
  }
  return taken;
}

/** Whether tests expect something of it, and look at nothing of it. */
function isExpected({ names }: SourceImport, reading: SourceReading): boolean {
  const assertions = reading.tests.flatMap((one) => one.assertions);
  const has = (some: readonly string[]): boolean => names.some((name) => some.includes(name));
  return assertions.some((one) => has(one.expects)) && !assertions.some((one) => has(one.looksAt) && !has(one.expects));
}

function filesOf(one: SourceImport, path: string): string[] {
  if (path.endsWith('.py')) return pythonCandidates({ ...one, names: [] }, path).at(-1) ?? [];
  return one.specifier.startsWith('.') ? moduleCandidates(posix.join(posix.dirname(path), one.specifier)) : [];
}

function ledTo(text: string, { start, end, specifier }: SourceImport, suffix: string): string {
  const other = specifier.replace(/((?:\.[cm]?[jt]sx?)?)$/, `_${suffix}$1`);
  return `${text.slice(0, start)}${text.slice(start, end).replace(specifier, other)}${text.slice(end)}`;
}

/** Changed files that these modules name. */
async function dataOf(platform: Platform, { trees, base }: JudgeInput, judged: JudgedTree, taken: readonly Taken[]): Promise<TreeChange[]> {
  const changed = judged.changes.filter(({ path, from, to }) => from !== null && to !== null && languageOf(path) === null);
  const found = new Set<TreeChange>();
  for (const { path } of changed.length === 0 ? [] : taken.map(({ module }) => module)) {
    const reading = await readSource(platform, path, (await trees.read(base.tree, path))?.toString('utf8') ?? '');
    for (const change of changed) if (reading?.texts.some((word) => leadsTo(word, path, change.path)) === true) found.add(change);
  }
  return [...found];
}
