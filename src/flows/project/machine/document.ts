/**
 * The project machine: a pure function from (state, event) to the next state and what has to be done about it.
 *
 * 1. The state is one document. Every event is one write of it.
 * 2. `flight` is set exactly while a session is under way, or a candidate that a person accepted; it has a machine of its own.
 * 3. Only `settled` ends a flight (`machine-settlement.ts`), and it decides outcome, counters and escalation together; `dropped` takes back one whose agent never started.
 * 4. A session cut off by the harness's own death counts neither as stuck nor as failed.
 */
import { FlightSchema, STATE_SCHEMA_VERSION, type Flight, type ProjectState } from '../../../domain/session.ts';
import { afterFlight } from '../../../kernel/fallback/away.ts';
import { fly, type FlightEvent } from '../../../kernel/flight/machine.ts';
import { flightsOf, withFlight } from './lanes.ts';
import { park, recall } from './parked.ts';
import { atHand, keptAtHand, withoutWork } from './shelf.ts';
import { withRefusal } from './refusal.ts';
import { settle, withoutKey, type Closing, type Ending, type MachineRules, type Transition } from './settlement.ts';
import { mustHave } from '../../../domain/must-have.ts';

export type ProjectEvent =
  | { type: 'planned'; flight: Flight }
  /** What happens to the flight that is under way: see `kernel/flight/machine.ts`. */
  | FlightEvent
  | { type: 'settled'; ending: Ending; closing?: Closing | null }
  | { type: 'dropped' }
  /** A person accepted a candidate: it flies from where it was judged. */
  | { type: 'accepted'; pending: NonNullable<ProjectState['pending']>; releases?: true }
  /** It can no longer land; what it held is unfinished work again. */
  | { type: 'stale'; wip?: ProjectState['wip'] }
  /** What is asked about next is left for later, and one of those is asked about next. */
  | { type: 'parked' }
  | { type: 'recalled'; id: string }
  | { type: 'setback'; features: number[] }
  /** Preflight is red, and an agent is to repair what it names. */
  /** Null: it is given up. */
  | { type: 'repairing'; detail: string | null }
  | { type: 'escalated'; escalation: NonNullable<ProjectState['escalation']> }
  | { type: 'answered'; note?: Note }
  | { type: 'pending.closed'; note?: Note }
  /** Words of a person, without a question that stands in the state. */
  | { type: 'noted'; note: Note }
  | { type: 'completed' }
  | { type: 'skipped'; feature: number; reason: string; unblocks?: boolean }
  | { type: 'unskipped'; feature: number }
  | { type: 'offered'; pending: NonNullable<ProjectState['pending']> }
  /** A person's word for a feature, without proof of the harness's own. */
  | { type: 'overridden'; feature: number; passes: boolean; kind: 'override' | 'manual' }
  /** The harness ran the feature's test on the branch itself, and a person agreed. */
  | { type: 'recorded'; feature: number }
  | { type: 'declined'; feature: number }
  | { type: 'rolling.back'; checkpoint: string }
  /** `restored`: the state as the checkpoint kept it. */
  | { type: 'rolled.back'; restored?: ProjectState; session: number }
  | { type: 'handed.off'; head: string }
  | { type: 'paused' }
  | { type: 'resumed' };

/** What a person said, and to which feature it belongs. */
export interface Note {
  feature: number | null;
  gate: string;
  text: string;
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
    repair: null,
    paused: false,
    handoff: null,
    overrides: [],
    wip: null,
    shelved: [],
    refusals: [],
    pending: null,
    escalation: null,
    parked: [],
    notes: [],
    completed_at: null,
    rollback: null,
    last_record: null,
    flight: null,
    beside: [],
    timestamp: now,
  };
}

export function transition(state: ProjectState, event: ProjectEvent, rules: MachineRules, now: string): Transition {
  const to = (change: Partial<ProjectState>): Transition => ({ state: { ...state, ...change, timestamp: now }, settlement: null });
  switch (event.type) {
    case 'planned':
      if (
        state.flight !== null &&
        (event.flight.lane === null || flightsOf(state).some(({ lane }) => lane === event.flight.lane || lane === null))
      )
        throw new Error(`session ${state.flight.session} is still under way`);
      return to({
        ...(event.flight.feature === null ? {} : atHand(state, event.flight.feature)),
        ...(event.flight.repairs === null ? {} : { repair: { detail: event.flight.repairs, tries: (state.repair?.tries ?? 0) + 1 } }),
        ...withFlight(state, event.flight),
        ...(event.flight.agent === undefined ? {} : { agents: { away: state.agents?.away ?? [], last: event.flight.agent } }),
        last_session: event.flight.session,
      });
    case 'settled':
      return vouched(
        settle({ ...state, ...agentsAfter(state, rules, now) }, { ending: event.ending, closing: event.closing ?? null }, rules, now),
        { ending: event.ending, feature: mustHave(state.flight, 'a session is under way').feature },
        rules,
        now,
      );
    case 'dropped':
      return to(dropped(state));
    case 'accepted':
      return to({ pending: null, ...withFlight(state, flightOf(event, now)) });
    case 'stale':
      return to({ ...keptAtHand(state, event.wip ?? null), flight: null, pending: null });
    case 'parked':
      return to(park(state, now));
    case 'recalled':
      return to(recall(state, event.id, now));
    case 'setback':
      return to({
        setbacks: [...new Set([...state.setbacks, ...event.features])],
        overrides: state.overrides.filter((entry) => !event.features.includes(entry.feature)),
        completed_at: null,
      });
    case 'repairing':
      return to({ repair: event.detail === null ? null : { detail: event.detail, tries: state.repair?.tries ?? 0 } });
    case 'escalated':
      return to({ escalation: event.escalation });
    case 'answered':
      return to({
        escalation: null,
        stuck_count: 0,
        failures: withoutKey(state.failures, state.escalation?.feature ?? null),
        notes: withNote(state, event.note, now),
      });
    case 'pending.closed':
      return to({ ...withRefusal(state, state.pending), pending: null, notes: withNote(state, event.note, now) });
    case 'noted':
      return to({ notes: withNote(state, event.note, now) });
    case 'completed':
      return to({
        completed_at: now,
        status: 'complete',
        termination_reason: 'complete',
        wip: null,
        shelved: [],
        current_feature: null,
        next_prompt: 'coding',
      });
    case 'skipped':
      return to({
        ...leaving(state, event.feature),
        skipped: [
          ...without(state.skipped, event.feature),
          { feature: event.feature, reason: event.reason, at: now, ...(event.unblocks === true ? { unblocks: true as const } : {}) },
        ],
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
    case 'rolled.back': {
      const { restored = state } = event;
      const last_session = Math.max(event.session, restored.last_session);
      return { state: { ...restored, flight: null, beside: [], rollback: null, last_session, timestamp: now }, settlement: null };
    }
    case 'paused':
      return to({ paused: true });
    case 'handed.off':
      return to({ handoff: { at: now, head: event.head, declined: [] } });
    case 'resumed':
      return to({ paused: false, handoff: null });
    default:
      return to(flown(state, event));
  }
}

/** Who is well after this session, where there is more than one agent. */
function agentsAfter({ flight, agents }: ProjectState, rules: MachineRules, now: string): Pick<ProjectState, 'agents'> {
  if (rules.agents === undefined || flight?.agent === undefined) return {};
  return { agents: { last: flight.agent, away: afterFlight(rules.agents, agents?.away ?? [], flight, Date.parse(now)) } };
}

/** What a person accepted against the harness's word stands on theirs alone. */
function vouched(
  settled: Transition,
  { ending, feature }: { ending: Ending; feature: number | null },
  rules: MachineRules,
  now: string,
): Transition {
  if (feature === null || ending.kind !== 'verified' || ending.vouched !== true) return settled;
  return { ...settled, state: transition(settled.state, { type: 'overridden', feature, passes: true, kind: 'manual' }, rules, now).state };
}

/** One event of the flight, and what of it the project has to know. */
function flown(state: ProjectState, event: FlightEvent): Partial<ProjectState> {
  if (state.flight === null) throw new Error('no session is under way');
  const flight = fly(state.flight, event);
  if (flight === null) return dropped(state);
  if (event.type === 'prepared') return { flight, completed_at: null, ...(flight.repairs === null ? { repair: null } : {}) };
  return event.type === 'pushed' && event.paused ? { flight, paused: true } : { flight };
}

/** A session whose agent never started gives its number back, unless another one has begun since. */
function dropped(state: ProjectState): Partial<ProjectState> {
  const isLast = state.flight?.phase === 'preparing' && state.flight.session === state.last_session;
  return { flight: null, last_session: Math.max(0, state.last_session - (isLast ? 1 : 0)) };
}

/** Without a checkpoint: its session has its record already. */
function flightOf({ pending, releases }: Extract<ProjectEvent, { type: 'accepted' }>, now: string): Flight {
  const { session, feature, base, branch, tree, verdict, findings = [], evidence = null } = pending;
  const prompt = feature === null ? 'cleanup' : 'coding';
  const accepted = { verdict, base, tree, ...(releases === undefined ? {} : { releases }) };
  return {
    ...newFlight({ session, feature, prompt, base, branch, started_at: now }),
    phase: 'landing',
    tree,
    verdict,
    accepted,
    findings,
    evidence,
  };
}

type Start = Pick<Flight, 'session' | 'feature' | 'prompt' | 'base' | 'branch' | 'started_at'> &
  Partial<Pick<Flight, 'repairs' | 'lane' | 'agent'>>;

export function newFlight(start: Start): Flight {
  return FlightSchema.parse({ ...start, phase: 'preparing', checkpoint: null });
}

const MOST_NOTES = 5;

function withNote(state: ProjectState, note: Note | undefined, now: string): ProjectState['notes'] {
  return note === undefined ? state.notes : [...state.notes, { ...note, at: now }].slice(-MOST_NOTES);
}

/** What is no longer true once nobody works on a feature any more. */
function leaving(state: ProjectState, feature: number): Partial<ProjectState> {
  const ownWork = state.wip?.feature === feature;
  return {
    ...withoutWork(state, feature),
    setbacks: state.setbacks.filter((id) => id !== feature),
    next_prompt: ownWork ? 'coding' : state.next_prompt,
    failures: withoutKey(state.failures, feature),
    refusals: without(state.refusals, feature),
    stuck_count: state.current_feature === feature ? 0 : state.stuck_count,
    escalation: state.escalation?.feature === feature ? null : state.escalation,
    pending: state.pending?.feature === feature ? null : state.pending,
    parked: state.parked.filter(({ pending, escalation }) => (pending ?? escalation)?.feature !== feature),
    notes: state.notes.filter((note) => note.feature !== feature),
  };
}

function without<Entry extends { feature: number }>(entries: readonly Entry[], feature: number): Entry[] {
  return entries.filter((entry) => entry.feature !== feature);
}
