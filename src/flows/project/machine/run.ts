/**
 * A run over the project: what is due, and where each event leads. Pure.
 *
 * 1. `project` is the document; `run` is what this command is about, and lives only as long as it does. Only a changed document is written.
 * 2. First what is under way: a return to a checkpoint, then the flight. Then what the last session has raised. Then the next one.
 * 3. In a repeated run, codes 0, 3, 4, 8 and 10 go on with what is free, and what waits for a person is parked; every other code ends it.
 * 4. An outage of the provider or of the agent's program is sat out: features that have not met it come first, none is blamed (`outage.ts`).
 * 5. With lanes, sessions fly beside each other; talks, waits and looks go on meanwhile. Whatever else follows from a plan waits until nobody flies.
 * 6. More than one session is unattended: the guard comes before the first.
 */
import { EXIT, type ExitCode, type Outcome, type Reason } from '../../../domain/reasons.ts';
import type { Flight, ProjectState } from '../../../domain/session.ts';
import { isAcceptedByPerson } from '../../../kernel/flight/machine.ts';
import { chooseAgent, goesOnWith, isAgent, type Chosen } from '../../../kernel/fallback/away.ts';
import { dueFlights } from '../../../kernel/lanes/air.ts';
import { flightOf, flightsOf, focused, inOrder, laneFor } from './lanes.ts';
import { canPark, waitingEntries } from './parked.ts';
import { mostUrgent } from './urgency.ts';
import { newFlight, transition, type ProjectEvent } from './document.ts';
import type { MachineRules, Settlement } from './settlement.ts';
import type { Outage } from '../steps/outage.ts';
import type { SessionPlan } from './plan-session.ts';
import { ended, type RunReport } from './run-report.ts';
import type { Next, OwnStep, ProjectStep, Run, RunEvent, Running, SessionReport } from './running.ts';
import { mustHave } from '../../../domain/must-have.ts';

export function due({ project, run }: Running): readonly ProjectStep[] {
  const flights = flightsOf(project);
  const flying = dueFlights(flights);
  if (project.rollback !== null) return flights.every(({ lane }) => lane === null) ? [own('restore')] : flying;
  if (flights.some(({ lane }) => lane === null)) return flying;
  const step = ownStep(run, flights.length);
  return step === null ? flying : [...flying, own(step)];
}

function ownStep(run: Run, flying: number): OwnStep | null {
  if (run.end !== null || run.wanted === 0) return null;
  if (run.session !== null) return 'talk';
  if (run.complete !== null) return 'offer more';
  if (run.wait !== null) return 'wait';
  if (run.plan === null) return flying < run.lanes && run.done + flying < run.wanted ? 'look' : null;
  const step = PLANNED[run.plan.is.kind];
  return step === 'guard' || flying === 0 ? step : null;
}

function own(name: OwnStep): ProjectStep {
  return { key: name, name };
}

/** What follows from a plan; null: the run ends there. A session that is planned and guarded has become a flight. */
export const PLANNED: Readonly<Record<SessionPlan['kind'], OwnStep | null>> = {
  session: 'guard',
  complete: 'finish',
  exhausted: 'ask about exhaustion',
  pending: 'ask about candidate',
  escalated: 'ask about escalation',
  holding: null,
  waiting: null,
  paused: null,
  handoff: null,
};

/** More than one session: nobody is expected to sit there. */
export function isUnattended(run: Pick<Run, 'wanted'>): boolean {
  return run.wanted > 1;
}

export function resting(state: Running): RunReport {
  const { project, run } = state;
  const report = restingReport(state);
  if (!isUnattended(run)) return report;
  return mostUrgent(report, report.outcome === 'complete' ? [] : run.left, project);
}

function restingReport({ project, run }: Running): RunReport {
  if (run.end !== null) return run.end;
  const plan = run.plan?.is.kind;
  if (plan === 'paused') return ended('partial', ['user_pause'], 'the project is paused; continue with: harness resume');
  if (plan === 'handoff')
    return ended('partial', ['user_pause'], 'the project is in the hands of a person; give it back to the harness with: harness takeback');
  if (plan === 'waiting' && waitingEntries(project).length > 0)
    return { ...ended('needs_human', ['gate.pending'], ''), session: run.last?.session ?? null, commit: run.last?.commit ?? null };
  return run.last ?? ended('complete', [], 'nothing to do');
}

export function advance(state: Running, event: RunEvent, rules: MachineRules, now: string): Running {
  const { project, run } = state;
  const after = (changes: readonly ProjectEvent[]): ProjectState =>
    changes.reduce((document, change) => transition(document, change, rules, now).state, project);
  switch (event.type) {
    case 'flown': {
      const to = advance({ project: focused(project, event.session), run }, event.event, rules, now);
      return { ...to, project: inOrder(to.project) };
    }
    case 'looked':
      return begun({ project: after(event.changes), run: { ...run, plan: { is: event.plan, head: event.head } } }, rules, now);
    case 'taken.up':
      return { project: after(event.changes), run: { ...run, plan: null } };
    case 'guarded':
      return begun({ project, run: { ...run, guarded: true } }, rules, now);
    case 'done':
      return parked(
        { project: after(event.changes), run: next(run, event.next, agentAfter(project, event.next, rules, now)) },
        event.next,
        rules,
        now,
      );
    case 'waited':
      return { project, run: waited(run, event.outage) };
    case 'returned':
      return returned(state, event, rules, now);
    case 'dropped':
      return {
        project: after([{ type: 'dropped' }]),
        run: event.failure === null || project.flight === null ? run : reported(run, notStarted(project.flight, event.failure)),
      };
    case 'settled':
      return settled(state, event, rules, now);
    case 'reopened':
      return { project: flightsOf(project).reduce((document, flight) => reopened(document, flight, rules, now), project), run };
    case 'stale':
      return { project: after([event]), run: decidedAs(run, { kind: 'stale', message: project.flight?.end?.message ?? '' }) };
    default:
      return { project: after([event]), run };
  }
}

/** A planned session becomes a flight once the guard lets it. */
function begun(state: Running, rules: MachineRules, now: string): Running {
  const { project, run } = state;
  if (run.plan?.is.kind !== 'session' || !run.guarded) return state;
  const { is, head } = run.plan;
  const place = laneFor(flightsOf(project), run.lanes, is.feature?.id ?? null);
  if (place === null) return state;
  const flight = newFlight({
    session: is.session,
    feature: is.feature?.id ?? null,
    prompt: is.prompt,
    base: head.commit,
    branch: head.branch,
    started_at: now,
    repairs: is.repairs ?? null,
    ...place,
    ...agentFor(project, rules, now),
  });
  const switches = run.switches + (isSwitch(project, rules, flight.agent) ? 1 : 0);
  return { project: transition(project, { type: 'planned', flight }, rules, now).state, run: { ...run, plan: null, switches } };
}

function isSwitch({ agents }: ProjectState, rules: MachineRules, agent: Flight['agent']): boolean {
  return rules.agents !== undefined && agent !== undefined && !isAgent(agent, agents?.last ?? rules.agents.agents[0]);
}

function agentFor({ agents }: ProjectState, rules: MachineRules, now: string): Pick<Flight, 'agent'> {
  return rules.agents === undefined ? {} : { agent: chooseAgent(rules.agents, agents?.away ?? [], Date.parse(now)).agent };
}

/** What waits for a person does not hold up a run that goes on. */
function parked(state: Running, how: Next, rules: MachineRules, now: string): Running {
  const waits = how.kind === 'park' || (how.kind === 'session' && isUnattended(state.run) && state.run.end === null);
  if (!waits || !canPark(state.project)) return state;
  return { ...state, project: transition(state.project, { type: 'parked' }, rules, now).state };
}

/** Who goes on after a session that its agent's quota, login or provider ended; null: nobody else, or nothing of that ended it. */
function agentAfter({ agents }: ProjectState, how: Next, rules: MachineRules, now: string): Chosen | null {
  if (rules.agents === undefined || how.kind !== 'session' || !endedByAgent(how.report)) return null;
  return goesOnWith(rules.agents, agents?.away ?? [], { outage: how.outage === true, now: Date.parse(now) });
}

function endedByAgent({ reasons, outcome }: RunReport): boolean {
  return reasons.some((code) => AGENT_TROUBLE.has(code)) || (outcome === 'error' && reasons.includes('agent.failed'));
}

const AGENT_TROUBLE: ReadonlySet<Reason> = new Set(['usage_limit', 'api.auth', 'api.unavailable']);

function next(run: Run, how: Next, further: Chosen | null): Run {
  const [session = null, ...ended] = run.ended;
  const cleared: Run = { ...run, plan: null, session, ended };
  switch (how.kind) {
    case 'again':
    case 'park':
      return cleared;
    case 'end':
      return { ...cleared, end: how.report };
    case 'deciding':
      return { ...cleared, deciding: how.report };
    case 'returning':
      return { ...cleared, returning: how.report };
    case 'complete':
      return { ...cleared, complete: how.report };
    case 'session':
      return how.again === true
        ? { ...cleared, last: how.report }
        : counted(cleared, { report: how.report, until: how.retryAt, outage: how.outage === true, further });
  }
}

function counted(
  run: Run,
  { report, until, outage = false, further = null }: { report: RunReport; until: number | null; outage?: boolean; further?: Chosen | null },
): Run {
  const done = run.done + 1;
  const others = withoutFeature(run.left, report.feature);
  const left = STANDS_IN_STATE.has(report.exitCode) ? others : [...others, report];
  if ((!GOES_ON.has(report.exitCode) && further === null) || done >= run.wanted)
    return { ...run, done, left, last: report, end: run.end ?? report };
  if (further !== null) {
    const wait = further.wellAt === null ? null : { until: further.wellAt, outage: false };
    return { ...run, done, left, last: report, outage: null, wait };
  }
  const waits = outage || report.reasons.includes('usage_limit');
  return { ...run, done, left, last: report, outage: outage ? run.outage : null, wait: waits ? { until, outage } : null };
}

/** Done, or asked about: the state says so as long as it is true. */
const STANDS_IN_STATE: ReadonlySet<ExitCode> = new Set([EXIT.done, EXIT.escalated, EXIT.waiting]);

function withoutFeature(reports: readonly RunReport[], feature: number | null): RunReport[] {
  return reports.filter((report) => report.feature !== feature);
}

const GOES_ON: ReadonlySet<ExitCode> = new Set([EXIT.done, EXIT.escalated, EXIT.rejected, EXIT.waiting, EXIT.partial]);

/** An outage that lasts too long ends the run. */
function waited(run: Run, outage: Outage | null): Run {
  const endless = run.wait?.outage === true && outage === null;
  return { ...run, wait: null, outage, end: endless ? run.last : run.end };
}

function notStarted(flight: Flight, failure: { reason: Reason; message: string; broken: string[] }): SessionReport {
  return {
    outcome: failure.reason.startsWith('budget.') ? 'escalated' : 'error',
    reasons: [failure.reason],
    session: null,
    feature: flight.feature,
    base: flight.base,
    branch: flight.branch,
    commit: null,
    verdict: null,
    message: failure.message,
    retryAt: null,
    outage: false,
    broken: failure.broken,
  };
}

function settled({ project, run }: Running, event: Extract<ProjectEvent, { type: 'settled' }>, rules: MachineRules, now: string): Running {
  const flight = flightOf(project);
  const waits = project.beside.length > 0 || run.session !== null;
  const before = waits && canPark(project) ? transition(project, { type: 'parked' }, rules, now).state : project;
  const to = transition(before, event, rules, now);
  if (isAcceptedByPerson(flight)) {
    const left = withoutFeature(run.left, flight.feature);
    return { project: to.state, run: decidedAs({ ...run, left }, { kind: 'landed', commit: flight.commit ?? '' }) };
  }
  return {
    project: to.state,
    run:
      flight.cut_off === null
        ? reported(run, reportOf(flight, mustHave(to.settlement, 'a settled flight has its settlement')))
        : { ...run, plan: null },
  };
}

/** Talked about after those that ended before it; what was planned meanwhile is looked at again. */
function reported(run: Run, report: SessionReport): Run {
  return run.session === null ? { ...run, plan: null, session: report } : { ...run, plan: null, ended: [...run.ended, report] };
}

function reopened(project: ProjectState, flight: Flight, rules: MachineRules, now: string): ProjectState {
  return inOrder(transition(focused(project, flight.session), { type: 'reopened' }, rules, now).state);
}

function reportOf(flight: Flight, { outcome, reasons }: Settlement): SessionReport {
  const { session, feature, base, branch, verdict } = flight;
  return {
    outcome,
    reasons,
    session,
    feature,
    base,
    branch,
    commit: outcome === 'verified' ? flight.commit : null,
    verdict,
    message: flight.end?.message ?? '',
    retryAt: flight.stop?.retry_at ?? null,
    outage: flight.end?.outage === true,
    broken: [],
  };
}

/** How a candidate ended that a person had accepted, for the session that it belongs to. */
function decidedAs(run: Run, decided: NonNullable<Run['decided']>): Run {
  const { deciding } = run;
  const cleared: Run = { ...run, deciding: null, decided };
  if (deciding === null) return cleared;
  const outcome: Outcome = decided.kind === 'landed' ? 'verified' : 'rejected';
  const report: RunReport =
    decided.kind === 'landed'
      ? { ...deciding, outcome, reasons: [], exitCode: EXIT.done, commit: decided.commit, message: '' }
      : { ...deciding, outcome, exitCode: EXIT.rejected, message: decided.message };
  return counted(cleared, { report, until: null });
}

function returned({ project, run }: Running, event: Extract<RunEvent, { type: 'returned' }>, rules: MachineRules, now: string): Running {
  const { restored, session, checkpoint, saved_as, bring_back } = event;
  const { returning } = run;
  const message = `Returned to checkpoint ${checkpoint}. What stood here is kept: ${bring_back}`;
  return {
    project: transition(project, { type: 'rolled.back', restored, session }, rules, now).state,
    run: { ...run, returned: { saved_as, bring_back }, returning: null, end: returning === null ? run.end : { ...returning, message } },
  };
}
