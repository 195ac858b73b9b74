/**
 * Work that claims nothing, judged by the verifying core: what passed before has to pass, and tests and settings have to be as they were.
 *
 * 1. A run of the tests that fails already is not judged further; what is known by then is told.
 * 2. Nothing is believed that an agent said: no text of an agent reaches this file.
 */
import { FeatureListSchema } from '../../domain/feature.ts';
import { BaselineSchema, type Baseline } from '../../domain/session.ts';
import { countTests, failuresIn } from '../../domain/test-results.ts';
import type { Finding, TestRun } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { checkCapture } from '../../verify/checks/check-capture.ts';
import { checkProtected } from '../../verify/checks/check-protected.ts';
import { withoutSanity } from '../../verify/checks/check-sanity.ts';
import type { JudgeInput, RunContext } from '../../verify/contract.ts';
import { judgeOnRecord } from '../../verify/judge.ts';
import { compareWithBaseline } from '../../verify/memory/baseline.ts';
import { runSuite } from '../../verify/run/suite.ts';
import type { Place } from '../place.ts';
import { readAccepted } from './accepted-tests.ts';
import { runContext } from './run-context.ts';

export interface Work {
  base: JudgeInput['base'];
  candidate: JudgeInput['candidate'];
  /** Null: there is none. */
  testCommand: string | null;
  /** Tests that a person has let change, by path or glob. */
  mayChange?: readonly string[];
}

export interface JudgedTests {
  command: string;
  suite: TestRun;
  /** What stands against the run itself. */
  findings: Finding[];
  /** What passed on the base. */
  baseline: Baseline;
}

export interface JudgedWork {
  /** The candidate with trusted files over it. */
  tree: string;
  /** What was done to tests, settings and the project. */
  findings: Finding[];
  /** Null: there is no test command. */
  tests: JudgedTests | null;
  /** What the result does not say. */
  caveats: string[];
}

export async function judgeWork(place: Place, work: Work): Promise<JudgedWork> {
  const { base, candidate, testCommand: command, mayChange = [] } = work;
  const baseline = command === null ? null : await baselineOf(place, work);
  const input: JudgeInput = {
    ...contextFor(place, command),
    session: 0,
    mode: 'cleanup',
    feature: null,
    base,
    candidate,
    features: await featureLists(place, base.tree, candidate.tree),
    evidence: null,
    baseline,
    accepted: await readAccepted(place, { writer: false }),
    mayChange,
  };
  const { result, judged } = await checkProtected({ ...input, platform: place.platform });
  const { tree } = judged;
  const byText = [...(await checkCapture(input)).findings, ...result.findings];
  if (command === null || baseline === null) return { tree, findings: [...byText, ...unproved(judged.helpers)], tests: null, caveats: [] };
  const suite = await runSuite(place.platform, { ...input, tree });
  if (!isGreen(suite)) {
    const findings = [...byText, ...vanished(baseline, suite)];
    return { tree, findings, tests: { command, suite, findings: [], baseline }, caveats: [] };
  }
  const { verdict } = await judgeOnRecord(place.platform, input);
  return {
    tree,
    findings: verdict.findings.filter((finding) => !isAboutTests(finding)),
    tests: { command, suite, findings: verdict.findings.filter(isAboutTests), baseline },
    caveats: verdict.caveats,
  };
}

/** Without a test run nothing shows that a changed helper of tests is worth what it was. */
function unproved(helpers: readonly string[]): Finding[] {
  const message = 'a file that tests rely on was changed';
  return helpers.length === 0 ? [] : [{ check: 'protected', reason: 'tamper.tests', weight: 'ask', message, subjects: [...helpers] }];
}

function isGreen(suite: TestRun): boolean {
  return suite.consistent && suite.exit_code === 0 && failuresIn(suite.tests).length === 0;
}

/** A run that failed already is not judged further; tests that left it are named beside those that failed. */
function vanished(baseline: Baseline, suite: TestRun): Finding[] {
  if (!suite.consistent) return [];
  const lost = compareWithBaseline(baseline.passing_tests, suite).lost.filter((loss) => loss.now !== 'failed' && loss.now !== 'error');
  if (lost.length === 0) return [];
  const subjects = lost.map((loss) => `${loss.id} (${loss.now})`);
  return [
    { check: 'regression', reason: 'regression', weight: 'reject', message: 'tests that passed before were not run to a pass', subjects },
  ];
}

function isAboutTests(finding: Finding): boolean {
  return (
    finding.check === 'regression' &&
    (finding.reason === 'test.failed' || finding.reason === 'test.timeout' || finding.reason === 'test.none_ran')
  );
}

const EMPTY_LIST = '{"project":"workflow","features":[]}';

/** The project's feature list where there is one that can be read: it must not change. */
async function featureLists(place: Place, base: string, tree: string): Promise<JudgeInput['features']> {
  const read = async (from: string): Promise<string | null> =>
    (await place.trees.read(from, place.config.paths.features))?.toString('utf8') ?? null;
  const trusted = await read(base);
  if (trusted === null || !isFeatureList(trusted)) return { trusted: EMPTY_LIST, candidate: EMPTY_LIST };
  return { trusted, candidate: await read(tree) };
}

function isFeatureList(text: string): boolean {
  return FeatureListSchema.safeParse(parseJson(text)).success;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The task's own test command, and none of the checks that the flow makes itself. */
function contextFor(place: Place, command: string | null): RunContext {
  const { config } = place;
  return {
    ...runContext(place, { noCache: false, signal: place.signal }),
    settings: {
      ...config,
      testing: withoutSanity({ ...config.testing, full: command ?? config.testing.full }),
      verification: { ...config.verification, harness_verify: true, regression_check: true },
      quality: { ...config.quality, lint_command: null },
    },
  };
}

/** Ids of the tests that passed on the base of the session. */
export async function passingTests({ documents }: Pick<Place, 'documents'>): Promise<string[]> {
  const known = BaselineSchema.safeParse(parseJson((await documents.folder('planner').read('baseline.json')) ?? ''));
  return known.success ? known.data.passing_tests : [];
}

/** What passed on the base, run once for a session. */
async function baselineOf(place: Place, { base, testCommand: command }: Work): Promise<Baseline> {
  const planner = place.documents.folder('planner');
  const known = BaselineSchema.safeParse(parseJson((await planner.read('baseline.json')) ?? ''));
  if (known.success && known.data.tree === base.tree && known.data['command'] === command) return known.data;
  const run = await runSuite(place.platform, { ...contextFor(place, command), tree: base.tree, purpose: 'baseline' });
  const passing = run.tests.filter((test) => test.status === 'passed').map((test) => test.id);
  const baseline: Baseline = {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    session: 0,
    timestamp: place.now(),
    commit: base.commit,
    tree: base.tree,
    runner: run.runner,
    passing_tests: passing,
    total_passing: passing.length,
    total_tests: countTests(run.tests),
    command,
  };
  await planner.write('baseline.json', `${JSON.stringify(baseline, null, 2)}\n`);
  return baseline;
}
