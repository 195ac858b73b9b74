/** The facts that an agent starts from, gathered from the trusted tree, the logs and the settings. Reads only; nothing grows with the project. */
import { pathSetOf } from '../../../domain/tree-index.ts';
import type { Outcome } from '../../../domain/reasons.ts';
import type { SessionRecord } from '../../../domain/session-record.ts';
import type { Feature, FeatureList } from '../../../domain/feature.ts';
import type { Baseline } from '../../../domain/session.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { fileOf } from '../../../domain/verdict.ts';
import type { CheckReport } from '../../../kernel/flight/check-report.ts';
import { readBaseline } from '../../../kernel/flight/memory-files.ts';
import { specificationFor } from '../../../kernel/ground/specification.ts';
import { testHelpers } from '../../../kernel/ground/test-helpers.ts';
import { recentCommits } from '../../../kernel/ground/recent-commits.ts';
import { keyFiles } from '../../../prompts/key-files.ts';
import type { OrientationFacts } from '../../../prompts/orientation.ts';
import { parseProgress, type ProgressEntry } from '../../../prompts/progress-file.ts';
import type { Project } from '../project.ts';
import { lastTests } from '../look/last-tests.ts';
import { FAILURES } from './failure-table.ts';
import { checksOf, suiteSteps } from '../../../kernel/ground/checks.ts';

export interface Ground {
  commit: string;
  tree: string;
  /** What was found out right before the session. */
  sanity?: readonly CheckReport[];
}

const SESSIONS_WITH_DECISIONS = 3;

export async function gatherFacts(
  project: Project,
  plan: { session: number; feature: Feature | null },
  list: FeatureList,
  head: Ground,
): Promise<OrientationFacts> {
  const { features } = list;
  const { feature } = plan;
  const byId = new Map(features.map((one) => [one.id, one]));
  const [entries, records, baseline, notes] = await Promise.all([
    project.trees.list(head.tree),
    project.history.sessions(SESSIONS_WITH_DECISIONS),
    readBaseline(project, { writer: false }),
    read(project, head.tree, project.config.paths.progress),
  ]);
  const paths = pathSetOf(entries);
  const progress = parseProgress(notes ?? '');
  const last = records.at(-1) ?? null;
  const lastFeature = typeof last?.feature_id === 'number' ? byId.get(last.feature_id) : undefined;
  const red = redByDesign(features, feature, paths, baseline?.tree === head.tree ? baseline : null);
  return {
    session: plan.session,
    project: project.config.project.name,
    passing: features.filter((one) => one.passes).length,
    total: features.length,
    health: healthOf(baseline?.tree === head.tree ? baseline : await lastTests(project, head.tree), head, red.length),
    last:
      last === null
        ? null
        : {
            session: last.session_id,
            status: statusWords(last),
            feature: lastFeature === undefined ? null : { id: lastFeature.id, description: lastFeature.description },
            commits: typeof last.commit === 'string' ? [last.commit] : [],
          },
    task:
      feature === null
        ? null
        : {
            id: feature.id,
            description: feature.description,
            test_files: testFilesOf(feature),
            dependencies: (feature.depends_on ?? []).map((id) => ({ id, passes: byId.get(id)?.passes ?? false })),
          },
    specification: feature === null ? null : await specificationFor(project, list, feature, { tree: head.tree, paths }),
    instructions: list.instructions?.trim() || null,
    checks: checksOf(project.config, await read(project, head.tree, 'package.json'), await suiteSteps(project, head.tree)),
    helpers: testHelpers(paths, feature, baseline),
    red_by_design: red,
    progress: progress.slice(0, 2),
    key_files: await filesToOpen(project, head, { feature, byId, paths }),
    decisions: await recentDecisions(
      project,
      records.map((record) => record.session_id),
      progress,
    ),
  };
}

const LONGEST_TEXT = 200_000;

async function read(project: Project, tree: string, path: string): Promise<string | null> {
  return (await project.trees.read(tree, path))?.toString('utf8').slice(-LONGEST_TEXT) ?? null;
}

/** How a session ended, in words. */
export function statusWords({
  feature_completed,
  outcome,
  reasons,
}: Pick<SessionRecord, 'feature_completed' | 'outcome' | 'reasons'>): string {
  if (feature_completed || outcome === 'verified') return 'complete';
  const known = FAILURES.filter(({ ends }) => ends !== null && reasons.includes(ends.reason));
  const failure = (known.find(({ ends }) => ends?.outcome === outcome) ?? known[0])?.failure;
  return `${ENDINGS[outcome]}${failure === undefined ? '' : `: ${failure.charAt(0).toLowerCase()}${failure.slice(1)}`}`;
}

const ENDINGS: Readonly<Record<Outcome, string>> = {
  verified: 'complete',
  complete: 'complete',
  rejected: 'not accepted',
  needs_human: 'waits for a person',
  escalated: 'waits for a person',
  partial: 'ended before the work was done',
  error: 'could not run to its end',
};

/** What was measured, and nothing else. */
export function healthOf(
  baseline: Pick<Baseline, 'tree' | 'total_passing' | 'total_tests'> | null,
  head: Pick<Ground, 'tree' | 'sanity'>,
  red: number,
): string {
  const checked = (head.sanity ?? [])
    .filter((report) => report.state === 'passed' || report.state === 'warned')
    .map((report) => `${report.name.replace(/^sanity /, '')} ${report.state === 'passed' ? 'passed' : 'has findings'}`);
  if (baseline === null || baseline.tree !== head.tree) return ['the tests were not run on this commit yet', ...checked].join('; ');
  const failing = baseline.total_tests - baseline.total_passing;
  const why = failing > 0 && red > 0 ? ' (tests of features that are not built yet fail on purpose)' : '';
  return [`${baseline.total_passing} of ${baseline.total_tests} tests pass on this commit${why}`, ...checked].join('; ');
}

/** Tests of features that are still open, beside the one that is built now. */
/** A file of an open feature in which tests pass is one that was there before: it is to stay green. */
function redByDesign(features: readonly Feature[], own: Feature | null, paths: ReadonlySet<string>, baseline: Baseline | null): string[] {
  const mine = testFilesOf(own);
  const green = new Set((baseline?.passing_tests ?? []).map(fileOf));
  const files = features.filter((one) => !one.passes && one.id !== own?.id).flatMap(testFilesOf);
  return [...new Set(files)].filter((file) => !mine.includes(file) && paths.has(file) && !green.has(file));
}

const MOST_DEPENDENCIES = 5;

async function filesToOpen(
  project: Project,
  head: Ground,
  { feature, byId, paths }: { feature: Feature | null; byId: ReadonlyMap<number, Feature>; paths: ReadonlySet<string> },
): Promise<OrientationFacts['key_files']> {
  const tests = await Promise.all(testFilesOf(feature).map(async (path) => ({ path, text: await read(project, head.tree, path) })));
  const tested = (feature?.depends_on ?? [])
    .slice(0, MOST_DEPENDENCIES)
    .flatMap((id) => testFilesOf(byId.get(id) ?? null).map((file) => ({ feature: id, file })));
  const dependencies = await Promise.all(tested.map(async (one) => ({ ...one, text: (await read(project, head.tree, one.file)) ?? '' })));
  return keyFiles({
    paths,
    tests,
    interface: feature?.interface,
    dependencies,
    history: await recentCommits(project, head.commit),
  });
}

const MOST_DECISIONS = 6;

/** Of the last sessions: what their agents marked, and what they noted. */
async function recentDecisions(
  project: Project,
  sessions: readonly number[],
  progress: readonly ProgressEntry[],
): Promise<OrientationFacts['decisions']> {
  const marked = (await project.history.tail(30, 'decisions'))
    .toReversed()
    .map((entry) => ({ session: typeof entry['session'] === 'number' ? entry['session'] : null, text: String(entry['text'] ?? '') }))
    .filter(({ session }) => session === null || sessions.includes(session));
  const noted = progress
    .filter((entry) => sessions.includes(entry.session))
    .flatMap((entry) => entry.decisions.map((text) => ({ session: entry.session, text })));
  const all = [...marked, ...noted].toSorted((a, b) => (b.session ?? 0) - (a.session ?? 0));
  return all.filter((one, index) => all.findIndex((other) => other.text === one.text) === index).slice(0, MOST_DECISIONS);
}
