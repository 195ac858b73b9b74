/**
 * The workflow machine: a pure function from (state, event) to the next state and what has to be done about it.
 *
 * 1. Every transition is one write of the state file. An event that the table does not know in a phase is a bug and throws.
 * 2. Layer 1 sends the implementer back three times, layer 2 twice, layer 3 up to the last round; then a person decides.
 * 3. Auto-fix: I1 `autofix_attempted` exactly when there is an autofix that is no longer proposed; I2 it is offered only while there is
 *    none and none was attempted; I3 a proposed one leads back to its own question; I4 a stopped one never raises `layer1_retries`
 *    above three.
 * 4. What layer 1 finds of tests, settings or dependencies that only a person can accept is asked at once, before the implementer is sent back.
 * 5. Outside of the style `auto` a run ends at every `*_done`; the style `step` sends nobody back.
 */
import type { Asks, MachineState } from '../contract.ts';
import type { EventOf, Rules, WorkflowEvent } from './event.ts';
import type { Row } from './row.ts';
import { ROWS } from './table.ts';

export type Action =
  /** Nobody has to do anything: send this event. */
  | { kind: 'send'; event: EventOf<'begin'> | EventOf<'advance'> }
  | { kind: 'scan' | 'plan' | 'generate' | 'repair' | 'verify' | 'auto-fix' | 'evaluate' | 'land' }
  | { kind: 'ask'; gate: 'workflow.spec' | 'workflow.verify' | 'workflow.qa' | 'workflow.commit' | Asks['gate'] }
  | { kind: 'halt' };

export interface Transition {
  state: MachineState;
  actions: Action[];
}

export function transition(state: MachineState, event: WorkflowEvent, rules: Rules): Transition {
  const row = findRow(state, event, rules);
  if (row === null) throw new Error(`the event ${event.type} cannot happen in the phase ${state.phase}`);
  const next: MachineState = { ...state, ...row.change?.(state, event, rules), phase: row.to ?? state.phase };
  return { state: next, actions: [endsHere(next, event) ? { kind: 'halt' } : actionFor(next, rules)] };
}

/** I2. */
export function offersAutofix(state: Pick<MachineState, 'verify' | 'autofix'>): boolean {
  return !state.verify.autofix_attempted && state.autofix === null;
}

/** What the flow does next in this state, whoever brought it there. */
export function actionFor(state: MachineState, rules: Rules): Action {
  switch (state.phase) {
    case 'plan_ready':
      return state.conventions === null ? { kind: 'scan' } : BEGIN;
    case 'planning':
      return { kind: 'plan' };
    case 'plan_done':
      return { kind: 'ask', gate: 'workflow.spec' };
    case 'generate_ready':
    case 'verify_ready':
    case 'evaluate_ready':
      return BEGIN;
    case 'generating':
      return { kind: state.harness.retry === null ? 'generate' : 'repair' };
    case 'verifying':
      return { kind: 'verify' };
    case 'evaluating':
      return { kind: 'evaluate' };
    case 'verify_done':
      if (state.autofix?.applied === 'proposed') return { kind: 'auto-fix' };
      if (state.harness.asks !== null) return { kind: 'ask', gate: state.harness.asks.gate };
      return findRow(state, ADVANCE.event, rules) === null ? { kind: 'ask', gate: 'workflow.verify' } : ADVANCE;
    case 'generate_done':
      return ADVANCE;
    case 'evaluate_done':
      return findRow(state, ADVANCE.event, rules) === null ? { kind: 'ask', gate: 'workflow.qa' } : ADVANCE;
    case 'completed':
      return state.harness.landing === null ? { kind: 'ask', gate: 'workflow.commit' } : { kind: 'land' };
  }
}

const BEGIN = { kind: 'send', event: { type: 'begin' } } as const;
const ADVANCE = { kind: 'send', event: { type: 'advance' } } as const;

function findRow(state: MachineState, event: WorkflowEvent, rules: Rules): Row | null {
  const fits = (row: Row): boolean =>
    row.event === event.type && row.from.includes(state.phase) && (row.holds === undefined || row.holds(state, event, rules));
  return ROWS.find(fits) ?? null;
}

/** Rule 5: where a run that was asked for one part ends. */
function endsHere(state: MachineState, event: WorkflowEvent): boolean {
  if (event.type === 'stop') return true;
  if (state.run_style === 'auto') return false;
  switch (event.type) {
    case 'planned':
    case 'evaluated':
    case 'continue':
      return true;
    case 'generated':
      return state.harness.retry === null;
    case 'checked':
      return state.verify.layer1_result === 'PASS' || (state.run_style === 'step' && state.harness.asks === null);
    case 'deny':
      return state.run_style === 'step';
    default:
      return false;
  }
}
