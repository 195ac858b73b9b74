/**
 * Accepted tests are remembered: the versions in which they were accepted run against the candidate, each under its own name.
 *
 * 1. What fails is repeated, and base runs the same: a version that fails there as well is set aside for this verdict.
 * 2. A failure is a regression. Where the candidate changes the test or what it runs with, it needs review. Where the feature may change the test, the
 *    version is released.
 * 3. Four runs a verdict. What has to wait runs in the next one.
 */
import { counted } from '../../domain/counted.ts';
import { matchesGlob } from '../../domain/glob.ts';
import { versionWords } from '../../domain/accepted.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { fileOf, type EarlierVersions, type Finding, type TestResult, type TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';
import { passingIds } from '../memory/baseline.ts';
import { againIn, repeatFailures, type Repeated } from '../repeats.ts';
import { runSuite } from '../run/suite.ts';
import { withFailures } from '../checks/with-failures.ts';
import { findVersions, type EarlierVersion } from './find-versions.ts';
import { groupVersions } from './select.ts';

export const ACCEPTED: Check = {
  id: 'accepted',
  title: 'accepted versions',
  weight: 'reject',
  after: ['feature-test'],
  cost: 'trial',
  ends: true,
  applies: (_judged, { suite }) => suite !== null,
  run: checkAccepted,
  doc: 'Every version in which a test was accepted still passes, if it reaches the change.',
};

/** A version that ran, with the ids of its tests that did not pass. */
interface Outcome {
  version: EarlierVersion;
  failed: string[];
  flaky: string[];
  /** Not passed on base either. */
  before: string[];
  tests: readonly TestResult[];
}

async function checkAccepted(input: Case): Promise<CheckResult> {
  const { versions, gone } = await findVersions(input);
  if (versions.length + gone.length === 0)
    return { findings: [], detail: 'no earlier version of a test reaches the change', skipped: true };
  const { groups, left } = groupVersions(versions, new Set(input.accepted?.left ?? []));
  const outcomes: Outcome[] = [];
  for (const group of groups) outcomes.push(...(await runGroup(input, group)));
  const failed = outcomes.filter((one) => one.failed.length > 0);
  const released = failed.filter(({ version }) => mayChange(input, version.file));
  const against = failed.filter((one) => !released.includes(one));
  const earlier: EarlierVersions = {
    ran: outcomes.map(({ version }) => refOf(version)),
    failed: against.map(({ version }) => refOf(version)),
    released: released.map(({ version }) => refOf(version)),
    left: left.map(({ id }) => id),
  };
  return {
    findings: [
      ...failedFindings(against.filter(({ version }) => !version.isChanged)),
      ...changedFindings(against.filter(({ version }) => version.isChanged)),
      ...flakyFindings(outcomes),
      ...releasedFindings(released),
    ],
    detail: detailOf(outcomes, { left: left.length, moved: versions.flatMap(({ moved }) => moved) }),
    ...(gone.length === 0 ? {} : { caveats: [`earlier test versions are missing from the repository: ${gone.slice(0, 5).join(', ')}`] }),
    facts: { earlier },
  };
}

function refOf({ file, id }: EarlierVersion): { file: string; id: string } {
  return { file, id };
}

function mayChange({ feature, mayChange: more = [] }: Case, file: string): boolean {
  return [...(feature?.may_change ?? []), ...more].some((glob) => matchesGlob(file, glob));
}

async function runGroup(input: Case, group: readonly EarlierVersion[]): Promise<Outcome[]> {
  const { platform, trees, judged, base } = input;
  const files = group.map(({ file }) => file);
  const composed = async (tree: string, edits: (one: EarlierVersion) => ReadonlyMap<string, TreeEdit>): Promise<string> =>
    await trees.compose(tree, [...new Map(group.flatMap((one) => [...edits(one)])).values()]);
  const tree = await composed(judged.tree, (one) => one.edits);
  const onCandidate = { ...input, tree, files, room: 'contract', purpose: 'accepted', mixed: true as const };
  const run = await runSuite(platform, onCandidate);
  const missed = missedIn(run, group);
  if (missed.length === 0) return group.map((version) => ({ version, failed: [], flaky: [], before: [], tests: [] }));
  const baseTree = await composed(base.tree, (one) => one.baseEdits);
  const onBase = { ...onCandidate, tree: baseTree, room: 'base' };
  const passedOnBase = new Set(passingIds((await runSuite(platform, { ...onBase, compared: true as const })).tests));
  const repeated = await repeatFailures({
    failed: missed.filter((id) => passedOnBase.has(id)),
    onCandidate: againIn(platform, onCandidate, run),
    onBase: againIn(platform, onBase, run),
    isOnBase: () => true,
    isPartOfMore: group.length > 1,
  });
  return group.map((version) => outcomeOf(version, { missed, passedOnBase, repeated, run }));
}

function missedIn(run: TestRun, group: readonly EarlierVersion[]): string[] {
  const passed = new Set(passingIds(run.tests));
  return [...new Set(group.flatMap(({ tests }) => tests.filter((id) => !passed.has(id))))];
}

function outcomeOf(
  version: EarlierVersion,
  {
    missed,
    passedOnBase,
    repeated,
    run,
  }: { missed: readonly string[]; passedOnBase: ReadonlySet<string>; repeated: Repeated; run: TestRun },
): Outcome {
  const isOwn = (id: string): boolean => version.tests.includes(id);
  const counts = repeated.counts.filter(isOwn);
  return {
    version,
    failed: counts,
    flaky: repeated.flaky.filter(isOwn),
    before: missed.filter((id) => isOwn(id) && (!passedOnBase.has(id) || repeated.before.includes(id) || repeated.unsteady.includes(id))),
    tests: run.tests.filter(({ id, file, status }) => status !== 'passed' && (counts.includes(id) || file === version.file)),
  };
}

function failedFindings(outcomes: readonly Outcome[]): Finding[] {
  const count = outcomes.flatMap(({ failed }) => failed).length;
  const message = `${counted(count, 'accepted test')} ${count === 1 ? 'fails' : 'fail'} in an earlier version (${namesOf(outcomes)})`;
  return findingOf(outcomes, { reason: 'accepted.failed', weight: 'reject', message });
}

function changedFindings(outcomes: readonly Outcome[]): Finding[] {
  const message = `the work changes accepted tests, and an earlier version of them fails (${namesOf(outcomes)})`;
  return findingOf(outcomes, { reason: 'accepted.failed', weight: 'ask', message });
}

const MOST_NAMED = 3;

function namesOf(outcomes: readonly Outcome[]): string {
  const names = outcomes.slice(0, MOST_NAMED).map(({ version }) => `${version.file}: ${versionWords(version)}`);
  return `${names.join('; ')}${outcomes.length > MOST_NAMED ? `; ${outcomes.length - MOST_NAMED} more` : ''}`;
}

function releasedFindings(outcomes: readonly Outcome[]): Finding[] {
  const message = 'earlier test versions fail and are released, because the feature may change these tests';
  return findingOf(outcomes, { reason: 'accepted.failed', weight: 'warn', message });
}

function flakyFindings(outcomes: readonly Outcome[]): Finding[] {
  const flaky = outcomes.filter((one) => one.flaky.length > 0).map((one) => ({ ...one, failed: one.flaky }));
  return findingOf(flaky, { reason: 'test.flaky', weight: 'ask', message: 'earlier versions of accepted tests pass and fail in turn' });
}

const MOST_SUBJECTS = 50;

function findingOf(outcomes: readonly Outcome[], finding: Pick<Finding, 'reason' | 'weight' | 'message'>): Finding[] {
  if (outcomes.length === 0) return [];
  const subjects = outcomes.flatMap(({ version, failed }) => failed.map((id) => `${id} (${versionWords(version)})`));
  const failures = outcomes.flatMap(({ tests, failed }) => tests.filter(({ id, file }) => failed.includes(id) || file === fileOf(id)));
  return [withFailures({ check: 'accepted', ...finding, subjects: subjects.slice(0, MOST_SUBJECTS) }, failures)];
}

function detailOf(outcomes: readonly Outcome[], { left, moved }: { left: number; moved: EarlierVersion['moved'] }): string {
  const passed = outcomes.filter(({ failed, flaky, before }) => failed.length + flaky.length + before.length === 0).length;
  const aside = outcomes.filter(({ failed, before }) => failed.length === 0 && before.length > 0).map(({ version }) => version.file);
  return [
    `${passed} of ${counted(outcomes.length, 'earlier version')} pass`,
    ...(aside.length === 0 ? [] : [`set aside, because base fails in the same way: ${[...new Set(aside)].slice(0, 3).join(', ')}`]),
    ...(left === 0 ? [] : [`${counted(left, 'more')} in the next verdict`]),
    ...moved.slice(0, 3).map(({ path, from, to }) => `${path}: ${from} read as ${to}`),
  ].join('; ');
}
