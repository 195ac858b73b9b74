/** From captured work to a verdict: the tree that would be committed is put together first, and exactly that tree is judged. */
import { join } from 'node:path';
import { FeatureListSchema } from '../../domain/feature.ts';
import type { Baseline } from '../../domain/session.ts';
import type { Capture, TreeEdit } from '../../domain/tree.ts';
import type { CheckName, Verdict } from '../../domain/verdict.ts';
import { fileCache } from '../../verify/memory/cache.ts';
import type { EvidenceResult, ResultCache, RunContext } from '../../verify/contract.ts';
import { describeVerdict } from '../../verify/describe.ts';
import { judgeOnRecord } from '../../verify/judge.ts';
import { sandboxView } from '../../workspace/sandbox-policy.ts';
import { setPasses } from './feature-text.ts';
import type { LoadedList, Project } from './project.ts';
import type { SessionPlan } from './plan-session.ts';
import { readLedger, writeJudgement } from './verdict-files.ts';

export interface JudgeStepInput {
  plan: Extract<SessionPlan, { kind: 'session' }>;
  head: { commit: string; tree: string };
  loaded: LoadedList;
  capture: Pick<Capture, 'tree' | 'findings'>;
  evidence: EvidenceResult | null;
  baseline: Baseline | null;
  options: { noCache: boolean; signal: AbortSignal; disabledChecks?: ReadonlySet<CheckName> };
}

export async function judgeCandidate(project: Project, input: JudgeStepInput): Promise<{ verdict: Verdict; tree: string }> {
  const { plan, head, loaded, capture } = input;
  const feature = plan.feature?.id ?? null;
  const path = project.config.paths.features;
  const candidateList = (await project.trees.read(capture.tree, path))?.toString('utf8') ?? null;
  const tree = await landingTree(project, input, candidateList);
  project.emit({ type: 'verify.start', session: plan.session, feature, tree });
  const judged = await judgeOnRecord(project.platform, {
    ...runContext(project, input.options),
    session: plan.session,
    mode: plan.prompt === 'cleanup' ? 'cleanup' : 'feature',
    feature: plan.feature,
    base: head,
    candidate: { tree, findings: capture.findings },
    features: { trusted: loaded.text, candidate: candidateList },
    evidence: input.evidence,
    baseline: input.baseline,
    ledger: await readLedger(project),
    emit: project.emit,
    disabledChecks: input.options.disabledChecks,
  }).finally(() => project.rooms.dispose());
  const { verdict } = judged;
  await writeJudgement(project, judged);
  project.emit({
    type: 'verify.result',
    session: plan.session,
    feature,
    verdict: verdict.id,
    decision: verdict.decision,
    reasons: verdict.reasons,
    messages: describeVerdict(verdict),
  });
  return { verdict, tree };
}

/** Rooms that a verdict will need, made while the agent is at work. */
export function prepareRooms(project: Project, tree: string): void {
  for (const name of ['judge', 'base']) project.rooms.prepareAhead?.(tree, { name });
  project.rooms.prepareAhead?.(tree, { name: 'repeat', fresh: true });
}

/** Everything a test run needs, the same for baselines and verdicts. */
export function runContext(project: Project, options: { noCache: boolean; signal?: AbortSignal }): RunContext {
  return {
    settings: project.config,
    trees: project.trees,
    rooms: project.rooms,
    scratch: join(project.harnessHome, 'scratch'),
    view: sandboxView(project.platform, project),
    cache: resultCache(project, options.noCache),
    signal: options.signal,
    timeoutMs: project.config.testing.timeout_seconds * 1_000,
  };
}

function resultCache(project: Project, noCache: boolean): ResultCache | undefined {
  return noCache ? undefined : fileCache(project.platform, join(project.harnessHome, 'cache', 'results'));
}

/** The harness records a claim itself: the trusted list with one flag changed replaces whatever text the agent left. */
async function landingTree(project: Project, input: JudgeStepInput, candidateList: string | null): Promise<string> {
  const { plan, loaded, capture } = input;
  if (plan.feature === null || candidateList === null) return capture.tree;
  const edit: TreeEdit = { path: project.config.paths.features, kind: 'write', content: setPasses(loaded.text, plan.feature.id, true) };
  return await project.trees.compose(capture.tree, [edit]);
}

/** Whether the agent touched the list in any way that means something: only then is there something to judge. */
export async function claimIn(project: Project, loaded: LoadedList, tree: string): Promise<boolean> {
  const text = (await project.trees.read(tree, project.config.paths.features))?.toString('utf8') ?? null;
  if (text === loaded.text) return false;
  if (text === null) return true;
  try {
    const parsed = FeatureListSchema.safeParse(JSON.parse(text));
    return !parsed.success || JSON.stringify(canonical(parsed.data)) !== JSON.stringify(canonical(loaded.list));
  } catch {
    return true;
  }
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'last_updated')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  );
}
