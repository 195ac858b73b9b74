/**
 * What a repeated run comes to: the most urgent of what is left. Pure.
 *
 * 1. Left are the questions that wait, and the features whose last session of this run was refused or came to no end.
 * 2. Everything that waits is named, whatever the code.
 */
import { EXIT, type ExitCode } from '../../../domain/reasons.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { parkedId, waitingEntries, type Parked } from './parked.ts';
import { ended, type RunReport } from './run-report.ts';
import { mustHave } from '../../../domain/must-have.ts';

const URGENCY: readonly ExitCode[] = [
  EXIT.interrupted,
  EXIT.defect,
  EXIT.usage,
  EXIT.preflight,
  EXIT.escalated,
  EXIT.waiting,
  EXIT.budget,
  EXIT.rejected,
  EXIT.partial,
];

/** `left`: the last report about each feature that this run left open. */
export function mostUrgent(report: RunReport, left: readonly RunReport[], project: ProjectState): RunReport {
  const entries = waitingEntries(project);
  const all = [report, ...left, ...entries.map(reportOf)];
  const first = all.reduce((best, next) => (rank(next) < rank(best) ? next : best));
  const message = [...new Set([first, report].map((one) => ownMessage(one, entries))), whatWaits(entries)];
  return { ...first, message: message.filter((part) => part !== '').join('\n') };
}

function rank({ exitCode }: RunReport): number {
  const at = URGENCY.indexOf(exitCode);
  return at === -1 ? URGENCY.length : at;
}

function reportOf({ pending, escalation }: Parked): RunReport {
  if (pending !== null) return { ...ended('needs_human', ['gate.pending'], ''), session: pending.session, feature: pending.feature };
  const { feature, message, gate } = mustHave(escalation, 'what waits is a candidate or an escalation');
  const waits = gate === 'project.large-feature' ? ended('needs_human', ['gate.pending'], message) : ended('escalated', [], message);
  return { ...waits, feature };
}

/** What the lines about everything that waits say is not said twice. */
function ownMessage({ exitCode, feature, message }: RunReport, entries: readonly Parked[]): string {
  const again = entries.map(reportOf).some((waits) => waits.exitCode === exitCode && waits.feature === feature);
  return again ? '' : message;
}

/** One line for each question; empty: nothing waits. */
export function whatWaits(entries: readonly Parked[]): string {
  if (entries.length === 0) return '';
  const lines = entries.map((entry) => {
    const feature = (entry.pending ?? entry.escalation)?.feature ?? null;
    return `  ${feature === null ? 'cleanup' : `#${feature}`}: harness answer ${parkedId(entry)} OPTION`;
  });
  const count = entries.length === 1 ? 'One question waits' : `${entries.length} questions wait`;
  return [`${count} for a person (harness gates shows what each is about):`, ...lines].join('\n');
}
