/** What an action led to: an event for the machine, or the end of the command. */
import { EXIT } from '../../../domain/reasons.ts';
import type { WorkflowReport } from '../contract.ts';
import type { WorkflowEvent } from '../machine/table.ts';

export type Step =
  /** `language`: what the person turned out to write in. `end`: the command is over once the event is written. */
  { kind: 'event'; event: WorkflowEvent; language?: string; end?: WorkflowReport } | { kind: 'end'; report: WorkflowReport };

export function send(event: WorkflowEvent, language?: string): Step {
  return { kind: 'event', event, ...(language === undefined ? {} : { language }) };
}

/** A question waits for an answer. */
export function waiting(message: string): WorkflowReport {
  return { outcome: 'needs_human', reasons: ['gate.pending'], exitCode: EXIT.waiting, commit: null, message };
}
