/**
 * The project machine: a pure function from (state, event) to the next state and what has to be done about it.
 *
 * 1. The state is one document. Every event is one write of it.
 * 2. `flight` is set exactly while a session is under way; its phase says what a crash means (see `recoveryFor`).
 * 3. Only `settled` ends a flight, and it decides outcome, counters and escalation together; `dropped` takes back one whose agent never started.
 * 4. A session cut off by the harness's own death counts neither as stuck nor as failed.
 */
import type { Outcome, Reason } from '../../domain/reasons.ts';
import { STATE_SCHEMA_VERSION, type Flight, type ProjectState } from '../../domain/session.ts';

export interface MachineRules {
  maxStuckSessions: number;
  cleanupInterval: number;
}

/** How a session ended, before counters are looked at. */
export type Ending =
  | { kind: 'verified'; commit: string; open: number }
  | { kind: 'rejected'; reasons: Reason[]; wip?: ProjectState['wip'] }
  | { kind: 'needs_human'; reasons: Reason[]; pending: NonNullable<ProjectState['pending']> }
  | { kind: 'partial'; reasons: Reason[]; wip: ProjectState['wip'] }
  /** No agent ran: says nothing about the feature. */
  | { kind: 'not_started'; reasons: Reason[] }
  | { kind: 'cut_off'; wip: ProjectState['wip'] };

export type ProjectEvent =
  | { type: 'prepared'; flight: Flight }
  | { type: 'working'; workspace: string; checkpoint: string }
  | { type: 'captured'; tree: string; findings: Flight['findings']; evidence: Flight['evidence']; stop: Flight['stop'] }
  /** `base`: where the branch stands, if that is not where the session began. */
  | { type: 'landing'; tree: string; verdict: string; commit: string; base?: string }
  /** The branch went on meanwhile: the work stands on its new commit now, and is to be judged there. */
  | { type: 'moved'; base: string; tree: string }
  | { type: 'settled'; ending: Ending }
  | { type: 'dropped' }
  | { type: 'setback'; features: number[] }
  | { type: 'escalated'; escalation: NonNullable<ProjectState['escalation']> }
  | { type: 'answered' }
  | { type: 'pending.closed' }
  | { type: 'completed' }
  | { type: 'skipped'; feature: number; reason: string }
  | { type: 'unskipped'; feature: number }
  | { type: 'offered'; pending: NonNullable<ProjectState['pending']> }
  /** A person's word for a feature, without proof of the harness's own. */
  | { type: 'overridden'; feature: number; passes: boolean; kind: 'override' | 'manual' }
  /** The harness ran the feature's test on the branch itself, and a person agreed. */
  | { type: 'recorded'; feature: number }
  | { type: 'declined'; feature: number }
  | { type: 'rolling.back'; checkpoint: string }
  | { type: 'rolled.back'; session: number }
  | { type: 'handed.off'; head: string }
  | { type: 'paused' }
  | { type: 'resumed' };

export interface Settlement {
  outcome: Outcome;
  reasons: Reason[];
  escalation: ProjectState['escalation'];
}

export interface Transition {
  state: ProjectState;
  /** Present after `settled`. */
  settlement: Settlement | null;
}

export function initialState(harnessVersion: string, now: string): ProjectState {
  return {
    schema_version: STATE_SCHEMA_VERSION,
    harness_version: harnessVersion,
    last_session: 0,
    status: 'complete',
    current_feature: null,
    termination_reason: null,
    next_prompt: 'coding',
    stuck_count: 0,
    timeout_count: 0,
    failures: {},
    skipped: [],
    setbacks: [],
    features_since_cleanup: 0,
    paused: false,
    handoff: null,
    overrides: [],
    wip: null,
    pending: null,
    escalation: null,
    completed_at: null,
    rollback: null,
    last_record: null,
    flight: null,
    timestamp: now,
  };
}

export function transition(state: ProjectState, event: ProjectEvent, rules: MachineRules, now: string): Transition {
  const to = (change: Partial<ProjectState>): Transition => ({ state: { ...state, ...change, timestamp: now }, settlement: null });
  switch (event.type) {
    case 'prepared':
      if (state.flight !== null) throw new Error(`session ${state.flight.session} is still under way`);
      return to({ flight: event.flight, last_session: event.flight.session, completed_at: null });
    case 'working':
      return to({ flight: flying(state, { phase: 'working', workspace: event.workspace, checkpoint: event.checkpoint }) });
    case 'captured':
      return to({
        flight: flying(state, {
          phase: 'captured',
          tree: event.tree,
          findings: event.findings,
          evidence: event.evidence,
          stop: event.stop,
        }),
      });
    case 'landing':
      return to({
        flight: flying(state, {
          phase: 'landing',
          tree: event.tree,
          verdict: event.verdict,
          commit: event.commit,
          ...(event.base === undefined ? {} : { base: event.base }),
        }),
      });
    case 'moved':
      return to({ flight: flying(state, { phase: 'captured', base: event.base, tree: event.tree, verdict: null, commit: null }) });
    case 'settled':
      return settle(state, event.ending, rules, now);
    case 'dropped':
      return to({ flight: null, last_session: Math.max(0, state.last_session - (state.flight?.phase === 'preparing' ? 1 : 0)) });
    case 'setback':
      return to({
        setbacks: [...new Set([...state.setbacks, ...event.features])],
        overrides: state.overrides.filter((entry) => !event.features.includes(entry.feature)),
        completed_at: null,
      });
    case 'escalated':
      return to({ escalation: event.escalation });
    case 'answered':
      return to({ escalation: null, stuck_count: 0, failures: withoutKey(state.failures, state.escalation?.feature ?? null) });
    case 'pending.closed':
      return to({ pending: null });
    case 'completed':
      return to({
        completed_at: now,
        status: 'complete',
        termination_reason: 'complete',
        wip: null,
        current_feature: null,
        next_prompt: 'coding',
      });
    case 'skipped':
      return to({
        ...leaving(state, event.feature),
        skipped: [...without(state.skipped, event.feature), { feature: event.feature, reason: event.reason, at: now }],
      });
    case 'unskipped':
      return to({ skipped: without(state.skipped, event.feature) });
    case 'offered':
      return to({ pending: event.pending });
    case 'overridden': {
      const overrides = [
        ...without(state.overrides, event.feature),
        { feature: event.feature, passes: event.passes, kind: event.kind, at: now },
      ];
      return to(
        event.passes
          ? { ...leaving(state, event.feature), skipped: without(state.skipped, event.feature), overrides }
          : { overrides, completed_at: null },
      );
    }
    case 'recorded':
      return to({
        ...leaving(state, event.feature),
        skipped: without(state.skipped, event.feature),
        overrides: without(state.overrides, event.feature),
      });
    case 'declined':
      return to({
        handoff: state.handoff === null ? null : { ...state.handoff, declined: [...new Set([...state.handoff.declined, event.feature])] },
      });
    case 'rolling.back':
      return to({ rollback: { checkpoint: event.checkpoint, session: Math.max(state.last_session, state.rollback?.session ?? 0) } });
    case 'rolled.back':
      return to({ flight: null, rollback: null, last_session: Math.max(event.session, state.last_session) });
    case 'paused':
      return to({ paused: true });
    case 'handed.off':
      return to({ handoff: { at: now, head: event.head, declined: [] } });
    case 'resumed':
      return to({ paused: false, handoff: null });
  }
}

/** What is no longer true once nobody works on a feature any more. */
function leaving(state: ProjectState, feature: number): Partial<ProjectState> {
  const ownWork = state.wip?.feature === feature;
  return {
    setbacks: state.setbacks.filter((id) => id !== feature),
    wip: ownWork ? null : state.wip,
    next_prompt: ownWork ? 'coding' : state.next_prompt,
    failures: withoutKey(state.failures, feature),
    stuck_count: state.current_feature === feature ? 0 : state.stuck_count,
    escalation: state.escalation?.feature === feature ? null : state.escalation,
    pending: state.pending?.feature === feature ? null : state.pending,
  };
}

function without<Entry extends { feature: number }>(entries: readonly Entry[], feature: number): Entry[] {
  return entries.filter((entry) => entry.feature !== feature);
}

function flying(state: ProjectState, change: Partial<Flight>): Flight {
  if (state.flight === null) throw new Error('no session is under way');
  return { ...state.flight, ...change };
}

function settle(state: ProjectState, ending: Ending, rules: MachineRules, now: string): Transition {
  const flight = state.flight;
  if (flight === null) throw new Error('no session is under way');
  const base: ProjectState = { ...state, flight: null, current_feature: flight.feature ?? state.current_feature, timestamp: now };
  switch (ending.kind) {
    case 'verified':
      return settled(afterVerified(base, flight, ending.open, rules), 'verified', []);
    case 'rejected':
      return countFailure({ ...base, wip: ending.wip ?? base.wip }, stuckCount(state, flight), flight, ending.reasons, rules, {
        outcome: 'rejected',
        status: 'failed',
      });
    case 'needs_human':
      return settled(
        { ...base, status: 'partial', termination_reason: ending.reasons[0] ?? null, pending: ending.pending },
        'needs_human',
        ending.reasons,
      );
    case 'partial':
      return afterPartial({ ...base, wip: ending.wip ?? base.wip }, stuckCount(state, flight), flight, ending.reasons, rules);
    case 'not_started':
      return settled({ ...base, status: 'failed', termination_reason: ending.reasons[0] ?? null }, 'error', ending.reasons);
    case 'cut_off':
      return settled(
        { ...base, ...continuing(flight, ending.wip ?? base.wip), status: 'partial', termination_reason: 'error' },
        'partial',
        ['interrupted'],
      );
  }
}

function settled(state: ProjectState, outcome: Outcome, reasons: Reason[], escalation: ProjectState['escalation'] = null): Transition {
  return { state: escalation === null ? state : { ...state, escalation }, settlement: { outcome, reasons, escalation } };
}

function afterVerified(state: ProjectState, flight: Flight, open: number, rules: MachineRules): ProjectState {
  const cleanup = flight.prompt === 'cleanup';
  const sinceCleanup = cleanup ? 0 : state.features_since_cleanup + 1;
  const due = rules.cleanupInterval > 0 && sinceCleanup >= rules.cleanupInterval && open > 0;
  return {
    ...state,
    status: 'complete',
    termination_reason: null,
    stuck_count: 0,
    timeout_count: 0,
    failures: withoutKey(state.failures, flight.feature),
    setbacks: state.setbacks.filter((id) => id !== flight.feature),
    overrides: state.overrides.filter((entry) => entry.feature !== flight.feature),
    wip: state.wip !== null && state.wip.feature === flight.feature ? null : state.wip,
    features_since_cleanup: sinceCleanup,
    next_prompt: due ? 'cleanup' : 'coding',
  };
}

/** Ends that say nothing about the feature: waiting, people and the provider's limits. */
const NOT_COUNTED: ReadonlySet<Reason> = new Set([
  'usage_limit',
  'user_pause',
  'interrupted',
  'budget.session',
  'budget.feature',
  'budget.project',
  'api.auth',
  'git.moved',
  'git.conflict',
  'disk.full',
]);

function afterPartial(state: ProjectState, stuck: number, flight: Flight, reasons: Reason[], rules: MachineRules): Transition {
  const timeouts = reasons.includes('timeout') ? state.timeout_count + 1 : state.timeout_count;
  const next: ProjectState = {
    ...state,
    ...continuing(flight, state.wip),
    status: 'partial',
    termination_reason: reasons[0] ?? null,
    timeout_count: timeouts,
  };
  if (reasons.some((reason) => NOT_COUNTED.has(reason))) return settled(next, 'partial', reasons);
  return countFailure(next, stuck, flight, reasons, rules, { outcome: 'partial', status: 'partial' });
}

function continuing(flight: Flight, wip: ProjectState['wip']): Pick<ProjectState, 'wip' | 'next_prompt'> {
  if (flight.prompt === 'cleanup') return { wip, next_prompt: 'cleanup' };
  return { wip, next_prompt: wip !== null && wip.feature === flight.feature ? 'continuation' : 'coding' };
}

/** Sessions in a row on the same feature, this one included; a cleanup session says nothing about a feature. */
function stuckCount(before: ProjectState, flight: Flight): number {
  if (flight.feature === null) return before.stuck_count;
  return before.current_feature === flight.feature ? before.stuck_count + 1 : 1;
}

function countFailure(
  state: ProjectState,
  stuck: number,
  flight: Flight,
  reasons: Reason[],
  rules: MachineRules,
  end: { outcome: 'rejected' | 'partial'; status: 'failed' | 'partial' },
): Transition {
  const failures = { ...state.failures, [key(flight.feature)]: (state.failures[key(flight.feature)] ?? 0) + 1 };
  const next: ProjectState = {
    ...state,
    status: end.status,
    termination_reason: reasons[0] ?? null,
    stuck_count: stuck,
    failures,
    next_prompt:
      flight.prompt === 'cleanup' ? 'coding' : state.next_prompt === 'cleanup' ? 'coding' : promptAfterFailure(state, flight, end.outcome),
    features_since_cleanup: flight.prompt === 'cleanup' ? 0 : state.features_since_cleanup,
  };
  const count = failures[key(flight.feature)]!;
  if (count < rules.maxStuckSessions || flight.feature === null) return settled(next, end.outcome, reasons);
  return settled(next, 'escalated', reasons, escalationFor(flight.feature, count, end.outcome));
}

function promptAfterFailure(state: ProjectState, flight: Flight, outcome: 'rejected' | 'partial'): ProjectState['next_prompt'] {
  if (outcome === 'partial') return state.next_prompt;
  return state.wip !== null && state.wip.feature === flight.feature ? 'continuation' : 'coding';
}

function escalationFor(feature: number, count: number, outcome: 'rejected' | 'partial'): NonNullable<ProjectState['escalation']> {
  return outcome === 'rejected'
    ? {
        gate: 'project.repeated-failures',
        feature,
        facts: { feature, failures: count },
        message: `Feature #${feature} did not pass verification in ${count} sessions in a row.`,
      }
    : {
        gate: 'project.stuck',
        feature,
        facts: { feature, sessions: count },
        message: `Feature #${feature} is still unfinished after ${count} sessions.`,
      };
}

function key(feature: number | null): string {
  return feature === null ? 'cleanup' : String(feature);
}

function withoutKey(record: Record<string, number>, feature: number | null): Record<string, number> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key(feature)));
}

export type Recovery = 'none' | 'discard' | 'keep_work' | 'judge_again' | 'finish_landing';

/** What the next command does about a flight that nobody is flying any more. */
export function recoveryFor(state: ProjectState): Recovery {
  if (state.flight === null) return 'none';
  const table: Record<Flight['phase'], Recovery> = {
    preparing: 'discard',
    working: 'keep_work',
    captured: 'judge_again',
    landing: 'finish_landing',
  };
  return table[state.flight.phase];
}
