/**
 * Layer 1: the harness runs the checks itself, in a clean room, on the candidate with the trusted tests and settings over it.
 *
 * 1. Tests of the base that are gone, skipped or weakened, and changed settings of runner, manifest or CI, fail the work by name; that is
 *    the judgement of the verifying core over a session that claims nothing.
 * 2. A test run of a known runner is judged by its report. Every failed test fails the work; those that failed before are named as such.
 * 3. The limits of the task are held against the captured difference.
 * 4. An implementer that left the code as it was has not done the task: that fails by itself, and nothing is run for it.
 * 5. Nothing is believed that an agent said: no text of an agent reaches this file.
 */
import { join } from 'node:path';
import { FeatureListSchema } from '../../../domain/feature.ts';
import { BaselineSchema, type Baseline } from '../../../domain/session.ts';
import type { TreeChange } from '../../../domain/tree.ts';
import type { Finding, TestRun } from '../../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../../domain/version.ts';
import { isoNow } from '../../../platform/platform.ts';
import { withoutSanity } from '../../../verify/checks/check-sanity.ts';
import { compareWithBaseline } from '../../../verify/memory/baseline.ts';
import { fileCache } from '../../../verify/memory/cache.ts';
import { checkCapture } from '../../../verify/checks/check-capture.ts';
import { checkProtected } from '../../../verify/checks/check-protected.ts';
import { describeTest } from '../../../verify/checks/check-tests.ts';
import type { JudgeInput, RunContext } from '../../../verify/contract.ts';
import { judgeOnRecord } from '../../../verify/judge.ts';
import { runSuite } from '../../../verify/run/suite.ts';
import type { Place } from '../../../kernel/place.ts';
import { sandboxView } from '../../../workspace/sandbox-policy.ts';
import { runInRoom } from '../../../kernel/ground/run-checks.ts';
import { scopeFilter } from '../../../kernel/ground/scope.ts';
import { baseOf } from '../candidate.ts';
import { CHECK_NAMES, makeCheck, type Check, type CheckName } from '../machine/check.ts';
import { checkLimits } from '../machine/limits.ts';
import { checkMarkers, newMarkers } from '../machine/markers.ts';
import type { Session } from '../session.ts';

export interface Layer1 {
  checks: Check[];
  changes: TreeChange[];
  /** What the result does not say. */
  caveats: string[];
}

export async function runLayer1(place: Place, session: Session): Promise<Layer1> {
  const base = baseOf(session);
  const candidate = session.harness.candidate ?? { tree: base.tree, commit: base.commit, findings: [] };
  const changes = await place.trees.diff(base.tree, candidate.tree);
  if (session.harness.candidate !== null && changes.length === 0) return nothingChanged();
  const limits = checkLimits(changes, { maxFiles: session.max_files, scope: session.scope, inScope: scopeFilter(session.scope) });
  const judged = await judgeIntegrity(place, session, candidate);
  const commands = await runCommands(place, session, judged.tree);
  const markers = checkMarkers(await findMarkers(place, changes), session.verify.todo_blocking);
  const test = judged.test ?? skipped('test');
  return {
    checks: [limits, judged.integrity, commands.build, test, commands.lint, commands.typeCheck, markers],
    changes,
    caveats: judged.caveats,
  };
}

function nothingChanged(): Layer1 {
  const notRun = CHECK_NAMES.filter((name) => name !== 'limits').map((name) =>
    makeCheck(name, 'skipped', 'not run, because nothing was changed'),
  );
  return {
    checks: [makeCheck('limits', 'failed', 'nothing was changed: the code is as it was before the task'), ...notRun],
    changes: [],
    caveats: [],
  };
}

interface Integrity {
  /** The candidate with trusted files over it. */
  tree: string;
  integrity: Check;
  /** Null: there is no test command. */
  test: Check | null;
  caveats: string[];
}

async function judgeIntegrity(
  place: Place,
  session: Session,
  candidate: { tree: string; findings: JudgeInput['candidate']['findings'] },
): Promise<Integrity> {
  const baseline = session.test_cmd === null ? null : await baselineOf(place, session);
  const input: JudgeInput = {
    ...runContext(place, session),
    session: 0,
    mode: 'cleanup',
    feature: null,
    base: baseOf(session),
    candidate,
    features: await featureLists(place, session, candidate.tree),
    evidence: null,
    baseline,
  };
  const { result, judged } = await checkProtected(place.platform, input);
  const textFindings = [...(await checkCapture(input)).findings, ...result.findings];
  if (session.test_cmd === null) return { tree: judged.tree, integrity: integrityCheck(textFindings), test: null, caveats: [] };
  const suite = await runSuite(place.platform, { ...input, tree: judged.tree });
  if (!isGreen(suite)) {
    const findings = [...textFindings, ...vanished(baseline, suite)];
    return { tree: judged.tree, integrity: integrityCheck(findings), test: testCheck(session.test_cmd, suite, [], baseline), caveats: [] };
  }
  const { verdict } = await judgeOnRecord(place.platform, input);
  return {
    tree: judged.tree,
    integrity: integrityCheck(verdict.findings.filter((finding) => !isAboutTests(finding))),
    test: testCheck(session.test_cmd, suite, verdict.findings.filter(isAboutTests), baseline),
    caveats: verdict.caveats,
  };
}

function isGreen(suite: TestRun): boolean {
  return suite.consistent && suite.exit_code === 0 && suite.tests.every((test) => test.status !== 'failed' && test.status !== 'error');
}

/** A run that failed already is not judged further; tests that left it are named beside those that failed. */
function vanished(baseline: Baseline | null, suite: TestRun): Finding[] {
  if (!suite.consistent) return [];
  const lost = compareWithBaseline(baseline?.passing_tests ?? [], suite).lost.filter(
    (loss) => loss.now !== 'failed' && loss.now !== 'error',
  );
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

function integrityCheck(findings: readonly Finding[]): Check {
  const deciding = findings.filter((finding) => finding.weight !== 'warn');
  const items = findings.flatMap((finding) => [
    `${finding.reason}: ${finding.message}`,
    ...finding.subjects.map((subject) => `  ${subject}`),
  ]);
  if (deciding.length > 0) {
    const [first] = deciding;
    const about = first!.subjects.length === 0 ? '' : `: ${first!.subjects.slice(0, 3).join(', ')}`;
    return makeCheck('integrity', 'failed', `${first!.message}${about}`, { items });
  }
  return makeCheck('integrity', items.length > 0 ? 'warned' : 'passed', items[0] ?? 'tests and settings are as they were', { items });
}

function testCheck(command: string, suite: TestRun, findings: readonly Finding[], baseline: Baseline | null): Check {
  const known = new Set(baseline?.passing_tests ?? []);
  const failed = suite.tests.filter((test) => test.status === 'failed' || test.status === 'error');
  const items = failed.map(
    (test) => `${describeTest(test)}${baseline !== null && !known.has(test.id) ? ' [did not pass before either]' : ''}`,
  );
  const more = { command, items: [...items, ...suite.problems], output: suite.output_tail };
  if (failed.length > 0)
    return makeCheck('test', 'failed', `${failed.length} of ${suite.tests.length} tests failed: ${failed[0]!.id}`, more);
  const objection = findings.find((finding) => finding.weight !== 'warn');
  if (objection !== undefined)
    return makeCheck('test', 'failed', `${objection.message}: ${suite.problems[0] ?? `exit status ${suite.exit_code}`}`, more);
  if (!suite.consistent || suite.exit_code !== 0)
    return makeCheck('test', 'failed', `${suite.problems[0] ?? `exit status ${suite.exit_code}`}`, more);
  const passed = suite.tests.filter((test) => test.status === 'passed').length;
  return makeCheck('test', 'passed', `${passed} of ${suite.tests.length} tests passed (${suite.runner})`, { command });
}

async function runCommands(place: Place, session: Session, tree: string): Promise<{ build: Check; lint: Check; typeCheck: Check }> {
  const wanted = [
    ['build', session.build_cmd],
    ['lint', session.lint_cmd],
    ['type-check', session.type_check_cmd],
  ] as const;
  const timeoutMs = place.config.testing.timeout_seconds * 1_000;
  const commands = wanted.flatMap(([name, command]) => (command === null ? [] : [{ name, command, timeoutMs }]));
  const results = commands.length === 0 ? [] : await runInRoom(place, { tree, commands });
  const checkOf = (name: CheckName): Check => {
    const command = commands.find((one) => one.name === name)?.command;
    const result = results.find((one) => one.name === name);
    if (command === undefined || result === undefined) return skipped(name);
    if (result.exitCode === 0) return makeCheck(name, 'passed', 'exit status 0', { command });
    const ended = result.timedOut ? 'did not end in time' : `exit status ${result.exitCode ?? 'none'}`;
    return makeCheck(name, 'failed', `${command}: ${ended}`, { command, output: result.output });
  };
  return { build: checkOf('build'), lint: checkOf('lint'), typeCheck: checkOf('type-check') };
}

function skipped(name: CheckName): Check {
  return makeCheck(name, 'skipped', 'there is no command for it');
}

const LARGEST_TEXT = 1_000_000;

async function findMarkers(place: Place, changes: readonly TreeChange[]): Promise<ReturnType<typeof newMarkers>> {
  const found: ReturnType<typeof newMarkers> = [];
  for (const { path, from, to } of changes) {
    if (to === null || to.mode === '120000') continue;
    const after = await place.trees.readBlob(to.oid);
    if (after.length > LARGEST_TEXT || after.includes(0)) continue;
    const before = from === null ? null : (await place.trees.readBlob(from.oid)).toString('utf8');
    found.push(...newMarkers(path, before, after.toString('utf8')));
  }
  return found;
}

const EMPTY_LIST = '{"project":"workflow","features":[]}';

/** The project's feature list where there is one that can be read: it must not change. */
async function featureLists(place: Place, session: Session, tree: string): Promise<JudgeInput['features']> {
  const read = async (from: string): Promise<string | null> =>
    (await place.trees.read(from, place.config.paths.features))?.toString('utf8') ?? null;
  const trusted = await read(baseOf(session).tree);
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

function runContext(place: Place, session: Session): RunContext {
  const { config } = place;
  return {
    settings: {
      ...config,
      testing: withoutSanity({ ...config.testing, full: session.test_cmd ?? config.testing.full }),
      verification: { ...config.verification, harness_verify: true, regression_check: true },
      quality: { ...config.quality, lint_command: null },
    },
    trees: place.trees,
    rooms: place.rooms,
    scratch: join(place.harnessHome, 'scratch'),
    view: sandboxView(place.platform, place),
    cache: fileCache(place.platform, join(place.harnessHome, 'cache', 'results')),
    signal: place.signal,
    timeoutMs: config.testing.timeout_seconds * 1_000,
  };
}

/** What passed on the base, run once for a session. */
async function baselineOf(place: Place, session: Session): Promise<Baseline> {
  const base = baseOf(session);
  const planner = place.documents.folder('planner');
  const known = BaselineSchema.safeParse(parseJson((await planner.read('baseline.json')) ?? ''));
  if (known.success && known.data.tree === base.tree && known.data['command'] === session.test_cmd) return known.data;
  const run = await runSuite(place.platform, { ...runContext(place, session), tree: base.tree, purpose: 'baseline' });
  const passing = run.tests.filter((test) => test.status === 'passed').map((test) => test.id);
  const baseline: Baseline = {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    session: 0,
    timestamp: isoNow(place.platform.clock),
    commit: base.commit,
    tree: base.tree,
    runner: run.runner,
    passing_tests: passing,
    total_passing: passing.length,
    total_tests: run.tests.length,
    command: session.test_cmd,
  };
  await planner.write('baseline.json', `${JSON.stringify(baseline, null, 2)}\n`);
  return baseline;
}
