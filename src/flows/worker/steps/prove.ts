/**
 * Every line of the report, proved by the harness: by the text of the change, by the verdict, by the task's commands.
 *
 * 1. What can be said without running anything comes first; work that breaks it is not run.
 * 2. A rule of the mode that is broken ends the task (NG-1); nothing else does.
 * 3. No text of an agent reaches this file.
 */
import { judgeTask, runTaskCommands, type TaskVerdict, type TaskWork } from '../../../kernel/flight/judge-work.ts';
import { lookAtChange } from '../../../kernel/flight/look-at-change.ts';
import { firstErrorLine } from '../../../domain/first-error.ts';
import { describeTest, type Finding, fileOf, type TestResult } from '../../../domain/verdict.ts';
import type { CaptureFinding } from '../../../domain/tree.ts';
import { changedMarkers, type MarkerChange } from '../machine/plan-markers.ts';
import { preflightItems } from '../machine/preflight.ts';
import {
  callRule,
  dodRule,
  dryRule,
  markerRule,
  noTestRule,
  ownRules,
  redRule,
  regressionRule,
  type CommandResult,
  type RunFacts,
} from '../machine/evidence.ts';
import { RULES, TDD_RULE } from '../machine/rules.ts';
import type { CommandRun, Proof, Rule, TaskState } from '../machine/state.ts';
import { inputOf, type Moved, type WorkerPlace } from '../place.ts';
import { projectRules } from '../documents.ts';
import { inPhase } from '../../../domain/must-have.ts';
import { dirname, join } from 'node:path';
import { usageError } from '../../../domain/errors.ts';
import { wayTo } from '../../../kernel/ground/way-to.ts';
import { plainPath } from '../machine/bounds.ts';

export async function prove(place: WorkerPlace, state: TaskState): Promise<Moved> {
  return { event: { type: 'proved', proof: await proofOf(place, state, { base: inPhase(state, 'base'), tree: inPhase(state, 'tree') }) } };
}

export async function proofOf(
  place: WorkerPlace,
  state: TaskState,
  at: { base: { commit: string; tree: string }; tree: string },
): Promise<Proof> {
  const { base, tree } = at;
  const input = inputOf(state);
  const ground = inPhase(state, 'ground');
  const look = await lookAtChange(place, { base: base.tree, tree });
  const changes = await place.trees.diff(base.tree, tree);
  const files = changes.map((change) => change.path);
  const markers = await markersOf(place, state, base.tree, tree);
  const preflight = preflightItems({ input, files, look, ground, findings: state.findings, agents: state.seen.agents, links: changes });
  const nothing = { tree, files_changed: files, preflight, verdict: null, validation: [], failures: [], broken: null };
  if (input.mode === 'breezing' && markers.length > 0) return { ...nothing, rules: [markerRule(markers, input)], broken: LEAD_OWNED };
  const tests = ground.tdd.required ? look.newTests : [];
  const textRules = [dryRule(look), markerRule(markers, input), callRule(look)];
  const hasNoTest = ground.tdd.required && tests.length === 0;
  if (hasNoTest || preflight.some((item) => !item.ok))
    return { ...nothing, rules: inOrder([...textRules, ...notRun(state), ...(hasNoTest ? [noTestRule(ground)] : [])]) };
  const work: TaskWork = {
    session: state.session ?? 0,
    title: input.task_id,
    base,
    candidate: { tree, findings: state.findings as unknown as CaptureFinding[] },
    testCommand: ground.test ?? 'true',
    tests,
    mayChange: input.may_change ?? [],
  };
  const judged = await judgeTask(place, work);
  const commands = await runAll(place, work, state);
  const dropped = await failingOnBase(place, work, state, commands);
  const chosen = { ...ground, validation: ground.validation.filter(({ command }) => !dropped.has(command)) };
  const validation = commands.filter((one) => chosen.validation.some(({ command }) => command === one.command));
  if (ground.tdd.required)
    await writeRedLog(place, input.task_id, { base: base.commit, red: judged.red, proved: judged.verdict.red_to_green });
  const facts = factsOf(judged, state.input.may_change ?? []);
  const rules = [
    ...textRules,
    dodRule(chosen, commands),
    regressionRule(ground, facts),
    ...(ground.tdd.enforced ? [redRule(ground, facts, tests)] : []),
    ...ownRules(await projectRules(place), commands),
  ];
  return {
    ...nothing,
    rules: inOrder(rules),
    failures: [...runFailures(judged.verdict.findings), ...validation.filter((run) => run.exitCode !== 0).map(failureOf)],
    verdict: {
      id: judged.verdict.id,
      decision: judged.verdict.decision,
      reasons: judged.verdict.reasons,
      findings: judged.verdict.findings.map(lineOf),
    },
    validation: commands
      .filter((one) => ground.validation.some(({ command }) => command === one.command))
      .map((run) => ({ ...plainRun(run), ...(dropped.has(run.command) ? { fails_on_base: true as const } : {}) })),
  };
}

const LEAD_OWNED = 'cc:* marker transitions are Lead-owned in Phase C (breezing mode)';

/** Through a link, where the plan is one. */
async function markersOf(place: WorkerPlace, state: TaskState, base: string, tree: string): Promise<MarkerChange[]> {
  const { plans } = inPhase(state, 'ground');
  const found: MarkerChange[] = [];
  for (const path of await planPaths(place, base, plans)) {
    const [before, after] = [await place.trees.read(base, path), await place.trees.read(tree, path)];
    found.push(...changedMarkers(before?.toString('utf8') ?? null, after?.toString('utf8') ?? null, state.input.task_id));
  }
  return found;
}

async function planPaths({ trees }: WorkerPlace, tree: string, plans: string): Promise<string[]> {
  const entries = await trees.list(tree);
  const named = entries.filter((entry) => entry.path.toLowerCase() === plans.toLowerCase());
  const targets: string[] = [];
  for (const link of named.filter((entry) => entry.mode === '120000'))
    targets.push((await trees.readBlob(link.oid)).toString('utf8').replace(/^\.\//, ''));
  return [...new Set([plans, ...named.map((entry) => entry.path), ...targets])];
}

async function runAll(place: WorkerPlace, work: TaskWork, state: TaskState): Promise<CommandResult[]> {
  const { validation, dod } = inPhase(state, 'ground');
  const own = (await projectRules(place)).flatMap(({ command }) => command ?? []);
  const wanted = [...validation.map((one) => one.command), ...dod.flatMap((one) => one.command ?? []), ...own];
  return await runTaskCommands(place, work, [...new Set(wanted)]);
}

/** Commands that the harness chose and that fail on the base as well: nothing that the work did. What a lead gives has to succeed. */
async function failingOnBase(
  place: WorkerPlace,
  work: TaskWork,
  state: TaskState,
  runs: readonly CommandResult[],
): Promise<ReadonlySet<string>> {
  const { validation } = inPhase(state, 'ground');
  const isChosen = (command: string): boolean => validation.some((one) => one.command === command && one.reason !== null);
  const failed = runs.filter((run) => run.exitCode !== 0 && isChosen(run.command)).map(({ command }) => command);
  if (failed.length === 0) return new Set();
  const before = await runTaskCommands(place, { ...work, candidate: { tree: work.base.tree, findings: [] } }, failed);
  return new Set(before.filter((run) => run.exitCode !== 0).map(({ command }) => command));
}

function factsOf({ verdict, baseline, red }: TaskVerdict, mayChange: readonly string[]): RunFacts {
  return {
    verdict: {
      id: verdict.id,
      decision: verdict.decision,
      keptGreen: verdict.kept_green,
      total: verdict.total_tests,
      runner: verdict.runner,
    },
    baseline: baseline.total_passing,
    mayChange,
    findings: verdict.findings.map((finding) => ({ ...finding, line: lineOf(finding) })),
    redToGreen: verdict.red_to_green,
    red: red.filter((test) => test.status === 'failed' || test.status === 'error').map(describeTest),
  };
}

const LONGEST = 600;

function lineOf(finding: Finding): string {
  const failures = (finding.failures ?? []).map((one) => `${one.test}: ${one.message.replace(/\s+/g, ' ')}`);
  const subjects = failures.length > 0 ? failures : finding.subjects;
  return `${finding.reason}: ${finding.message}${subjects.length === 0 ? '' : ` (${subjects.slice(0, 5).join(', ')})`}`.slice(0, LONGEST);
}

/** Failures of runs, as opposed to what was done to tests and settings. */
function runFailures(findings: readonly Finding[]): string[] {
  const isRun = ({ weight, reason }: Finding): boolean =>
    weight === 'reject' && ['regression', 'accepted.failed', 'test.failed', 'test.timeout', 'test.none_ran', 'test.flaky'].includes(reason);
  return findings.filter(isRun).map(lineOf);
}

function failureOf(run: CommandResult): string {
  const error = firstErrorLine(run.output).replace(/\s+/g, ' ');
  return `${run.command} ended with ${run.exitCode ?? 'no status'}${error === '' ? '' : `: ${error}`}`.slice(0, LONGEST);
}

function plainRun({ command, exitCode, output }: CommandResult): CommandRun {
  return { command, exit_code: exitCode, output: output.slice(-2_000) };
}

/** What has to be run is not run for work that has to change first. */
function notRun(state: TaskState): Rule[] {
  const names = RULES.slice(3).filter((rule) => rule !== TDD_RULE || inPhase(state, 'ground').tdd.enforced);
  return names.map((rule) => ({ rule, verified: false, evidence: NOT_RUN, mendable: true }));
}

const NOT_RUN = 'not run: something that needs no run has to change first';

/** The last word on a rule counts. */
function inOrder(given: readonly Rule[]): Rule[] {
  const rules = [...new Map(given.map((rule) => [rule.rule, rule])).values()];
  const at = (rule: Rule): number => {
    const index = RULES.findIndex((name) => name === rule.rule);
    return index < 0 ? RULES.length : index;
  };
  return rules.toSorted((one, other) => at(one) - at(other));
}

/**
 * The record of failing tests: what the new tests said on the code from before the task, run by the harness.
 *
 * Written whole for each proof; a way that leads out of the repository or through a link is refused.
 */
interface RedRun {
  /** The commit that the tests were run on. */
  base: string;
  red: readonly TestResult[];
  proved: readonly string[];
}

function redLogPath({ config }: Pick<WorkerPlace, 'config'>, taskId: string): string {
  return `${plainPath(config.tdd.red_log)}/${taskId}.jsonl`;
}

async function writeRedLog(place: WorkerPlace, taskId: string, { base, red, proved }: RedRun): Promise<void> {
  const failed = red.filter((test) => test.status === 'failed' || test.status === 'error');
  if (failed.length === 0) return;
  const path = redLogPath(place, taskId);
  const way = await wayTo(place, path);
  if (!way.inside || way.linked)
    throw usageError(
      `tdd.red_log: ${path} ${way.inside ? 'is reached through a symbolic link' : 'leads out of the repository'}.`,
      'Name a plain folder of the repository.',
    );
  const lines = failed.map((test) =>
    JSON.stringify({
      ts: place.now(),
      task_id: taskId,
      result: 'FAIL',
      test: test.id,
      message: (test.message ?? '').slice(0, 2_000),
      base_commit: base,
      passes_now: proved.some((id) => id === test.id || fileOf(id) === test.file),
      by: 'harness',
    }),
  );
  await place.platform.files.mkdir(dirname(join(place.root, path)));
  await place.platform.files.writeAtomic(join(place.root, path), `${lines.join('\n')}\n`);
}
