/**
 * How the machine ends a session: outcome, counters, the next prompt and escalation are decided together, in one transition.
 * Ends that say nothing about the feature count neither as stuck nor as failed. After the second session in which the
 * agent fell silent, each time twice, a person is asked.
 */
import type { Outcome, Reason } from '../../../domain/reasons.ts';
import type { Usage } from '../../../domain/money.ts';
import type { AgentRules } from '../../../kernel/fallback/away.ts';
import { saysNothing } from '../../../kernel/flight/not-counted.ts';
import type { Flight, ProjectState } from '../../../domain/session.ts';
import { keptAtHand, withoutWork, workOn } from './shelf.ts';
import type { SessionRecord } from '../../../domain/session-record.ts';
import { withRefusal } from './refusal.ts';
import { mustHave } from '../../../domain/must-have.ts';
import { flightOf } from './lanes.ts';

export interface MachineRules {
  maxStuckSessions: number;
  cleanupInterval: number;
  /** Absent: there is one agent. */
  agents?: AgentRules;
}

/** How a session ended, before counters are looked at. */
export type Ending =
  /** `vouched`: a person accepted what the harness had refused. */
  | { kind: 'verified'; commit: string; open: number; vouched?: boolean }
  | { kind: 'rejected'; reasons: Reason[]; wip?: ProjectState['wip'] }
  | { kind: 'needs_human'; reasons: Reason[]; pending: NonNullable<ProjectState['pending']> }
  /** `outage`: the agent's program could not work at all, which says nothing about the feature. */
  | { kind: 'partial'; reasons: Reason[]; wip: ProjectState['wip']; outage?: boolean }
  /** No agent ran: says nothing about the feature. */
  | { kind: 'not_started'; reasons: Reason[] }
  | { kind: 'cut_off'; wip: ProjectState['wip'] };

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

/** What else the record of a session says. */
export interface Closing {
  spent: { tokens: SessionRecord['tokens_used']; cost_usd: number | null; usage: Usage };
  model: string;
  backend: string;
  message: string;
}

/** The record is in the state until the journal has it, so that a crash loses and doubles nothing. */
export function settle(
  state: ProjectState,
  { ending, closing }: { ending: Ending; closing: Closing | null },
  rules: MachineRules,
  now: string,
): Transition {
  const transition = end(state, ending, rules, now);
  if (closing === null) return transition;
  const settlement = mustHave(transition.settlement, 'a settled flight has its settlement');
  return { ...transition, state: { ...transition.state, last_record: recordOf(flightOf(state), settlement, closing, now) } };
}

function recordOf(flight: Flight, { outcome, reasons }: Settlement, closing: Closing, now: string): SessionRecord {
  return {
    session_id: flight.session,
    prompt: flight.prompt,
    started_at: flight.started_at,
    ended_at: now,
    duration_seconds: Math.round(Math.max(0, Date.parse(now) - Date.parse(flight.started_at)) / 1000),
    outcome,
    reasons,
    termination_reason: outcome === 'verified' ? 'complete' : (reasons[0] ?? 'error'),
    feature_id: flight.feature,
    feature_completed: outcome === 'verified' && flight.feature !== null,
    tokens_used: closing.spent.tokens,
    cost_usd: closing.spent.cost_usd,
    backend: closing.backend,
    model: closing.model,
    commit: outcome === 'verified' ? flight.commit : null,
    verdict: flight.verdict,
    ...(flight.end?.outage === true ? { outage: true } : {}),
    ...messageOf(flight, closing),
  };
}

function messageOf({ cut_off }: Flight, { message }: Closing): { message?: string } {
  if (cut_off !== null) return { message: 'continued after the harness was cut off' };
  return message === '' ? {} : { message };
}

function end(state: ProjectState, ending: Ending, rules: MachineRules, now: string): Transition {
  const flight = state.flight;
  if (flight === null) throw new Error('no session is under way');
  const base: ProjectState = {
    ...state,
    flight: null,
    current_feature: flight.feature ?? state.current_feature,
    notes: ending.kind === 'not_started' ? state.notes : state.notes.filter((note) => note.feature !== null),
    timestamp: now,
  };
  switch (ending.kind) {
    case 'verified':
      return settled(afterVerified(base, flight, ending.open, rules), 'verified', []);
    case 'rejected':
      return countFailure({ ...base, ...withRefusal(base, flight, ending.wip) }, stuckCount(state, flight), flight, {
        reasons: ending.reasons,
        rules,
        end: {
          outcome: 'rejected',
          status: 'failed',
        },
      });
    case 'needs_human':
      return settled(
        { ...base, status: 'partial', termination_reason: ending.reasons[0] ?? null, pending: ending.pending },
        'needs_human',
        ending.reasons,
      );
    case 'partial':
      return afterPartial({ ...base, ...keptAtHand(base, ending.wip) }, stuckCount(state, flight), flight, { ending, rules, before: base });
    case 'not_started':
      return settled({ ...base, status: 'failed', termination_reason: ending.reasons[0] ?? null }, 'error', ending.reasons);
    case 'cut_off':
      return settled(
        {
          ...base,
          ...keptAtHand(base, ending.wip),
          ...continuing(flight, ending.wip ?? base.wip),
          status: 'partial',
          termination_reason: 'error',
        },
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
    notes: state.notes.filter((note) => note.feature !== flight.feature),
    ...withoutWork(state, flight.feature),
    refusals: state.refusals.filter((entry) => entry.feature !== flight.feature),
    repair: null,
    features_since_cleanup: sinceCleanup,
    next_prompt: due ? 'cleanup' : 'coding',
  };
}

function afterPartial(
  state: ProjectState,
  stuck: number,
  flight: Flight,
  {
    ending: { reasons, outage, wip },
    rules,
    before,
  }: { ending: Extract<Ending, { kind: 'partial' }>; rules: MachineRules; before: ProjectState },
): Transition {
  const timeouts = reasons.includes('timeout') ? state.timeout_count + 1 : state.timeout_count;
  const next: ProjectState = {
    ...state,
    ...continuing(flight, state.wip),
    status: 'partial',
    termination_reason: reasons[0] ?? null,
    timeout_count: timeouts,
  };
  const collided = collisionAgain(before, flight, wip);
  if (collided !== null) return settled(next, 'escalated', reasons, collided);
  if (outage === true || saysNothing(reasons)) return settled(next, 'partial', reasons);
  return countFailure(next, stuck, flight, { reasons, rules, end: { outcome: 'partial', status: 'partial' } });
}

/** Both sides were shown to an agent once; the second time a person has to bring them together. */
function collisionAgain(before: ProjectState, { feature }: Flight, wip: ProjectState['wip']): ProjectState['escalation'] {
  if (feature === null || wip?.conflict === undefined || workOn(before, feature)?.conflict === undefined) return null;
  return {
    gate: 'project.stuck',
    feature,
    facts: { feature, sessions: 2 },
    message: `Feature #${feature} conflicts for the second time with changes that landed in the meantime, in ${wip.conflict.slice(0, 5).join(', ')}.`,
  };
}

function continuing(flight: Flight, wip: ProjectState['wip']): Pick<ProjectState, 'next_prompt'> {
  if (flight.prompt === 'cleanup') return { next_prompt: 'cleanup' };
  return { next_prompt: wip !== null && wip.feature === flight.feature ? 'continuation' : 'coding' };
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
  {
    reasons,
    rules,
    end,
  }: { reasons: Reason[]; rules: MachineRules; end: { outcome: 'rejected' | 'partial'; status: 'failed' | 'partial' } },
): Transition {
  const count = (state.failures[key(flight.feature)] ?? 0) + 1;
  const failures = { ...state.failures, [key(flight.feature)]: count };
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
  const asks = count >= (reasons.includes('stalled') ? Math.min(MOST_SILENT, rules.maxStuckSessions) : rules.maxStuckSessions);
  if (!asks || flight.feature === null) return settled(next, end.outcome, reasons);
  return settled(next, 'escalated', reasons, escalationFor(flight.feature, count, end.outcome));
}

const MOST_SILENT = 2;

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
        message: `Feature #${feature} is still unfinished after ${count === 1 ? 'a session' : `${count} sessions`}.`,
      };
}

function key(feature: number | null): string {
  return feature === null ? 'cleanup' : String(feature);
}

export function withoutKey(record: Record<string, number>, feature: number | null): Record<string, number> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key(feature)));
}
