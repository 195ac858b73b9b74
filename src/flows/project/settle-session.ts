/** How a session ends: with a landing, a refusal, a question, or work that is kept; and what is written down about it. */
import type { HarnessEvent } from '../../domain/event.ts';
import type { Outcome, Reason } from '../../domain/reasons.ts';
import type { Baseline, ProjectState } from '../../domain/session.ts';
import type { Capture } from '../../domain/tree.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { SessionRecord } from '../../journal/session-record.ts';
import { isoNow } from '../../platform/platform.ts';
import { recordSession, tokensOf } from '../../store/costs.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Session, TurnResult } from '../../session/contract.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import type { AgentPlace } from '../../kernel/flight/agent-place.ts';
import type { Ending, Settlement } from './machine-settlement.ts';
import { landWhereBranchStands } from './moved-step.ts';
import { pendingFor } from './pending.ts';
import type { LoadedList, Project } from './project.ts';
import type { SessionPlan } from './plan-session.ts';
import { readCosts, writeCosts } from '../../kernel/books/costs-file.ts';
import { settle as settleState } from './state-files.ts';
import type { Head } from './trusted.ts';
import { keepWork } from './wip-step.ts';

export interface SessionOptions {
  signal: AbortSignal;
  noCache: boolean;
}

/** The budgets and what is spent of them, this session included. */
export interface Spending extends BudgetSettings {
  sessionSpent: number;
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
  /** The provider was away, or the agent's program died at once. */
  outage: boolean;
  /** Baseline tests that fail on home's HEAD. */
  broken: string[];
  budget: Spending;
}

export type Planned = Extract<SessionPlan, { kind: 'session' }>;

/** Everything about the session under way. */
export interface Work {
  project: Project;
  plan: Planned;
  head: Head;
  loaded: LoadedList;
  copy: AgentCopy;
  /** What the copy held at the start: home's HEAD, or the work in progress. */
  startTree: string;
  place: AgentPlace;
  baseline: Baseline | null;
  budget: BudgetSettings;
  options: SessionOptions;
  startedAt: number;
  /** How often a refused claim went back to the agent. */
  answered: number;
  model: string;
}

export async function settlePartial(
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
  const outage = stop.reason === 'api.unavailable' || (stop.diedAtOnce === true && capture.tree === work.startTree);
  const wip = plan.feature === null ? null : await keepWork(project, { plan, head, loaded: work.loaded, tree: capture.tree, stop });
  return await settle(
    work,
    state,
    session,
    { kind: 'partial', reasons: [stop.reason], wip, outage },
    { message: stop.message, commit: null, verdict: null, retryAt: stop.retryAt },
  );
}

export async function settleJudged(
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
    const landed = await landWhereBranchStands(project, state, {
      plan,
      head,
      loaded: work.loaded,
      verdict,
      tree,
      capture,
      evidence: state.flight!.evidence,
      options: work.options,
    });
    if (landed.kind === 'landed') {
      return await settle(
        work,
        landed.state,
        session,
        { kind: 'verified', commit: landed.commit, open: openAfter(work) },
        { message: landed.note, commit: landed.commit, verdict: landed.state.flight!.verdict ?? verdict.id, retryAt: null },
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
  return await settle(
    work,
    state,
    session,
    await refusal(verdict, stop, (cause) => keepWork(project, { plan, head, loaded: work.loaded, tree: capture.tree, stop: cause })),
    { message, commit: null, verdict: verdict.id, retryAt: null },
  );
}

/** A refused claim is a refused claim, also when a limit ended the session that made it; work that was cut short honestly is kept. */
export async function refusal(
  verdict: Verdict,
  stop: { reason: Reason; message: string } | null,
  keep: (stop: { reason: Reason; message: string }) => Promise<ProjectState['wip']>,
): Promise<Ending> {
  if (stop === null || stop.reason === 'agent.failed') return { kind: 'rejected', reasons: verdict.reasons };
  const unfinished = verdict.reasons.every((reason) => reason.startsWith('test.') || reason.startsWith('claim.'));
  return { kind: 'rejected', reasons: [...verdict.reasons, stop.reason], wip: unfinished ? await keep(stop) : null };
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
  const outage = ending.kind === 'partial' && ending.outage === true;
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
    tokens_used: tokensOf(totals.usage),
    cost_usd: totals.cost_usd,
    backend: project.config.agent.backend,
    model: work.model,
    commit: ended.commit,
    verdict: ended.verdict,
    ...(outage ? { outage } : {}),
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
    outage,
    broken: [],
    budget: spendingAfter(work.budget, totals.cost_usd ?? 0),
  };
}

export function spendingAfter(before: BudgetSettings, cost: number): Spending {
  return { ...before, featureSpent: before.featureSpent + cost, projectSpent: before.projectSpent + cost, sessionSpent: cost };
}

/** Recording a session again replaces what was recorded for it. */
export async function recordCost(work: Work, state: ProjectState, session: Session): Promise<void> {
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
