/**
 * A flight: one agent session from base to settlement. Pure.
 *
 *   preparing → working → capturing → captured → landing → settling, and out.
 *
 * 1. Each phase has one step that is due (`STEPS`); what came of it is an event, and the event names the next phase.
 * 2. `reopened` says what a crash means: nobody is restarted blindly, nothing that an agent left is lost, and what was accepted lands.
 * 3. A refused claim goes back to the agent while its conversation is open, and so does, once, what only the examiner objects to; the step that
 *    judged says whether it is open.
 * 4. A flight without a checkpoint is a candidate that a person accepted: its session has its record already. Where the branch moved in the meantime it
 *    is judged again there, and what the person has seen is not asked twice.
 */
import { inPhase } from '../../domain/must-have.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { Flight, FlightEnd, FlightPhase } from '../../domain/session.ts';

export type FlightEvent =
  | { type: 'prepared'; workspace: string; checkpoint: string }
  | { type: 'conversed'; stop: Flight['stop']; evidence: Flight['evidence']; said?: string; word?: Flight['word'] }
  | { type: 'captured'; tree: string; findings: Flight['findings'] }
  /** There was no copy any more. */
  | { type: 'nothing.left' }
  /** The agent's work makes no claim, or none that may be judged. */
  | { type: 'unclaimed'; reason: Reason; message: string; outage?: boolean }
  | {
      type: 'judged';
      verdict: string;
      decision: Verdict['decision'];
      reasons: Reason[];
      message: string;
      tree: string;
      answerable: boolean;
    }
  | { type: 'committed'; commit: string }
  /** Accepted work that cannot land where the branch stands. */
  | { type: 'stranded'; reason: Extract<Reason, 'git.moved' | 'git.conflict' | 'git.hook'>; message: string; conflict?: string[] }
  /** Accepted work does not land: a proof that the flow itself ran speaks against it, or it ends in another way that the flow names. */
  | { type: 'held'; message: string; end?: Pick<FlightEnd, 'kind' | 'reasons'> }
  /** The branch does not stand where it stood. */
  | { type: 'moved'; message: string }
  /** The work stands on the branch's new commit now, and is to be judged there. */
  | { type: 'rebased'; base: string; tree: string }
  | { type: 'landed'; pushes: boolean }
  /** The remote went on: the accepted commit was made again on top of it, and has to land here too. */
  | { type: 'replayed'; base: string; tree: string; commit: string }
  /** It could not land here: the remote is asked once more with what did. */
  | { type: 'turned.back' }
  /** `paused`: a person has to bring branch and remote together. */
  | { type: 'pushed'; note: string; paused: boolean }
  | { type: 'reopened' };

export type FlightStep = 'prepare' | 'converse' | 'salvage' | 'capture' | 'judge' | 'commit' | 'land' | 'move' | 'push' | 'settle';

/** How often a refused claim goes back to the agent. */
export const MOST_ANSWERS = 2;
/** How often the branch may move under the work before it is left for the next session. */
export const MOST_MOVES = 3;

/** What a flight in this phase does next. A landing without a commit has to make it first. */
export function flightStep(flight: Pick<Flight, 'phase' | 'commit'>): FlightStep {
  return flight.phase === 'landing' && flight.commit === null ? 'commit' : STEPS[flight.phase];
}

export const STEPS: Readonly<Record<FlightPhase, FlightStep>> = {
  preparing: 'prepare',
  working: 'converse',
  salvaging: 'salvage',
  capturing: 'capture',
  captured: 'judge',
  landing: 'land',
  moving: 'move',
  pushing: 'push',
  settling: 'settle',
};

/** Where each event may happen. */
export const KNOWN_IN: Readonly<Record<FlightEvent['type'], readonly FlightPhase[]>> = {
  prepared: ['preparing'],
  conversed: ['working'],
  captured: ['capturing', 'salvaging'],
  'nothing.left': ['capturing', 'salvaging'],
  unclaimed: ['captured'],
  judged: ['captured'],
  committed: ['landing'],
  stranded: ['captured', 'landing', 'moving'],
  held: ['landing'],
  moved: ['landing'],
  rebased: ['moving'],
  landed: ['landing'],
  replayed: ['pushing'],
  'turned.back': ['landing'],
  pushed: ['pushing'],
  reopened: ['preparing', 'working', 'salvaging', 'capturing', 'captured', 'landing', 'moving', 'pushing', 'settling'],
};

/** Null: the flight is dropped, because its agent had not started. */
export function fly(flight: Flight, event: FlightEvent): Flight | null {
  if (!KNOWN_IN[event.type].includes(flight.phase)) throw new Error(`the event ${event.type} cannot happen in phase ${flight.phase}`);
  const to = (phase: FlightPhase, change: Partial<Flight> = {}): Flight => ({ ...flight, ...change, phase });
  const settling = (end: End, change: Partial<Flight> = {}): Flight => to('settling', { ...change, end: { outage: false, ...end } });
  switch (event.type) {
    case 'prepared':
      return to('working', { workspace: event.workspace, checkpoint: event.checkpoint });
    case 'conversed':
      return to('capturing', { stop: event.stop, evidence: event.evidence, said: event.said ?? flight.said, word: event.word ?? null });
    case 'captured':
      return flight.phase === 'salvaging'
        ? settling(CUT_OFF, { tree: event.tree, findings: event.findings })
        : to('captured', { tree: event.tree, findings: event.findings });
    case 'nothing.left':
      return settling(CUT_OFF, { tree: null });
    case 'unclaimed':
      return settling(unclaimedEnd(flight, event));
    case 'judged':
      return judged(flight, event, to, settling);
    case 'committed':
      return to('landing', { commit: event.commit });
    case 'stranded':
      return settling({ kind: 'partial', reasons: [event.reason], message: event.message }, { conflict: event.conflict ?? null });
    case 'held':
      return settling({ ...(event.end ?? { kind: 'rejected', reasons: ['test.failed'] }), message: event.message });
    case 'moved':
      return flight.moves < MOST_MOVES && (!isAcceptedByPerson(flight) || flight.accepted !== null)
        ? to('moving')
        : settling({ kind: 'partial', reasons: ['git.moved'], message: event.message });
    case 'rebased':
      return to('captured', { base: event.base, tree: event.tree, verdict: null, commit: null, moves: flight.moves + 1 });
    case 'landed':
      return event.pushes ? to('pushing') : settling(VERIFIED);
    case 'replayed':
      return to('landing', { base: event.base, tree: event.tree, commit: event.commit, pushes: flight.pushes + 1 });
    case 'turned.back':
      return to('pushing', { commit: flight.base });
    case 'pushed':
      return settling({ ...VERIFIED, message: event.note });
    case 'reopened':
      return reopened(flight, to);
  }
}

type End = Omit<FlightEnd, 'outage'> & { outage?: boolean };

/** Whether this flight is a candidate that a person accepted. */
export function isAcceptedByPerson(flight: Pick<Flight, 'checkpoint' | 'phase'>): boolean {
  return flight.checkpoint === null && flight.phase !== 'preparing';
}

/** For people: since when the branch can have moved under the work. */
export function sinceWhen(flight: Pick<Flight, 'checkpoint' | 'phase'>): string {
  return isAcceptedByPerson(flight) ? 'after the work was judged' : 'during the session';
}

const CUT_OFF: FlightEnd = { kind: 'cut_off', reasons: ['interrupted'], message: 'cut off', outage: false };
const VERIFIED: FlightEnd = { kind: 'verified', reasons: [], message: '', outage: false };

function unclaimedEnd(flight: Flight, { reason, message, outage = false }: Extract<FlightEvent, { type: 'unclaimed' }>): FlightEnd {
  if (flight.cut_off !== null) return CUT_OFF;
  return { kind: flight.stop?.never_started === true ? 'not_started' : 'partial', reasons: [reason], message, outage };
}

type To = (phase: FlightPhase, change?: Partial<Flight>) => Flight;
type Settling = (end: End, change?: Partial<Flight>) => Flight;

function judged(flight: Flight, event: Extract<FlightEvent, { type: 'judged' }>, to: To, settling: Settling): Flight {
  const { decision, reasons, message, verdict, tree } = event;
  if (decision === 'accepted') return to('landing', { verdict, tree, commit: null });
  if (flight.moves > 0) {
    const why = `branch ${flight.branch} moved ${sinceWhen(flight)}, and the work does not hold on its new commit: ${message === '' ? reasons.join(', ') : message}`;
    return settling({ kind: 'partial', reasons: ['git.moved'], message: why });
  }
  if (decision === 'needs_human' && isForAgent(flight, event))
    return to('working', { verdict, examined: true, refused: { tree: inPhase(flight, 'tree'), verdict } });
  if (decision === 'needs_human') return settling({ kind: 'needs_human', reasons, message }, { verdict, tree });
  if (event.answerable && flight.tree !== null && mayAnswer(flight, reasons))
    return to('working', { verdict, answers: flight.answers + 1, refused: { tree: flight.tree, verdict } });
  const { stop } = flight;
  const limit = stop === null || stop.reason === 'agent.failed' ? [] : [stop.reason];
  return settling({ kind: 'rejected', reasons: [...reasons, ...limit], message }, { verdict });
}

/** If only hidden tests object, the agent is asked once before a person is. */
function isForAgent(flight: Flight, { answerable, reasons }: Extract<FlightEvent, { type: 'judged' }>): boolean {
  return answerable && !flight.examined && flight.stop === null && flight.tree !== null && reasons.length === 1 && reasons[0] === HIDDEN;
}

const HIDDEN: Reason = 'hidden.failed';

/** A regression ends the session, and so does tampering. */
function mayAnswer(flight: Flight, reasons: readonly Reason[]): boolean {
  return (
    flight.stop === null &&
    flight.answers < MOST_ANSWERS &&
    !reasons.some((code) => code === 'regression' || code === 'accepted.failed' || code.startsWith('tamper.'))
  );
}

function reopened(flight: Flight, to: To): Flight | null {
  const cut = { cut_off: flight.phase === 'salvaging' ? (flight.cut_off ?? flight.phase) : flight.phase };
  switch (flight.phase) {
    case 'preparing':
      return null;
    case 'working':
    case 'salvaging':
      return to('salvaging', cut);
    default:
      return to(flight.phase, cut);
  }
}
