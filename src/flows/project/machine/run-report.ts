/** How a run tells what it came to. */
import { exitCodeFor, type ExitCode, type Outcome, type Reason } from '../../../domain/reasons.ts';
import type { Followed } from '../people/followed.ts';

export interface RunReport {
  outcome: Outcome;
  reasons: Reason[];
  exitCode: ExitCode;
  session: number | null;
  feature: number | null;
  commit: string | null;
  message: string;
  /** A person wants the project to be watched from here on. */
  maintains?: true;
}

export function ended(outcome: Outcome, reasons: Reason[], message: string): RunReport {
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session: null, feature: null, commit: null, message };
}

/** The code of what happened stays; only a question that now waits has a code of its own. */
export function endedBy(
  followed: Pick<Extract<Followed, { message: string }>, 'message'> | { gate: string },
  report: RunReport,
): RunReport {
  if ('gate' in followed)
    return { ...report, ...pick(ended('needs_human', ['gate.pending'], `a question waits: harness answer ${followed.gate} OPTION`)) };
  return { ...report, message: followed.message };
}

function pick({ outcome, reasons, exitCode, message }: RunReport): Pick<RunReport, 'outcome' | 'reasons' | 'exitCode' | 'message'> {
  return { outcome, reasons, exitCode, message };
}
