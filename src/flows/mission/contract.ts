/** What steps of a mission work with, and what a command of it comes to. */
import { exitCodeFor, type ExitCode, type Outcome, type Reason } from '../../domain/reasons.ts';
import type { Progress } from '../../kernel/flow.ts';
import type { FlightPlace } from '../../kernel/flight/contract.ts';
import type { Rules } from './machine/rules.ts';
import type { MissionEvent, MissionStep, Running } from './machine/state.ts';

export interface MissionPlace extends FlightPlace {
  rules: Rules;
  /** The text of the specification. */
  spec: string;
}

export interface MissionReport {
  exitCode: ExitCode;
  outcome: Outcome;
  reasons: Reason[];
  message: string;
  commit: string | null;
}

export type MissionProgress = Progress<MissionEvent, MissionReport>;
export type StepFunction = (place: MissionPlace, state: Running, step: MissionStep) => Promise<MissionProgress>;

export function ended(
  outcome: Outcome,
  reasons: Reason[],
  message: string,
  exitCode: ExitCode = exitCodeFor(outcome, reasons),
): MissionReport {
  return { exitCode, outcome, reasons, message, commit: null };
}
