/**
 * One session from preflight to settlement.
 *
 * 1. Home changes only in `land`, and only to the tree that a verdict accepted.
 * 2. The state document is written before and after each step that a crash could cut in two.
 * 3. Whatever happens, the environment is stopped, the agent's processes are gone, and a stash is given back.
 */
import type { HarnessEvent } from '../../domain/event.ts';
import type { Feature } from '../../domain/feature.ts';
import type { Outcome, Reason } from '../../domain/reasons.ts';
import type { Baseline, Flight, ProjectState } from '../../domain/session.ts';
import type { Capture } from '../../domain/tree.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { SessionRecord } from '../../journal/session-record.ts';
import { isoNow } from '../../platform/platform.ts';
import { featureCost, recordSession } from '../../store/costs.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Session, TurnResult } from '../../session/contract.ts';
import { createEvidenceCollector } from '../../verify/evidence.ts';
import { feedbackFor } from '../../verify/describe.ts';
import { prepareWorkspace, type AgentCopy } from '../../workspace/agent-copy.ts';
import { createCheckpoint } from '../../workspace/checkpoint.ts';
import { restoreStash } from '../../workspace/home.ts';
import { loadWip } from '../../workspace/wip.ts';
import { captureAgentWork, makeAgentPlace, modelFor, openAgentSession, requirePrice, unclaimed, type AgentPlace } from './agent-step.ts';
import { checkBaselineOnHead, sanityChecks } from './baseline-step.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { claimIn, judgeCandidate } from './judge-step.ts';
import { land } from './land-step.ts';
import type { Ending, Settlement } from './machine.ts';
import { briefSession } from './orient.ts';
import { pendingFor } from './pending.ts';
import { preflight } from './preflight.ts';
import type { LoadedList, Project } from './project.ts';
import type { SessionPlan } from './plan-session.ts';
import { BASELINE_FILE, readCosts, settle as settleState, STATE_FILE, step, writeCosts } from './state-files.ts';
import type { Head } from './trusted.ts';
import { keepWork } from './wip-step.ts';

export interface SessionOptions {
  signal: AbortSignal;
  noCache: boolean;
}

export interface SessionReport {
  state: ProjectState;
  outcome: Outcome;
  reasons: Reason[];
  session: number | null;
  feature: number | null;
  commit: string | null;
  verdict: string | null;
  message: string;
  /** Epoch milliseconds at which a usage limit ends. */
  retryAt: number | null;
  /** Baseline tests that fail on home's HEAD. */
  broken: string[];
  budget: BudgetSettings;
}

type Planned = Extract<SessionPlan, { kind: 'session' }>;

export async function runSession(
  project: Project,
  plan: Planned,
  before: ProjectState,
  loaded: LoadedList,
  head: Head,
  options: SessionOptions,
): Promise<SessionReport> {
  requirePrice(project, plan.prompt);
  const { platform } = project;
  const startedAt = platform.clock.now();
  const budget = await budgetFor(project, plan.feature);
  const flight: Flight = {
    session: plan.session,
    feature: plan.feature?.id ?? null,
    prompt: plan.prompt,
    phase: 'preparing',
    base: head.commit,
    branch: head.branch,
    checkpoint: null,
    started_at: isoNow(platform.clock),
    workspace: null,
    tree: null,
    findings: [],
    evidence: null,
    stop: null,
    verdict: null,
    commit: null,
  };
  let copy: AgentCopy | null = null;
  let place: AgentPlace | null = null;
  const ready = await preflight(project, {
    budget,
    environment: async () => {
      copy = await prepareCopy(project, plan, before, head);
      place = await makeAgentPlace(project, copy);
      return createEnvironment(platform, environmentSettings(project), { workspace: copy.path, env: place.env, sandbox: place.sandbox });
    },
    baseline: () => checkBaselineOnHead(project, head, before.last_session, options),
    sanity: () => sanityChecks(project, head, options),
  });
  try {
    if (ready.failure !== null) return notStarted(before, plan, ready.failure, budget);
    copy ??= await prepareCopy(project, plan, before, head);
    place ??= await makeAgentPlace(project, copy);
    let state = (await step(project, before, { type: 'prepared', flight })).state;
    const checkpoint = await createCheckpoint(platform, {
      home: project.home,
      stateDir: project.stateDir,
      session: plan.session,
      feature: flight.feature,
      reason: 'pre_feature',
      files: { features: project.config.paths.features, progress: project.config.paths.progress },
      copies: [STATE_FILE, BASELINE_FILE],
    });
    project.emit({
      type: 'checkpoint.created',
      id: checkpoint.id,
      session: plan.session,
      reason: 'pre_feature',
      git_ref: checkpoint.git_ref,
    });
    state = (await step(project, state, { type: 'working', workspace: copy.path, checkpoint: checkpoint.id })).state;
    await project.journal?.flush();
    const work: Work = {
      project,
      plan,
      head,
      loaded,
      copy,
      place,
      baseline: ready.baseline,
      budget,
      options,
      startedAt,
      answered: 0,
      model: modelFor(project, plan.prompt),
    };
    return await flyAndSettle(work, state, ready.environment);
  } finally {
    await ready.environment?.stop();
    if (ready.stash !== null) await giveBack(project, ready.stash);
  }
}

interface Work {
  project: Project;
  plan: Planned;
  head: Head;
  loaded: LoadedList;
  copy: AgentCopy;
  place: AgentPlace;
  baseline: Baseline | null;
  budget: BudgetSettings;
  options: SessionOptions;
  startedAt: number;
  /** How often a refused claim went back to the agent. */
  answered: number;
  model: string;
}

async function flyAndSettle(work: Work, started: ProjectState, environment: Environment | null): Promise<SessionReport> {
  const { project, plan } = work;
  const evidence = createEvidenceCollector(plan.feature?.test_file ?? null);
  const briefing = await briefSession(project, plan, started, work.loaded, work.head);
  const session = await openAgentSession(
    project,
    {
      session: plan.session,
      feature: plan.feature?.id ?? null,
      testFile: plan.feature?.test_file ?? null,
      briefing,
      copy: work.copy,
      evidence,
      budget: work.budget,
      signal: work.options.signal,
    },
    work.place,
  );
  let state = started;
  let prompt = briefing.prompt;
  let refused: { from: string; verdict: Verdict; tree: string } | null = null;
  try {
    for (;;) {
      const turn = await session.turn(prompt);
      if (!session.canAnswer() || turn.stop !== null) {
        await session.close();
        await environment?.stop();
      }
      const capture = await captureAgentWork(project, work.copy, plan.session, work.head.tree);
      await recordCost(work, state, session);
      const stop = turn.stop === null ? null : { reason: turn.stop.reason, message: turn.stop.message };
      state = (
        await step(project, state, { type: 'captured', tree: capture.tree, findings: capture.findings, evidence: evidence.result(), stop })
      ).state;
      const claimed = plan.prompt === 'cleanup' || (await claimIn(project, work.loaded, capture.tree));
      if (!mayJudge(turn.stop, claimed, plan.prompt))
        return await settlePartial(
          work,
          state,
          session,
          turn.stop ?? unclaimed(project, briefing.modelRole, session.totals().context_tokens),
          capture,
        );
      if (refused !== null && refused.from === capture.tree)
        return await settleJudged(work, state, session, refused.verdict, refused.tree, turn.stop, capture);
      const judged = await judgeCandidate(project, {
        plan,
        head: work.head,
        loaded: work.loaded,
        capture,
        evidence: evidence.result(),
        baseline: work.baseline,
        options: work.options,
      });
      const again = await maybeAgain(work, session, turn, judged.verdict);
      if (again !== null) {
        refused = { from: capture.tree, ...judged };
        prompt = again;
        continue;
      }
      await session.close();
      return await settleJudged(work, state, session, judged.verdict, judged.tree, turn.stop, capture);
    }
  } finally {
    await session.close();
  }
}

/** Nobody judges what a person interrupted; a limit leaves the agent's claim standing if there is one. */
function mayJudge(stop: TurnResult['stop'], claimed: boolean, prompt: Planned['prompt']): boolean {
  if (stop === null) return claimed;
  const interrupted: Reason[] = ['interrupted', 'user_pause', 'api.auth', 'api.unavailable', 'usage_limit', 'stalled'];
  return claimed && prompt !== 'cleanup' && !interrupted.includes(stop.reason);
}

/** A refused claim goes back to the agent while its budget lasts; a regression ends the session. */
async function maybeAgain(work: Work, session: Session, turn: TurnResult, verdict: Verdict): Promise<string | null> {
  const { project, plan } = work;
  if (turn.stop !== null || verdict.decision !== 'rejected' || !session.canAnswer()) return null;
  if (verdict.reasons.includes('regression') || verdict.reasons.some((reason) => reason.startsWith('tamper.'))) return null;
  if (++work.answered > MAX_ANSWERS) return null;
  const text = feedbackFor(verdict);
  project.emit({ type: 'session.inject', session: plan.session, text, delivered: true });
  return text;
}

const MAX_ANSWERS = 2;

async function settlePartial(
  work: Work,
  state: ProjectState,
  session: Session,
  stop: NonNullable<TurnResult['stop']>,
  capture: Capture,
): Promise<SessionReport> {
  const { project, plan, head } = work;
  await session.close();
  if (stop.neverStarted === true)
    return await settle(
      work,
      state,
      session,
      { kind: 'not_started', reasons: [stop.reason] },
      { message: stop.message, commit: null, verdict: null, retryAt: null },
    );
  const wip = plan.feature === null ? null : await keepWork(project, { plan, head, loaded: work.loaded, tree: capture.tree, stop });
  return await settle(
    work,
    state,
    session,
    { kind: 'partial', reasons: [stop.reason], wip },
    { message: stop.message, commit: null, verdict: null, retryAt: stop.retryAt },
  );
}

async function settleJudged(
  work: Work,
  state: ProjectState,
  session: Session,
  verdict: Verdict,
  tree: string,
  stop: TurnResult['stop'],
  capture: Capture,
): Promise<SessionReport> {
  const { project, plan, head } = work;
  const message = verdict.findings.find((finding) => finding.weight !== 'warn')?.message ?? '';
  if (verdict.decision === 'accepted') {
    const landed = await land(project, state, { plan, head, verdict, tree });
    if (landed.kind === 'landed') {
      return await settle(
        work,
        landed.state,
        session,
        { kind: 'verified', commit: landed.commit, open: openAfter(work) },
        { message: '', commit: landed.commit, verdict: verdict.id, retryAt: null },
      );
    }
    const wip =
      plan.feature === null
        ? null
        : await keepWork(project, {
            plan,
            head,
            loaded: work.loaded,
            tree: capture.tree,
            stop: { reason: landed.reason, message: landed.message },
          });
    return await settle(
      work,
      landed.state,
      session,
      { kind: 'partial', reasons: [landed.reason], wip },
      { message: landed.message, commit: null, verdict: verdict.id, retryAt: null },
    );
  }
  if (verdict.decision === 'needs_human') {
    const pending = pendingFor(plan, head, verdict, tree);
    return await settle(
      work,
      state,
      session,
      { kind: 'needs_human', reasons: verdict.reasons, pending },
      { message, commit: null, verdict: verdict.id, retryAt: null },
    );
  }
  if (stop !== null && stop.reason !== 'agent.failed') return await settlePartial(work, state, session, stop, capture);
  return await settle(
    work,
    state,
    session,
    { kind: 'rejected', reasons: verdict.reasons },
    { message, commit: null, verdict: verdict.id, retryAt: null },
  );
}

function openAfter(work: Work): number {
  return work.loaded.list.features.filter((feature) => !feature.passes && feature.id !== work.plan.feature?.id).length;
}

interface Ended {
  message: string;
  commit: string | null;
  verdict: string | null;
  retryAt: number | null;
}

/** The end of every session: costs, log, state in one write, and the closing event. */
async function settle(work: Work, state: ProjectState, session: Session, ending: Ending, ended: Ended): Promise<SessionReport> {
  const { project, plan } = work;
  const { platform } = project;
  const totals = session.totals();
  const feature = plan.feature?.id ?? null;
  await recordCost(work, state, session);
  const duration = platform.clock.now() - work.startedAt;
  const recordOf = ({ outcome, reasons }: Settlement): SessionRecord => ({
    session_id: plan.session,
    prompt: plan.prompt,
    started_at: state.flight!.started_at,
    ended_at: isoNow(platform.clock),
    duration_seconds: Math.round(duration / 1000),
    outcome,
    reasons,
    termination_reason: outcome === 'verified' ? 'complete' : (reasons[0] ?? 'error'),
    feature_id: feature,
    feature_completed: outcome === 'verified' && feature !== null,
    tokens_used: { input: totals.usage.input_tokens, output: totals.usage.output_tokens, cached: totals.usage.cache_read_input_tokens },
    cost_usd: totals.cost_usd,
    backend: project.config.agent.backend,
    model: work.model,
    commit: ended.commit,
    verdict: ended.verdict,
  });
  const { state: next, settlement } = await settleState(project, state, ending, recordOf);
  const { outcome, reasons } = settlement;
  const event: HarnessEvent = {
    type: 'session.end',
    session: plan.session,
    feature,
    outcome,
    reasons,
    duration_ms: Math.round(duration),
    cost_usd: totals.cost_usd,
    usage: totals.usage,
  };
  if (ended.commit !== null) event.commit = ended.commit;
  if (ended.verdict !== null) event.verdict = ended.verdict;
  if (ended.message !== '') event.message = ended.message;
  project.emit(event);
  await project.journal?.flush();
  return {
    state: next,
    outcome,
    reasons,
    session: plan.session,
    feature,
    commit: ended.commit,
    verdict: ended.verdict,
    message: ended.message,
    retryAt: ended.retryAt,
    broken: [],
    budget: work.budget,
  };
}

/** Recording a session again replaces what was recorded for it. */
async function recordCost(work: Work, state: ProjectState, session: Session): Promise<void> {
  const totals = session.totals();
  const record = {
    session: work.plan.session,
    feature: work.plan.feature?.id ?? null,
    started: state.flight!.started_at,
    usage: totals.usage,
    cost_usd: totals.cost_usd,
  };
  await writeCosts(work.project, recordSession(await readCosts(work.project, { writer: true }), record));
}

function notStarted(
  state: ProjectState,
  plan: Planned,
  failure: { reason: Reason; message: string; broken: string[] },
  budget: BudgetSettings,
): SessionReport {
  const outcome: Outcome = failure.reason.startsWith('budget.') ? 'escalated' : 'error';
  return {
    state,
    outcome,
    reasons: [failure.reason],
    session: null,
    feature: plan.feature?.id ?? null,
    commit: null,
    verdict: null,
    message: failure.message,
    retryAt: null,
    broken: failure.broken,
    budget,
  };
}

async function prepareCopy(project: Project, plan: Planned, state: ProjectState, head: Head): Promise<AgentCopy> {
  const wip = plan.feature !== null && state.wip?.feature === plan.feature.id ? state.wip : null;
  const loaded = wip === null ? null : await loadWip(project.platform, { home: project.home, feature: wip.feature, head: head.commit });
  if (loaded !== null && loaded.state !== 'current') project.emit({ type: 'progress', message: loaded.detail });
  const copy = await prepareWorkspace(project.platform, {
    home: project.home,
    store: project.trees,
    harnessHome: project.harnessHome,
    base: head.commit,
    branch: head.branch,
    tree: loaded?.start ?? head.tree,
  });
  if (copy.dependencies.failed)
    project.emit({ type: 'warning', message: `the dependencies could not be installed for the agent: ${copy.dependencies.detail}` });
  project.emit({
    type: 'workspace.prepared',
    path: copy.path,
    files_changed: copy.files_changed,
    duration_ms: Math.round(copy.duration_ms),
  });
  return copy;
}

async function budgetFor(project: Project, feature: Feature | null): Promise<BudgetSettings> {
  const costs = await readCosts(project, { writer: true });
  const { per_session_usd, per_feature_usd, total_project_usd } = project.config.costs;
  return {
    perSession: per_session_usd,
    perFeature: feature === null ? null : per_feature_usd,
    perProject: total_project_usd,
    featureSpent: feature === null ? 0 : featureCost(costs, feature.id),
    projectSpent: costs.cumulative.total_cost_usd,
  };
}

function environmentSettings(project: Project): Parameters<typeof createEnvironment>[1] {
  const { environment, preflight: before } = project.config;
  return {
    init: environment.init,
    reset: environment.reset,
    healthCheck: environment.health_check,
    stop: environment.stop,
    autoReset: before.on_failure.auto_reset,
    maxResetAttempts: before.on_failure.max_reset_attempts,
    timeoutMs: 10 * 60_000,
    healthRetryMs: 5_000,
  };
}

async function giveBack(project: Project, stash: { commit: string; restore: string }): Promise<void> {
  const back = await restoreStash(project.platform, project.home, stash);
  if (!back.restored)
    project.emit({
      type: 'warning',
      message: `your stashed changes could not be put back by themselves (${back.detail}); they are kept: ${stash.restore}`,
    });
}
