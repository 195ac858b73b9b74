/**
 * The verifier tried on the project's own runner set-up: one planted cheat of each family, and an honest change.
 *
 * 1. The same judge, rooms and settings as for a session; no earlier result is used and none is kept.
 * 2. A cheat passes only if the whole judgement accepts it. Fewer checks are tried first: they can only accept more.
 * 3. The honest change comes first: where that is refused, refusals of cheats would say nothing, and there are none.
 * 4. Where the tests cannot be started nothing can be accepted either: that is told, and is no risk.
 */
import { counted } from '../../domain/counted.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { Baseline } from '../../domain/session.ts';
import type { CleanRooms } from '../../domain/tree.ts';
import type { CheckName, RunnerName, TestRun, Verdict } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import { passingIds } from '../memory/baseline.ts';
import type { ResultCache, RunContext } from '../contract.ts';
import { judge } from '../judge.ts';
import { runSuite } from '../run/suite.ts';
import { RUNNERS } from '../runners/registry.ts';
import type { Runner } from '../runners/runner.ts';
import type { CheatFamily } from '../../domain/cheat-family.ts';
import { planSelfCheck, type Case, type PlanFacts, type SelfCheckPlan } from './plan.ts';
import { firstItem, itemAt } from '../../domain/items.ts';

export interface SelfCheckInput extends Omit<RunContext, 'cache' | 'rooms' | 'observe'> {
  /** Cases are judged side by side, one in each. */
  lanes: readonly CleanRooms[];
  /** The trusted tree. */
  tree: string;
  runner: RunnerName;
  facts: Omit<PlanFacts, 'runner'>;
  /** Called once an honest change was let through: whatever the cheats will show, claims can be accepted here. */
  honestPassed?: () => void;
}

export interface CaseResult {
  /** null: the honest change. */
  family: CheatFamily | null;
  title: string;
  decision: Verdict['decision'];
  reasons: Reason[];
  /** What was said about it first. */
  message: string;
  /** A cheat that was not accepted, an honest change that was not refused. */
  right: boolean;
  duration_ms: number;
}

export interface SelfCheck {
  /** `basic`: the runner's tests cannot be read one by one. `not_ready`: its tests cannot be started yet. */
  state: 'sound' | 'unsound' | 'basic' | 'not_ready';
  runner: RunnerName;
  /** Test file of the project that the planted ones are modelled on. */
  model: string | null;
  results: CaseResult[];
  /** Families of which some can get through with a basic runner. */
  unheld: CheatFamily[];
  detail: string;
  duration_ms: number;
}

const MOST_MS = 2 * 60_000;

export async function runSelfCheck(platform: Platform, input: SelfCheckInput): Promise<SelfCheck> {
  const begin = platform.clock.monotonic();
  const blank = { runner: input.runner, model: null, results: [], unheld: [] };
  const time = (): { duration_ms: number } => ({ duration_ms: Math.round(platform.clock.monotonic() - begin) });
  const runner: Runner = RUNNERS[input.runner];
  if (runner.single === null)
    return { ...blank, state: 'basic', unheld: [...runner.weakness.unheld], detail: runner.weakness.detail, ...time() };
  const plan = planSelfCheck({ ...input.facts, runner });
  const timeoutMs = Math.min(input.timeoutMs ?? MOST_MS, MOST_MS);
  const context: RunContext = { ...input, rooms: firstItem(input.lanes), timeoutMs, cache: memory() };
  const base = await input.trees.compose(input.tree, plan.ground);
  const first = await runSuite(platform, { ...context, tree: base });
  if (first.command.length === 0)
    return { ...blank, state: 'not_ready', model: plan.model, detail: first.problems[0] ?? 'the tests cannot be started', ...time() };
  const results = await judgeCases(platform, input, context, { plan, base, baseline: baselineOf(platform, first, base) });
  return { ...blank, model: plan.model, results, ...concluded(results), ...time() };
}

interface Ground {
  plan: SelfCheckPlan;
  base: string;
  baseline: Baseline;
}

async function judgeCases(platform: Platform, input: SelfCheckInput, context: RunContext, ground: Ground): Promise<CaseResult[]> {
  const { cases } = ground.plan;
  const results: CaseResult[] = [await judgeCase(platform, context, ground, firstItem(cases))];
  if (!firstItem(results).right) return results;
  input.honestPassed?.();
  let next = 1;
  await Promise.all(
    input.lanes.map(async (rooms) => {
      while (next < cases.length) {
        const at = next++;
        results[at] = await judgeCase(platform, { ...context, rooms }, ground, itemAt(cases, at));
      }
    }),
  );
  return results;
}

/** Runs of this check alone, failed ones too. */
function memory(): ResultCache {
  const runs = new Map<string, TestRun>();
  return { keepsFailures: true, get: async (key) => runs.get(key) ?? null, put: async (key, run) => void runs.set(key, run) };
}

const RUNNING_CHECKS: readonly CheckName[] = ['red', 'repeat', 'controls', 'neutral', 'quality'];

async function judgeCase(platform: Platform, context: RunContext, ground: Ground, one: Case): Promise<CaseResult> {
  const { plan, base, baseline } = ground;
  const tree = await context.trees.compose(base, one.edits);
  const judged = (off: readonly CheckName[]): Promise<Verdict> =>
    judge(platform, {
      ...context,
      session: 1,
      mode: 'feature',
      feature: one.feature,
      base: { commit: '0'.repeat(40), tree: base },
      candidate: { tree, findings: [] },
      features: { trusted: plan.list, candidate: one.list },
      evidence: { mentionsTestFile: true, passingSummary: 'self-check', endedFailing: false, shown: true },
      baseline,
      disabledChecks: new Set(off),
      untilObjection: true,
    });
  const begin = platform.clock.monotonic();
  const quick = one.by === null ? [] : RUNNING_CHECKS.filter((check) => check !== one.by);
  const first = await judged(quick);
  const verdict = quick.length > 0 && first.decision === 'accepted' ? await judged([]) : first;
  return {
    family: one.family,
    title: one.title,
    decision: verdict.decision,
    reasons: verdict.reasons,
    message: verdict.findings.find((finding) => finding.weight !== 'warn')?.message ?? '',
    right: one.family === null ? verdict.decision !== 'rejected' : verdict.decision !== 'accepted',
    duration_ms: Math.round(platform.clock.monotonic() - begin),
  };
}

function concluded(results: readonly CaseResult[]): { state: 'sound' | 'unsound'; detail: string } {
  const honest = results.find((result) => result.family === null);
  const passing = results.filter((result) => result.family !== null && !result.right).map((result) => result.family);
  if (passing.length > 0) return { state: 'unsound', detail: `planted cheats are accepted: ${passing.join(', ')}` };
  if (honest?.right === false) return { state: 'unsound', detail: `an honest change is rejected: ${honest.message}` };
  const asked = honest?.decision === 'needs_human' ? `; an honest change needs review here: ${honest.message}` : '';
  return {
    state: 'sound',
    detail: `${counted(results.length - 1, 'planted cheat')} ${results.length === 2 ? 'is' : 'are'} noticed${asked}`,
  };
}

function baselineOf(platform: Platform, run: TestRun, tree: string): Baseline {
  const passing = passingIds(run.tests);
  return {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    session: 0,
    timestamp: isoNow(platform.clock),
    commit: '',
    tree,
    runner: run.runner,
    passing_tests: passing,
    total_passing: passing.length,
    total_tests: run.tests.length,
  };
}
