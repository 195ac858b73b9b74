/**
 * Code that tests rely on was changed: helpers, builders, fixtures in code. It is free where nothing shows that the tests are worth less by it.
 *
 * 1. Every test that counted passes with the earlier version as well as with the new one, on the new code.
 * 2. Where everything that these tests reach is wrong, what falls with the earlier version falls with the new one.
 * 3. What runners load by themselves (package files, preloads, plug-ins) is imported by nobody: then every test may rely on it.
 * 4. Whatever cannot be shown is asked: tests that rely on it and do not count yet, tests that notice nothing in either version.
 */
import { testFilesOf } from '../../domain/test-files.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { fileOf, type Finding, type TestRun } from '../../domain/verdict.ts';
import type { Case, JudgedTree, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { isFailure } from '../../domain/test-results.ts';
import { runSuite } from '../run/suite.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { languageOf } from '../source/source.ts';
import { wrongnessOf } from './check-matter.ts';
import { isTestFile } from './protected-paths.ts';
import { filesReaching } from './reach.ts';
import type { Wrongness } from './wrongness.ts';
import { notForEver, wrongEverywhere } from './wrong-everywhere.ts';

export async function checkHelpers(input: Case): Promise<Finding[]> {
  const { judged } = input;
  const { helpers } = judged;
  if (helpers.length === 0) return [];
  const counted = new Set((input.baseline?.passing_tests ?? []).map(fileOf));
  const relying = await testsRelyingOn(input, helpers, counted);
  const others = relying.filter((file) => !counted.has(file));
  if (others.length > 0) return [ask(`tests of unverified features rely on ${namesOf(helpers)}, which was changed`, others)];
  if (relying.length === 0) return [];
  const back = setBack(judged, [...helpers, ...judged.contract]);
  const before = await input.trees.compose(judged.tree, back);
  const earlier = await run(input, before, relying, 'old-contract');
  const passed = new Set(earlier.tests.filter((test) => test.status === 'passed').map((test) => test.id));
  const lost = input.baseline!.passing_tests.filter((id) => relying.includes(fileOf(id)) && !passed.has(id));
  if (lost.length > 0) return [ask(`tests pass only with the changed version of ${namesOf(helpers)}`, lost)];
  return await compareForce(input, { before, relying });
}

function ask(message: string, subjects: readonly string[]): Finding {
  return { check: 'old-contract', reason: 'tamper.tests', weight: 'ask', message, subjects: subjects.slice(0, 50) };
}

function namesOf(helpers: readonly string[]): string {
  return helpers.length > 3 ? `${helpers.slice(0, 3).join(', ')} and ${helpers.length - 3} more` : helpers.join(', ');
}

/** Test files of the base that come to one of these. The assigned feature's own counts with its earlier version, as every changed test does. */
export async function testsRelyingOn(input: JudgeInput, helpers: readonly string[], counted: ReadonlySet<string>): Promise<string[]> {
  const { trees, base, feature } = input;
  const own = new Set(testFilesOf(feature));
  const tests = (await trees.list(base.tree))
    .map((entry) => entry.path)
    .filter((path) => languageOf(path) !== null && (counted.has(path) || isTestFile(path)) && !helpers.includes(path));
  const relying = new Set<string>();
  for (const helper of helpers) {
    const found = await filesReaching(trees, base.tree, tests, new Set([helper]));
    for (const path of found.length > 0 ? found : tests.filter((one) => counted.has(one))) relying.add(path);
  }
  return [...relying].filter((path) => counted.has(path) || !own.has(path));
}

function setBack({ changes }: JudgedTree, paths: readonly string[]): TreeEdit[] {
  return changes.flatMap((change): TreeEdit[] =>
    paths.includes(change.path) && change.from !== null ? [{ path: change.path, kind: 'entry', entry: change.from }] : [],
  );
}

/** Two kinds of wrong values: far off, and off by one. */
async function compareForce(input: Case, { before, relying }: { before: string; relying: readonly string[] }): Promise<Finding[]> {
  const { platform, judged } = input;
  const noticed = new Set<string>();
  for (const wrongness of [wrongnessOf(platform, 'one'), { ...wrongnessOf(platform, 'other'), offset: 1 }] satisfies Wrongness[]) {
    const fell = async (tree: string): Promise<TestRun> => {
      const edits = await wrongEverywhere(input, tree, { files: relying, wrongness, spared: judged.helpers });
      return await run({ ...input, ...notForEver(input) }, await input.trees.compose(tree, edits), relying, 'force');
    };
    const [old, now] = [await fell(before), await fell(judged.tree)];
    const status = new Map(now.tests.map((test) => [test.id, test.status]));
    const failed = old.tests.filter((test) => isFailure(test) && test.name !== WHOLE_FILE && test.failure !== 'import');
    const disarmed = failed.filter((test) => status.get(test.id) === 'passed').map((test) => test.id);
    if (disarmed.length > 0)
      return [ask(`accepted tests no longer fail when the code is wrong, since ${namesOf(judged.helpers)} was changed`, disarmed)];
    for (const test of failed) noticed.add(test.file);
  }
  const blind = relying.filter((file) => !noticed.has(file));
  return blind.length === 0
    ? []
    : [
        ask(
          `${namesOf(judged.helpers)} was changed, and the harness could not show that tests relying on it are as strict as before`,
          blind,
        ),
      ];
}

function run(input: OpenCase, tree: string, files: readonly string[], purpose: string): Promise<TestRun> {
  const { platform } = input;
  return runSuite(platform, { ...input, tree, files: [...files], room: 'contract', variant: { forceExit: true }, purpose, mixed: true });
}
