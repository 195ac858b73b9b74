/**
 * Modules outside of the tests from which accepted tests take what they expect, or that assert for them: samples, tables that a function
 * makes, checking functions, matchers.
 *
 * 1. A changed module counts where an accepted test imports it, looks at nothing of it, and expects what comes from it, hands it to its
 *    runner as the file is loaded, or passes on the code from before also where the module does nothing: then it only checks.
 * 2. The test runs on the new code with the earlier version of that module, which stands beside the new one: the code itself has the new one. The
 *    data that the module names is the earlier one as well.
 * 3. What does not pass so on the code from before either says nothing: it asks whether two things are one and the same.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import type { TreeChange, TreeEdit } from '../../domain/tree.ts';
import { fileOf, type Finding } from '../../domain/verdict.ts';
import type { Case, JudgedTree, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { runSuite } from '../run/suite.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf, type SourceImport, type SourceReading } from '../source/source.ts';
import { wrongnessOf } from './check-matter.ts';
import { allUnits, wrongText } from './make-wrong.ts';
import { isTestPath } from './protected-paths.ts';
import { filesReachedFrom, filesReaching } from './reach.ts';
import { leadsTo } from './test-data.ts';
import { filesNamed, twinEdits } from './twins.ts';

const MOST_TESTS = 300;
/** Modules that are looked at for whether they only check. */
const MOST_CHECKING = 6;

interface Taken {
  test: string;
  /** Those that get a twin: the changed ones, and what hands them on. */
  modules: string[];
  changed: string[];
  /** Whether it counts only where it does nothing but check. */
  maybe: boolean;
}

export async function checkExpected(input: Case): Promise<Finding[]> {
  const { judged } = input;
  const found = await takenModules(input);
  const checking = await onlyChecking(
    input,
    found.filter((one) => one.maybe),
  );
  const taken = [...found.filter((one) => !one.maybe), ...checking];
  if (taken.length === 0) return [];
  const data = await dataOf(input, taken);
  const back = data.map((change): TreeEdit => ({ path: change.path, kind: 'entry', entry: change.from! }));
  const files = filesOf(taken);
  const twins = await twinsFor(input, taken);
  const now = await lostTests(input, judged.tree, [...twins, ...back], files);
  const before = now.length === 0 ? [] : await lostTests(input, input.base.tree, twins, files);
  const lost = now.filter((id) => !before.includes(id));
  const named = [...new Set(taken.flatMap(({ changed }) => changed)), ...data.map(({ path }) => path)].join(', ');
  const message = `tests pass only with the changed version of ${named}, which provides their expected values or assertions`;
  return lost.length === 0 ? [] : [{ check: 'old-contract', reason: 'tamper.tests', weight: 'ask', message, subjects: lost.slice(0, 50) }];
}

function filesOf(taken: readonly Taken[]): string[] {
  return [...new Set(taken.map(({ test }) => test))];
}

/** Tests of the baseline that do not pass in a tree with these edits. */
export async function lostTests(input: OpenCase, tree: string, edits: readonly TreeEdit[], files: readonly string[]): Promise<string[]> {
  const { platform } = input;
  const whole = await input.trees.compose(tree, [...edits]);
  const run = await runSuite(platform, {
    ...input,
    tree: whole,
    files: [...files],
    room: 'contract',
    purpose: 'old-contract',
    mixed: true,
  });
  const passed = new Set(run.tests.filter((test) => test.status === 'passed').map((test) => test.id));
  return input.baseline!.passing_tests.filter((id) => files.includes(fileOf(id)) && !passed.has(id));
}

async function twinsFor(
  input: OpenCase,
  taken: readonly Taken[],
  turned?: (path: string, text: string, reading: SourceReading) => string,
): Promise<TreeEdit[]> {
  const { platform } = input;
  const edits: TreeEdit[] = [];
  for (const test of filesOf(taken)) {
    const modules = new Set(taken.filter((one) => one.test === test).flatMap((one) => one.modules));
    edits.push(...(await twinEdits(platform, input, { readers: [test], modules, suffix: platform.random.id(3), turned })));
  }
  return edits;
}

/** Changed code that was there, outside of the tests, and runs as the session left it. */
export function changedModules(judged: JudgedTree): Map<string, TreeChange> {
  const replaced = new Set([...judged.edits.map((edit) => edit.path), ...judged.contract, ...judged.helpers]);
  return new Map(
    judged.changes
      .filter(({ path, from, to }) => from !== null && to !== null && languageOf(path) !== null && !isTestPath(path) && !replaced.has(path))
      .map((change) => [change.path, change]),
  );
}

async function takenModules(input: Case): Promise<Taken[]> {
  const { platform, judged } = input;
  const { trees, base, baseline } = input;
  const replaced = new Set([...judged.edits.map((edit) => edit.path), ...judged.contract, ...judged.helpers]);
  const changed = new Set(changedModules(judged).keys());
  const accepted = changed.size < 2 ? [] : [...new Set((baseline?.passing_tests ?? []).map(fileOf))].slice(0, MOST_TESTS);
  const tests = accepted.filter((one) => languageOf(one) !== null && !replaced.has(one));
  const taken: Taken[] = [];
  for (const test of tests.length === 0 ? [] : await filesReaching(trees, base.tree, tests, changed)) {
    const text = (await trees.read(base.tree, test))?.toString('utf8') ?? '';
    const reading = await readSource(platform, test, text);
    for (const one of reading?.imports ?? []) {
      const use = useOf(one, reading!, text);
      if (use === null) continue;
      const led = await ledThrough(input, filesNamed(one.specifier, test), changed, use === 'called');
      if (led.changed.length > 0) taken.push({ test, ...led, maybe: use === 'called' });
    }
  }
  return taken;
}

/** Changed modules that an import leads to, and what lies between; `directly`: only what it names. */
async function ledThrough(
  { trees, base }: JudgeInput,
  named: readonly string[],
  changed: ReadonlySet<string>,
  directly: boolean,
): Promise<Pick<Taken, 'modules' | 'changed'>> {
  const own = named.filter((path) => changed.has(path)).slice(0, 1);
  if (own.length > 0 || directly) return { modules: own, changed: own };
  const there = pathSetOf(await trees.list(base.tree));
  const first = named.find((path) => there.has(path));
  if (first === undefined) return { modules: [], changed: [] };
  const reached = await filesReachedFrom(trees, base.tree, [first]);
  const found = reached.filter((path) => changed.has(path));
  const between = await filesReaching(trees, base.tree, reached, new Set(found));
  return { modules: [...new Set([...found, ...between])], changed: found };
}

/** What tests do with what they import, where they look at nothing of it; null: they look at it. */
function useOf({ locals: names }: SourceImport, reading: SourceReading, text: string): 'expected' | 'registered' | 'called' | null {
  const assertions = reading.tests.flatMap((one) => one.assertions);
  const has = (some: readonly string[]): boolean => names.some((name) => some.includes(name));
  if (assertions.some((one) => has(one.looksAt) && !has(one.expects))) return null;
  if (assertions.some((one) => has(one.expects))) return 'expected';
  const handed = reading.statements.filter((one) => one.kind === 'other').map((one) => text.slice(one.start, one.end));
  const isHanded = names.some((name) => handed.some((words) => new RegExp(`[({,\\s]${name}\\s*[,})]`).test(words)));
  return isHanded ? 'registered' : names.length > 0 ? 'called' : null;
}

/** Those without which the tests pass all the same on the code from before, each by itself. */
async function onlyChecking(input: OpenCase, taken: readonly Taken[]): Promise<Taken[]> {
  const { platform } = input;
  const hollow = wrongnessOf(platform, 'hollow');
  const found: Taken[] = [];
  for (const path of [...new Set(taken.flatMap((one) => one.changed))].slice(0, MOST_CHECKING)) {
    const some = taken.filter((one) => one.changed.includes(path));
    const twins = await twinsFor(input, some, (at, text, reading) => wrongText({ text, path: at, reading }, allUnits(reading), hollow));
    const lost = await lostTests(input, input.base.tree, twins, filesOf(some));
    found.push(...some.filter(({ test }) => !lost.some((id) => fileOf(id) === test)));
  }
  return found;
}

/** Changed files that these modules name. */
async function dataOf({ platform, trees, base, judged }: Case, taken: readonly Taken[]): Promise<TreeChange[]> {
  const changed = judged.changes.filter(({ path, from, to }) => from !== null && to !== null && languageOf(path) === null);
  const found = new Set<TreeChange>();
  for (const path of changed.length === 0 ? [] : taken.flatMap((one) => one.modules)) {
    const reading = await readSource(platform, path, (await trees.read(base.tree, path))?.toString('utf8') ?? '');
    for (const change of changed) if (reading?.texts.some((word) => leadsTo(word, path, change.path)) === true) found.add(change);
  }
  return [...found];
}
