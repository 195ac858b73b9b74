/**
 * Runs of other mixtures of old and new: the feature's tests on the code from before, and the trusted tests on the new code.
 */
import type { TreeEdit } from '../domain/tree.ts';
import type { Finding } from '../domain/verdict.ts';
import type { Platform } from '../platform/platform.ts';
import { fileOf } from './baseline.ts';
import type { JudgedTree } from './check-protected.ts';
import { describeTest } from './check-tests.ts';
import type { JudgeInput } from './contract.ts';
import type { CheckResult } from './docket.ts';
import { isTestPath } from './protected-paths.ts';
import { compareRed } from './red.ts';
import { runSuite } from './suite.ts';

/** New tests on old code: they must fail there. */
export async function checkRed(platform: Platform, input: JudgeInput, judged: JudgedTree, green: readonly string[]): Promise<{ result: CheckResult; redToGreen: string[] }> {
  const file = input.feature!.test_file!;
  const tree = await input.trees.compose(input.base.tree, testsOf(judged, file));
  const before = await runSuite(platform, { ...input, tree, files: [file], room: 'base' });
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const { redToGreen, alreadyGreen } = compareRed({ green, before: before.tests, baseline });
  const findings: Finding[] = [];
  const make = (weight: Finding['weight'], message: string, subjects: readonly string[]): Finding => ({ check: 'red', reason: 'test.not_red', weight, message, subjects: subjects.slice(0, 50) });
  if (redToGreen.length === 0) findings.push(make('reject', `no test of ${file} fails on the code from before the session, so it does not show that the feature was missing`, green));
  else if (alreadyGreen.length > 0) findings.push(make('warn', `${alreadyGreen.length} tests of ${file} pass on the code from before the session as well`, alreadyGreen));
  return { result: { findings, detail: `${redToGreen.length} of ${green.length} went from red to green` }, redToGreen };
}

/** The feature's test file and what was added beside it for tests. */
function testsOf(judged: JudgedTree, file: string): TreeEdit[] {
  const left = new Set(judged.edits.map((edit) => edit.path));
  return judged.changes.flatMap((change): TreeEdit[] => {
    const wanted = change.path === file || (change.status === 'added' && isTestPath(change.path));
    return wanted && change.to !== null && !left.has(change.path) ? [{ path: change.path, kind: 'entry', entry: change.to }] : [];
  });
}

/** Trusted tests on new code, for files that run in the candidate's version otherwise. */
export async function checkOldContract(platform: Platform, input: JudgeInput, judged: JudgedTree): Promise<CheckResult> {
  const edits = judged.changes.flatMap((change): TreeEdit[] => (judged.contract.includes(change.path) && change.from !== null ? [{ path: change.path, kind: 'entry', entry: change.from }] : []));
  const tree = await input.trees.compose(judged.tree, edits);
  const run = await runSuite(platform, { ...input, tree, files: judged.contract, room: 'contract' });
  const now = new Map(run.tests.map((test) => [test.id, test.status]));
  const expected = (input.baseline?.passing_tests ?? []).filter((id) => judged.contract.includes(fileOf(id)));
  const lost = expected.filter((id) => now.get(id) !== 'passed');
  const others = run.tests.filter((test) => test.status !== 'passed' && !expected.includes(test.id));
  const findings: Finding[] = [];
  if (lost.length > 0) findings.push({ check: 'old-contract', reason: 'regression', weight: 'reject', message: `${lost.length} tests that passed before do not pass in their earlier version`, subjects: lost.slice(0, 50) });
  if (others.length > 0) findings.push({ check: 'old-contract', reason: 'tamper.tests', weight: 'ask', message: "the feature's test was rewritten, and its earlier version does not pass on the new code", subjects: others.slice(0, 50).map(describeTest) });
  return { findings, detail: `${run.tests.length - lost.length - others.length} of ${run.tests.length} tests hold in their earlier version` };
}
