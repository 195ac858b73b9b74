/**
 * What the steps of the spec flow work with, and what they give back.
 *
 * 1. A step does its work and returns an event; the drive writes the state, once for each event.
 * 2. A step can be done again at any time: what it left half done is overwritten or found.
 */
import type { ExitCode, Outcome, Reason } from '../../domain/reasons.ts';
import type { Place } from '../../kernel/place.ts';
import type { CallRole } from '../../kernel/roles/contract.ts';
import type { SpecStep } from './machine/due.ts';
import type { SpecEvent } from './machine/machine.ts';
import type { SpecMode, SpecState } from './machine/state.ts';

export interface SpecOptions {
  /** Null: go on with the session that is there. */
  task: string | null;
  mode: SpecMode | null;
  modelConfig: string | null;
  reference: string | null;
  /** Somebody sits at a terminal. */
  interactive: boolean;
}

/** A place where a spec is written. */
export interface SpecPlace extends Place {
  callRole: CallRole;
  options: SpecOptions;
}

export interface SpecReport {
  exitCode: ExitCode;
  outcome: Outcome;
  reasons: Reason[];
  message: string;
  /** What the person chose to go on with. */
  next: { flow: 'workflow'; task: string; outputDir: string } | { flow: 'project'; spec: string } | null;
  /** The agent of the session, for what comes next. */
  agent?: Place['chosenAgent'];
}

export type StepResult =
  /** `end`: the command is over once the event is written. */
  | { kind: 'event'; event: SpecEvent; end?: SpecReport }
  /** The answer was of no use; the same step once more. */
  | { kind: 'again' }
  | { kind: 'waits'; gate: string }
  | { kind: 'ended'; report: SpecReport };

export type StepFunction = (place: SpecPlace, state: SpecState, step: SpecStep) => Promise<StepResult>;

export function happened(event: SpecEvent): StepResult {
  return { kind: 'event', event };
}

export function ended(exitCode: ExitCode, outcome: Outcome, reasons: Reason[], message: string): Extract<StepResult, { kind: 'ended' }> {
  return { kind: 'ended', report: { exitCode, outcome, reasons, message, next: null } };
}
