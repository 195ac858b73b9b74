/**
 * One session from preflight to settlement.
 *
 * 1. Home changes only in `land`, and only to the tree that a verdict accepted.
 * 2. The state document is written before and after each step that a crash could cut in two.
 * 3. Whatever happens, the environment is stopped, the agent's processes are gone, and a stash is given back.
 */
import type { Feature } from '../../domain/feature.ts';
import type { Outcome, Reason } from '../../domain/reasons.ts';
import type { Flight, ProjectState } from '../../domain/session.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { isoNow } from '../../platform/platform.ts';
import { featureCost } from '../../store/costs.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Session, TurnResult } from '../../session/contract.ts';
import { createEvidenceCollector } from '../../verify/checks/evidence.ts';
import { feedbackFor } from '../../verify/describe.ts';
import { prepareWorkspace } from '../../workspace/agent-copy.ts';
import { restoreStash } from '../../workspace/home.ts';
import { loadWip } from '../../workspace/wip.ts';
import { makeAgentPlace, type AgentPlace } from '../../kernel/flight/agent-place.ts';
import { captureAgentWork } from '../../kernel/flight/agent-session.ts';
import { modelFor, openProjectSession, requirePrice, unclaimed } from './agent-step.ts';
import { baselineToCompare, checkBaselineOnHead, sanityChecks } from './baseline-step.ts';
import { checkpointSession } from './checkpoint-step.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { claimIn, judgeCandidate, prepareRooms } from './judge-step.ts';
import { briefSession } from './orient.ts';
import { preflight } from './preflight.ts';
import type { LoadedList, Project } from './project.ts';
import { readCosts } from '../../kernel/books/costs-file.ts';
import { step } from './state-files.ts';
import {
  recordCost,
  settleJudged,
  settlePartial,
  spendingAfter,
  type Planned,
  type SessionOptions,
  type SessionReport,
  type Work,
} from './settle-session.ts';
import type { Head } from './trusted.ts';

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
  let prepared: Prepared | null = null;
  let place: AgentPlace | null = null;
  const ready = await preflight(project, {
    budget,
    environment: async () => {
      prepared = await prepareCopy(project, plan, before, head);
      place = await makeAgentPlace(project, prepared.copy);
      return createEnvironment(platform, environmentSettings(project), {
        workspace: prepared.copy.path,
        env: place.env,
        sandbox: place.sandbox,
      });
    },
    baseline: () => checkBaselineOnHead(project, head, before.last_session, options),
    sanity: () => sanityChecks(project, head, options),
  });
  try {
    if (ready.failure !== null) return notStarted(before, plan, ready.failure, budget);
    prepared ??= await prepareCopy(project, plan, before, head);
    const { copy } = prepared;
    place ??= await makeAgentPlace(project, copy);
    let state = (await step(project, before, { type: 'prepared', flight })).state;
    const checkpoint = await checkpointSession(project, loaded, { session: plan.session, feature: flight.feature });
    state = (await step(project, state, { type: 'working', workspace: copy.path, checkpoint: checkpoint.id })).state;
    await project.journal?.flush();
    const work: Work = {
      project,
      plan,
      head,
      loaded,
      ...prepared,
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

async function flyAndSettle(work: Work, started: ProjectState, environment: Environment | null): Promise<SessionReport> {
  const { project, plan } = work;
  const evidence = createEvidenceCollector(plan.feature?.test_file ?? null);
  const briefing = await briefSession(project, plan, started, work.loaded, work.head);
  const session = await openProjectSession(
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
  prepareRooms(project, work.head.tree);
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
      work.baseline ??= await baselineToCompare(project, work.head, started.last_session, work.options);
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
    outage: false,
    broken: failure.broken,
    budget: spendingAfter(budget, 0),
  };
}

type Prepared = Pick<Work, 'copy' | 'startTree'>;

async function prepareCopy(project: Project, plan: Planned, state: ProjectState, head: Head): Promise<Prepared> {
  const wip = plan.feature !== null && state.wip?.feature === plan.feature.id ? state.wip : null;
  const loaded = wip === null ? null : await loadWip(project.platform, { home: project.home, feature: wip.feature, head: head.commit });
  if (loaded !== null && loaded.state !== 'current') project.emit({ type: 'progress', message: loaded.detail });
  const startTree = loaded?.start ?? head.tree;
  const copy = await prepareWorkspace(project.platform, {
    home: project.home,
    store: project.trees,
    harnessHome: project.harnessHome,
    base: head.commit,
    branch: head.branch,
    tree: startTree,
  });
  if (copy.dependencies.failed)
    project.emit({ type: 'warning', message: `the dependencies could not be installed for the agent: ${copy.dependencies.detail}` });
  project.emit({
    type: 'workspace.prepared',
    path: copy.path,
    files_changed: copy.files_changed,
    duration_ms: Math.round(copy.duration_ms),
  });
  return { copy, startTree };
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
  const { environment, preflight: before, testing } = project.config;
  const health = [...new Set([environment.health_check, testing.sanity.health])].filter((command) => command !== null);
  return {
    init: environment.init,
    reset: environment.reset,
    healthCheck: health.length === 0 ? null : health.length === 1 ? health[0]! : health.map((command) => `( ${command}\n)`).join(' && '),
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
