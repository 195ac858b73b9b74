/** What an action led to: an event for the machine, or the end of the command. */
import { EXIT } from '../../domain/reasons.ts';
import type { WorkflowReport } from './contract.ts';
import type { WorkflowEvent } from './machine-table.ts';

export type Step =
  /** `language`: what the person turned out to write in. */
  { kind: 'event'; event: WorkflowEvent; language?: string } | { kind: 'end'; report: WorkflowReport };

/** A question waits for an answer. */
export function waiting(message: string): WorkflowReport {
  return { outcome: 'needs_human', reasons: ['gate.pending'], exitCode: EXIT.waiting, commit: null, message };
}
