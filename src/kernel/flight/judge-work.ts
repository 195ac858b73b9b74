/**
 * The work of a task or of a session of another flow than the project's, judged by the verifying core.
 *
 * 1. With tests that have to prove it, the work is a feature that nobody else knows: red before, green now. Without, it is judged like a
 *    cleanup: what passed before has to pass, and tests and settings have to be as they were.
 * 2. A session's run of the tests that fails already is not judged further; what is known by then is reported.
 * 3. Nothing is believed that an agent said: no text of an agent reaches this file.
 */
import { FeatureListSchema } from '../../domain/feature.ts';
import { BaselineSchema, type Baseline } from '../../domain/session.ts';
import { failuresIn } from '../../domain/test-results.ts';
import type { Finding, TestResult, TestRun, Verdict } from '../../domain/verdict.ts';
import { checkCapture } from '../../verify/checks/check-capture.ts';
import { checkProtected } from '../../verify/checks/check-protected.ts';
import { withoutSanity } from '../../verify/checks/check-sanity.ts';
import type { JudgeInput, RunContext } from '../../verify/contract.ts';
import { judgeOnRecord } from '../../verify/judge.ts';
import { compareWithBaseline } from '../../verify/memory/baseline.ts';
import { runSuite } from '../../verify/run/suite.ts';
import { runInRoom, type RoomCheckResult } from '../ground/run-checks.ts';
import type { Place } from '../place.ts';
import { readAccepted } from './accepted-tests.ts';
import { askJudge, loneClaim, loneFeature, recordJudgement, strictly } from './ask-judge.ts';
import { baselineOnce, type BaselineShelf } from './baseline.ts';
import { runContext } from './run-context.ts';
import { itemAt } from '../../domain/items.ts';

interface Trees {
  base: JudgeInput['base'];
  candidate: JudgeInput['candidate'];
}

export interface Work extends Trees {
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
  const context = ofSession(place, command);
  const baseline = command === null ? null : await baselineOnce(place, planShelf(place), { base, session: 0, command }, context);
  const input: JudgeInput = {
    ...context,
    ...loneClaim('workflow', null),
    session: 0,
    base,
    candidate,
    features: await featureLists(place, work),
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

/** The project's feature list where there is one that can be read: it must not change. */
async function featureLists(place: Place, { base, candidate }: Trees): Promise<JudgeInput['features']> {
  const read = async (from: string): Promise<string | null> =>
    (await place.trees.read(from, place.config.paths.features))?.toString('utf8') ?? null;
  const trusted = await read(base.tree);
  if (trusted === null || !FeatureListSchema.safeParse(parseJson(trusted)).success) return loneClaim('workflow', null).features;
  return { trusted, candidate: await read(candidate.tree) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The session's own test command, and none of the checks that the flow makes itself. */
function ofSession(place: Place, command: string | null): RunContext {
  const { config } = place;
  return {
    ...runContext(place, { noCache: false, signal: place.signal }),
    settings: {
      ...config,
      testing: withoutSanity({ ...config.testing, full: command ?? config.testing.full }),
      verification: strictly(config, false),
      quality: { ...config.quality, lint_command: null },
    },
  };
}

/** Ids of the tests that passed on the base of the session. */
export async function passingTests(place: Pick<Place, 'documents'>): Promise<string[]> {
  return (await planShelf(place).read())?.passing_tests ?? [];
}

function planShelf({ documents }: Pick<Place, 'documents'>): BaselineShelf {
  const planner = documents.folder('planner');
  return {
    read: async () => BaselineSchema.safeParse(parseJson((await planner.read('baseline.json')) ?? '')).data ?? null,
    write: async (baseline) => await planner.write('baseline.json', `${JSON.stringify(baseline, null, 2)}\n`),
  };
}

export interface TaskWork extends Trees {
  session: number;
  /** What it is about, in one line. */
  title: string;
  testCommand: string;
  /** Test files that have to prove it; empty: none has to. */
  tests: readonly string[];
  /** Globs of accepted tests that it may change. */
  mayChange: readonly string[];
}

export interface TaskVerdict {
  verdict: Verdict;
  baseline: Baseline;
  /** What the new tests said on the code from before. */
  red: TestResult[];
}

export async function judgeTask(place: Place, work: TaskWork): Promise<TaskVerdict> {
  const baseline = await taskBaseline(place, work);
  const red: TestResult[] = [];
  const observe = (purpose: string, run: TestRun): void => void (purpose === 'red' && red.push(...run.tests));
  const accepted = await readAccepted(place, { writer: false });
  const input = { ...taskInput(place, work, baseline), accepted, observe };
  const about = { session: work.session, feature: null };
  const judged = await askJudge(place, { ...about, tree: work.candidate.tree }, async () => input);
  const messages = judged.verdict.findings.map((finding) => finding.message);
  return { verdict: await recordJudgement(place, about, judged, messages), baseline, red };
}

/** The commands of a task over its work with the trusted tests and settings in place. */
export async function runTaskCommands(
  place: Place,
  work: TaskWork,
  commands: readonly string[],
): Promise<(RoomCheckResult & { command: string })[]> {
  if (commands.length === 0) return [];
  const { judged } = await checkProtected({ ...taskInput(place, work, await taskBaseline(place, work)), platform: place.platform });
  const timeoutMs = place.config.testing.timeout_seconds * 1_000;
  const wanted = commands.map((command, at) => ({ name: String(at), command, timeoutMs }));
  const results = await runInRoom(place, { tree: judged.tree, commands: wanted });
  return results.map((result, at) => ({ ...result, command: itemAt(commands, at) }));
}

function taskInput(place: Place, work: TaskWork, baseline: Baseline): JudgeInput {
  const { session, base, candidate, title, tests } = work;
  return {
    ...ofTask(place, work),
    ...loneClaim('task', loneFeature(title, tests)),
    session,
    base,
    candidate,
    evidence: null,
    mayChange: work.mayChange,
    baseline,
    emit: place.emit,
  };
}

/** The feature list of a project is not the task's to change: the list that claims the task is one that no project has. */
const LIST = '.harness/task.json';

function ofTask(place: Place, { testCommand }: Pick<TaskWork, 'testCommand'>): RunContext {
  const { config } = place;
  return {
    ...runContext(place, { noCache: false, signal: place.signal }),
    settings: {
      ...config,
      testing: { ...config.testing, full: testCommand },
      verification: {
        ...strictly(config, true),
        protected: [...config.verification.protected, config.paths.features],
      },
      paths: { ...config.paths, features: LIST },
    },
  };
}

function taskBaseline(place: Place, { base, session, testCommand }: TaskWork): Promise<Baseline> {
  const { documents } = place;
  const shelf: BaselineShelf = {
    read: () => documents.read('baseline', { writer: true }),
    write: (baseline) => documents.write('baseline', baseline),
  };
  return baselineOnce(place, shelf, { base, session, command: testCommand }, ofTask(place, { testCommand }));
}
