/**
 * What the next command does about a session that nobody is flying any more. Decided by the phase in the state document:
 *
 * preparing: drop it; working: keep the work; captured: judge it; landing: finish the commit.
 * A session cut off by the harness's own death counts neither as stuck nor as failed.
 */
import { join } from 'node:path';
import type { Flight, ProjectState } from '../../domain/session.ts';
import type { CaptureFinding } from '../../domain/tree.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { NO_USAGE } from '../../domain/money.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { SessionRecord } from '../../journal/session-record.ts';
import { isoNow } from '../../platform/platform.ts';
import { tokensOf } from '../../store/costs.ts';
import { reopenWorkspace } from '../../workspace/agent-copy.ts';
import { treeOf } from '../../workspace/home.ts';
import { finishLanding } from '../../workspace/land.ts';
import { captureAgentWork } from '../../kernel/flight/agent-session.ts';
import { modelFor } from './agent-step.ts';
import { baselineToCompare } from './baseline-step.ts';
import { recordCutOff } from './cut-off-costs.ts';
import { claimIn, judgeCandidate } from './judge-step.ts';
import { recordLanding } from './land-step.ts';
import { clearAfterSession, clearIndexLock, wasChangingHome } from './leftovers.ts';
import type { Ending, Settlement } from './machine-settlement.ts';
import { recoveryFor } from './machine.ts';
import { landWhereBranchStands } from './moved-step.ts';
import { checkFeatureList, type LoadedList, type Project } from './project.ts';
import { isAcceptedByPerson, pendingFor, settleAccepted } from './pending.ts';
import { pushAccepted } from './push-step.ts';
import { finishRollback } from './rollback.ts';
import { refusal } from './settle-session.ts';
import { settle, step } from './state-files.ts';
import { keepWork } from './wip-step.ts';

export async function recover(project: Project, state: ProjectState, signal: AbortSignal): Promise<ProjectState> {
  if (wasChangingHome(state)) await clearIndexLock(project);
  const settled = state.rollback === null ? await settleFlight(project, state, signal) : await finishRollback(project, state);
  await clearAfterSession(project);
  return settled;
}

async function settleFlight(project: Project, state: ProjectState, signal: AbortSignal): Promise<ProjectState> {
  const flight = state.flight;
  if (flight === null) return state;
  const context = { project, flight, tree: await treeOf(project.platform, project.home, flight.base), signal };
  switch (recoveryFor(state)) {
    case 'discard':
      tell(project, flight, 'dropped: its agent had not started');
      return (await step(project, state, { type: 'dropped' })).state;
    case 'keep_work':
      return await keepUnfinished(context, state);
    case 'judge_again':
      return await judgeAgain(context, state);
    case 'finish_landing':
      return await finish(context, state);
    case 'none':
      return state;
  }
}

interface Context {
  project: Project;
  flight: Flight;
  tree: string;
  signal: AbortSignal;
}

function tell(project: Project, flight: Flight, action: string): void {
  project.emit({ type: 'state.recovered', what: `session ${flight.session}, cut off while ${flight.phase}`, action });
}

async function keepUnfinished(context: Context, state: ProjectState): Promise<ProjectState> {
  const { project, flight, tree } = context;
  const copy = await reopenWorkspace(project.platform, { home: project.home, harnessHome: project.harnessHome });
  const loaded = await listAtBase(context);
  const feature = loaded.list.features.find((candidate) => candidate.id === flight.feature) ?? null;
  let wip: ProjectState['wip'] = null;
  if (copy !== null && copy.path === flight.workspace && feature !== null) {
    const capture = await captureAgentWork(project, copy, flight.session, tree, { afterCrash: true });
    wip = await keepWork(project, {
      plan: { session: flight.session, feature, prompt: flight.prompt },
      head: { commit: flight.base, tree, branch: flight.branch },
      loaded,
      tree: capture.tree,
      stop: { reason: 'interrupted', message: 'cut off' },
    });
  }
  tell(project, flight, wip === null ? 'closed: there was no work to keep' : `its work is kept under ${wip.ref}`);
  return await close(context, state, { kind: 'cut_off', wip });
}

async function judgeAgain(context: Context, state: ProjectState): Promise<ProjectState> {
  const { project, flight, tree, signal } = context;
  const loaded = await listAtBase(context);
  const feature = loaded.list.features.find((candidate) => candidate.id === flight.feature) ?? null;
  const plan = {
    kind: 'session' as const,
    session: flight.session,
    prompt: flight.prompt === 'initializer' ? ('coding' as const) : flight.prompt,
    feature,
  };
  const head = { commit: flight.base, tree, branch: flight.branch };
  const keep = async (reason: Reason): Promise<ProjectState['wip']> =>
    feature === null ? null : keepWork(project, { plan, head, loaded, tree: flight.tree!, stop: { reason, message: '' } });
  if (plan.prompt !== 'cleanup' && !(await claimIn(project, loaded, flight.tree!))) {
    tell(project, flight, 'its work is kept');
    return await close(context, state, { kind: 'cut_off', wip: await keep('interrupted') });
  }
  tell(project, flight, 'its claim is judged now');
  const baseline = await baselineToCompare(project, head, flight.session, { noCache: false, signal });
  const { verdict, tree: judged } = await judgeCandidate(project, {
    plan,
    head,
    loaded,
    capture: { tree: flight.tree!, findings: flight.findings as CaptureFinding[] },
    evidence: flight.evidence,
    baseline,
    options: { noCache: false, signal },
  });
  if (verdict.decision === 'needs_human')
    return await close(
      context,
      state,
      { kind: 'needs_human', reasons: verdict.reasons, pending: pendingFor(plan, head, verdict, judged) },
      { verdict: verdict.id },
    );
  if (verdict.decision === 'rejected')
    return await close(context, state, await refusal(verdict, flight.stop, (stop) => keep(stop.reason)), { verdict: verdict.id });
  const landed = await landWhereBranchStands(project, state, {
    plan,
    head,
    loaded,
    verdict,
    tree: judged,
    capture: { tree: flight.tree!, findings: flight.findings as CaptureFinding[] },
    evidence: flight.evidence,
    options: { noCache: false, signal },
  });
  if (landed.kind === 'refused')
    return await close(context, landed.state, { kind: 'cut_off', wip: await keep(landed.reason) }, { verdict: verdict.id });
  return await close(context, landed.state, verified(loaded, flight, landed.commit), {
    commit: landed.commit,
    verdict: landed.state.flight?.verdict ?? verdict.id,
  });
}

async function finish(context: Context, state: ProjectState): Promise<ProjectState> {
  const { project, flight } = context;
  const loaded = await listAtBase(context);
  const landing = await finishLanding(project.platform, {
    home: project.home,
    branch: flight.branch,
    base: flight.base,
    commit: flight.commit!,
  });
  if (landing.kind !== 'landed') {
    tell(project, flight, 'its accepted work could not land, because the branch moved; it is kept');
    const feature = loaded.list.features.find((candidate) => candidate.id === flight.feature) ?? null;
    const plan = { session: flight.session, feature, prompt: flight.prompt };
    const wip =
      feature === null
        ? null
        : await keepWork(project, {
            plan,
            head: { commit: flight.base, tree: context.tree, branch: flight.branch },
            loaded,
            tree: flight.tree!,
            stop: { reason: 'git.moved', message: '' },
          });
    return await close(context, state, { kind: 'cut_off', wip });
  }
  tell(project, flight, 'its accepted commit is in place');
  const text = await project.platform.files.readTextIfExists(join(project.stateDir, 'verdicts', flight.verdict!, 'verdict.json'));
  const verdict = text === null ? null : (JSON.parse(text) as Verdict);
  if (verdict !== null) await recordLanding(project, verdict, flight.commit!, flight.tree!);
  const pushed = await pushAccepted(project, state, {
    branch: flight.branch,
    commit: flight.commit!,
    session: flight.session,
    verdict: flight.verdict!,
  });
  if (verdict !== null && isAcceptedByPerson(flight))
    return await settleAccepted(project, pushed.state, pushed.commit, { verdict, loaded });
  return await close(context, pushed.state, verified(loaded, flight, pushed.commit), { commit: pushed.commit });
}

function verified(loaded: LoadedList, flight: Flight, commit: string): Ending {
  return {
    kind: 'verified',
    commit,
    open: loaded.list.features.filter((feature) => !feature.passes && feature.id !== flight.feature).length,
  };
}

async function listAtBase(context: Context): Promise<LoadedList> {
  const { project, tree } = context;
  return checkFeatureList(project, (await project.trees.read(tree, project.config.paths.features))?.toString('utf8') ?? null);
}

async function close(
  context: Context,
  state: ProjectState,
  ending: Ending,
  made: { commit?: string; verdict?: string } = {},
): Promise<ProjectState> {
  const { project, flight } = context;
  const { commit } = made;
  const verdict = made.verdict ?? flight.verdict;
  const duration = project.platform.clock.now() - Date.parse(flight.started_at);
  const costs = await recordCutOff(project, flight);
  const recordOf = ({ outcome, reasons }: Settlement): SessionRecord => ({
    session_id: flight.session,
    prompt: flight.prompt,
    started_at: flight.started_at,
    ended_at: isoNow(project.platform.clock),
    duration_seconds: Math.round(duration / 1000),
    outcome,
    reasons,
    termination_reason: outcome === 'verified' ? 'complete' : (reasons[0] ?? 'error'),
    feature_id: flight.feature,
    feature_completed: outcome === 'verified' && flight.feature !== null,
    tokens_used: tokensOf(costs?.usage ?? NO_USAGE),
    cost_usd: costs?.cost_usd ?? null,
    backend: project.config.agent.backend,
    model: modelFor(project, flight.prompt === 'initializer' ? 'coding' : flight.prompt),
    commit: commit ?? null,
    verdict,
    message: 'continued after the harness was cut off',
  });
  const { state: next, settlement } = await settle(project, state, ending, recordOf);
  const { outcome, reasons } = settlement;
  project.emit({
    type: 'session.end',
    session: flight.session,
    feature: flight.feature,
    outcome,
    reasons,
    duration_ms: duration,
    cost_usd: costs?.cost_usd ?? null,
    ...(costs === null ? {} : { usage: costs.usage }),
    ...(commit === undefined ? {} : { commit }),
    ...(verdict === null ? {} : { verdict }),
    message: 'continued after the harness was cut off',
  });
  await project.journal?.flush();
  return next;
}
