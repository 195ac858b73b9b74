/**
 * The work of a task, judged by the verifying core, and the task's own commands run over exactly what was judged.
 *
 * 1. With tests that have to prove it, the work is a feature that nobody else knows: red before, green now. Without, it is judged like a
 *    cleanup: nothing that held may be lost.
 * 2. The feature list of a project is not the task's to change.
 * 3. Nothing is believed that an agent said: no text of an agent reaches this file.
 */
import type { Feature } from '../../domain/feature.ts';
import type { Baseline } from '../../domain/session.ts';
import type { TestResult, TestRun, Verdict } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { checkProtected } from '../../verify/checks/check-protected.ts';
import type { JudgeInput, RunContext } from '../../verify/contract.ts';
import { judgeOnRecord } from '../../verify/judge.ts';
import { countTests } from '../../domain/test-results.ts';
import { runSuite } from '../../verify/run/suite.ts';
import { runInRoom, type RoomCheckResult } from '../ground/run-checks.ts';
import type { Place } from '../place.ts';
import { readAccepted } from './accepted-tests.ts';
import { runContext } from './run-context.ts';
import { writeJudgement } from './verdict-files.ts';

export interface TaskWork {
  session: number;
  /** What it is about, in one line. */
  title: string;
  base: JudgeInput['base'];
  candidate: JudgeInput['candidate'];
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
  const input = { ...inputFor(place, work, baseline), accepted, observe };
  place.emit({ type: 'verify.start', session: work.session, feature: null, tree: work.candidate.tree });
  const judged = await judgeOnRecord(place.platform, input).finally(() => place.rooms.dispose());
  await writeJudgement(place, judged);
  const { id, decision, reasons, findings } = judged.verdict;
  const messages = findings.map((finding) => finding.message);
  place.emit({ type: 'verify.result', session: work.session, feature: null, verdict: id, decision, reasons, messages });
  return { verdict: judged.verdict, baseline, red };
}

/** The commands of a task over its work with the trusted tests and settings in place. */
export async function runTaskCommands(
  place: Place,
  work: TaskWork,
  commands: readonly string[],
): Promise<(RoomCheckResult & { command: string })[]> {
  if (commands.length === 0) return [];
  const { judged } = await checkProtected({ ...inputFor(place, work, await taskBaseline(place, work)), platform: place.platform });
  const timeoutMs = place.config.testing.timeout_seconds * 1_000;
  const wanted = commands.map((command, at) => ({ name: String(at), command, timeoutMs }));
  const results = await runInRoom(place, { tree: judged.tree, commands: wanted });
  return results.map((result, at) => ({ ...result, command: commands[at]! }));
}

/** A list that no project has: the task is its one feature. */
const LIST = '.harness/task.json';

function inputFor(place: Place, work: TaskWork, baseline: Baseline): JudgeInput {
  const { session, base, candidate, title } = work;
  const feature: Feature | null = work.tests.length === 0 ? null : { id: 1, description: title, test_file: [...work.tests], passes: false };
  const list = (passes: boolean): string => JSON.stringify({ project: 'task', features: feature === null ? [] : [{ ...feature, passes }] });
  return {
    ...contextFor(place, work),
    session,
    mode: feature === null ? 'cleanup' : 'feature',
    feature,
    base,
    candidate,
    features: { trusted: list(false), candidate: list(feature !== null) },
    evidence: null,
    mayChange: work.mayChange,
    baseline,
    emit: place.emit,
  };
}

function contextFor(place: Place, { testCommand }: TaskWork): RunContext {
  const { config } = place;
  return {
    ...runContext(place, { noCache: false, signal: place.signal }),
    settings: {
      ...config,
      testing: { ...config.testing, full: testCommand },
      verification: {
        ...config.verification,
        harness_verify: true,
        regression_check: true,
        require_evidence: false,
        red_check: true,
        protected: [...config.verification.protected, config.paths.features],
      },
      paths: { ...config.paths, features: LIST },
    },
  };
}

/** What passed on the base, run once for a task. */
async function taskBaseline(place: Place, work: TaskWork): Promise<Baseline> {
  const { base, session, testCommand } = work;
  const known = await place.documents.read('baseline', { writer: true });
  if (known !== null && known.tree === base.tree && known['command'] === testCommand) return known;
  const run = await runSuite(place.platform, { ...contextFor(place, work), tree: base.tree, purpose: 'baseline' });
  const passing = run.tests.filter((test) => test.status === 'passed').map((test) => test.id);
  const baseline: Baseline = {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    session,
    timestamp: place.now(),
    commit: base.commit,
    tree: base.tree,
    runner: run.runner,
    passing_tests: passing.toSorted(),
    total_passing: passing.length,
    total_tests: countTests(run.tests),
    command: testCommand,
  };
  await place.documents.write('baseline', baseline);
  return baseline;
}
