/**
 * `harness takeback`: what a person did since the handoff is looked at, judged and offered; then the harness goes on.
 *
 * 1. A feature is offered only if its own test, run in the clean room on the branch, passes.
 * 2. Each answer is kept at once, so that a question that waits loses none of those before it.
 * 3. The handoff ends only after the last answer; the baseline is what passes then, and what a person broke is told.
 * 4. A feature that became too large for a session is asked about last.
 */
import { pathSetOf } from '../../../domain/tree-index.ts';
import { usageError } from '../../../domain/errors.ts';
import type { Feature } from '../../../domain/feature.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { asTestFile, namesOfFiles, testFilesOf } from '../../../domain/test-files.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import type { Asker } from './asker.ts';
import { checkpointByHand } from './checkpoint-by-hand.ts';
import { askAboutGrownFeatures } from './large-features.ts';
import { checkBaselineOnHead, renewBaseline } from '../../../kernel/flight/baseline.ts';
import { runFeature, type FeatureRun } from '../../../kernel/flight/check-feature.ts';
import { setPasses } from '../list/feature-text.ts';
import { commitList, committedList } from '../list/list-commit.ts';
import type { Project } from '../project.ts';
import { workSince, type WorkSince } from '../../../kernel/ground/work-since.ts';
import { falseClaims, setBack } from '../steps/set-back.ts';
import { step, stepAll } from '../state-files.ts';
import { readTrusted } from '../list/trusted.ts';
import { mustHave } from '../../../domain/must-have.ts';

export interface TakebackReport extends WorkSince {
  checked: { feature: number; test_file: string | string[]; passed: boolean; recorded: boolean }[];
  set_back: number[];
  baseline: { passing: number; total: number; broken: string[] } | null;
  waiting_for: string | null;
}

export interface TakebackOptions {
  asker: Asker;
  signal: AbortSignal;
  noCache: boolean;
}

export async function takeBack(project: Project, before: ProjectState, options: TakebackOptions): Promise<TakebackReport> {
  const { handoff } = before;
  if (handoff === null)
    throw usageError('Nothing was handed over here.', 'harness handoff hands the project over; harness resume ends a pause.');
  const found = await workSince(project, handoff.head);
  const report: TakebackReport = { ...found, checked: [], set_back: [], baseline: null, waiting_for: null };
  for (const message of notLookedAt(report)) project.emit({ type: 'warning', message });
  let state = before;
  if (found.commits.length > 0 || found.rewritten) {
    for (const feature of await openFeatures(project, state)) {
      const next = await offer(project, state, { feature, commits: found.commits.length, report, options });
      if (next === 'pending') return { ...report, waiting_for: 'project.takeback' };
      state = next;
    }
    state = await lookForBreaks(project, state, report, options);
  }
  await step(project, state, { type: 'resumed' });
  project.emit({
    type: 'decision',
    session: null,
    text: `taken back after ${found.commits.length} commit${found.commits.length === 1 ? '' : 's'} of a person`,
    by: 'user',
  });
  return { ...report, waiting_for: await askAboutGrownFeatures(project, state, handoff.head, options.asker) };
}

/** What lies in the working tree and in no commit, in words. */
export function notLookedAt(report: Pick<TakebackReport, 'uncommitted' | 'untracked'>): string[] {
  const some = (paths: readonly string[]): string =>
    paths.length <= 5 ? paths.join(', ') : `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more`;
  return [
    ...(report.uncommitted.length === 0
      ? []
      : [`Changed and not committed, so not looked at: ${some(report.uncommitted)}. Commit it, or harness run will not start.`]),
    ...(report.untracked.length === 0 ? [] : [`New and in no commit, so not looked at: ${some(report.untracked)}.`]),
  ];
}

/** Open features whose test is there, except those that a person said no to already. */
async function openFeatures(project: Project, state: ProjectState): Promise<Feature[]> {
  const { loaded, head } = await readTrusted(project, state);
  const { declined } = mustHave(state.handoff, 'the project is with a person');
  const present = pathSetOf(await project.trees.list(head.tree));
  return loaded.list.features.filter(
    (feature) =>
      !feature.passes &&
      testFilesOf(feature).length > 0 &&
      testFilesOf(feature).every((file) => present.has(file)) &&
      !declined.includes(feature.id),
  );
}

async function offer(
  project: Project,
  state: ProjectState,
  { feature, commits, report, options }: { feature: Feature; commits: number; report: TakebackReport; options: TakebackOptions },
): Promise<ProjectState | 'pending'> {
  const { head } = await readTrusted(project, state);
  const run = await runFeature(project, feature, head.tree, options);
  const files = testFilesOf(feature);
  const row = {
    feature: feature.id,
    test_file: mustHave(asTestFile(files), 'only features with tests are open here'),
    passed: run.passed,
    recorded: false,
  };
  report.checked.push(row);
  project.emit({
    type: 'progress',
    message: `feature #${feature.id}: ${namesOfFiles(files)} ${passing(files, run.passed)}${run.passed ? '' : ` (${run.detail})`}`,
  });
  if (!run.passed) return state;
  const answer = await options.asker.ask(
    projectGate('project.takeback', { feature: feature.id, commits }, await context(project, state, { feature, run, options })),
  );
  if (answer === 'pending') return 'pending';
  if (!isChosen('project.takeback', 'Yes', answer)) return (await step(project, state, { type: 'declined', feature: feature.id })).state;
  if (!report.checked.some(({ recorded }) => recorded))
    await checkpointByHand(project, state, { feature: feature.id, reason: 'pre_verification' });
  const list = await committedList(
    project,
    state.skipped.map((entry) => entry.feature),
  );
  await commitList(
    project,
    setPasses(list.text, feature.id, true),
    `Record feature #${feature.id} as passing (built by a person, its test run by the harness)`,
    state.skipped.map((entry) => entry.feature),
  );
  row.recorded = true;
  project.emit({
    type: 'decision',
    session: null,
    text: `feature #${feature.id} is recorded as passing: its test passes on the branch, and a person agreed`,
    by: 'user',
  });
  return (await step(project, state, { type: 'recorded', feature: feature.id })).state;
}

function passing(files: readonly string[], passed: boolean): string {
  return files.length > 1 ? (passed ? 'pass' : 'do not pass') : passed ? 'passes' : 'does not pass';
}

async function context(
  project: Project,
  state: ProjectState,
  { feature, run, options }: { feature: Feature; run: FeatureRun; options: TakebackOptions },
): Promise<string[]> {
  const lines = [`#${feature.id}: ${feature.description}`, `${namesOfFiles(testFilesOf(feature))}: ${run.detail}`];
  const tree = await project.trees.resolve(mustHave(state.handoff, 'the project is with a person').head);
  if (tree === null) return lines;
  const before = await runFeature(project, feature, tree, options);
  return before.passed
    ? [...lines, 'Note: the same test passed before your commits as well, so it does not show that anything was built.']
    : lines;
}

async function lookForBreaks(
  project: Project,
  state: ProjectState,
  report: TakebackReport,
  options: TakebackOptions,
): Promise<ProjectState> {
  const { loaded, head } = await readTrusted(project, state);
  const { broken } = await checkBaselineOnHead(project, head, state.last_session, { ...options, noCache: true });
  const failing = broken.length === 0 ? [] : await falseClaims(project, loaded, head, options);
  const result = await setBack(project, state, loaded, { features: failing, why: 'its test fails on the branch at takeback' });
  for (const id of broken.slice(0, 20)) project.emit({ type: 'warning', message: `${id} passed before the handoff and does not pass now` });
  report.set_back = result.features;
  const { total_passing, total_tests } = await renewBaseline(
    project,
    (await readTrusted(project, state)).head,
    state.last_session,
    options,
  );
  report.baseline = { passing: total_passing, total: total_tests, broken };
  return await stepAll(project, state, result.changes);
}
