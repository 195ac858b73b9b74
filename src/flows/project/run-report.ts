/** What a run ends with, whatever it was that ended it. */
import { EXIT, exitCodeFor, type ExitCode, type Outcome, type Reason } from '../../domain/reasons.ts';
import type { Followed } from './carry-out.ts';
import type { Decided } from './pending.ts';
import type { SessionReport } from './settle-session.ts';

export interface RunReport {
  outcome: Outcome;
  reasons: Reason[];
  exitCode: ExitCode;
  session: number | null;
  feature: number | null;
  commit: string | null;
  message: string;
}

export function ended(outcome: Outcome, reasons: Reason[], message: string): RunReport {
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session: null, feature: null, commit: null, message };
}

/** The code of what happened stays; only a question that now waits has a code of its own. */
export function endedBy(
  followed: Exclude<Followed, { kind: 'go_on' }>,
  report: Pick<RunReport, 'outcome' | 'reasons' | 'exitCode'>,
): Pick<RunReport, 'outcome' | 'reasons' | 'exitCode' | 'message'> {
  if (followed.kind === 'waiting')
    return ended('needs_human', ['gate.pending'], `a question waits: harness answer ${followed.gate} OPTION`);
  return { outcome: report.outcome, reasons: report.reasons, exitCode: report.exitCode, message: followed.message };
}

export function reportOf(report: SessionReport): RunReport {
  const { outcome, reasons, session, feature, commit, message } = report;
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session, feature, commit, message };
}

export function decidedReport(report: SessionReport, decided: Decided): RunReport {
  if (decided.kind === 'landed')
    return { ...reportOf(report), outcome: 'verified', reasons: [], exitCode: EXIT.done, commit: decided.commit, message: '' };
  return {
    ...reportOf(report),
    outcome: 'rejected',
    exitCode: EXIT.rejected,
    message: decided.kind === 'stale' ? decided.message : report.message,
  };
}
