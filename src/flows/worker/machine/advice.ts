/**
 * When an advisor is asked. Pure.
 *
 * 1. Once for each trigger; three times for a task. What would be one more is an escalation.
 * 2. A trigger that is there before any work is asked about before any work.
 */
import type { AdvisorRequest, ReasonCode } from '../contract.ts';
import type { TaskState } from './state.ts';

export const MOST_CONSULTATIONS = 3;

export interface Trigger {
  reason: ReasonCode;
  signature: string;
  question: string;
  lastError: string | null;
}

export type Consulting = { kind: 'ask'; request: AdvisorRequest } | { kind: 'answered' } | { kind: 'escalate'; reason: string };

export function consult(state: TaskState, trigger: Trigger, summary: readonly string[] = []): Consulting {
  const { task_id } = state.input;
  const hash = `${task_id}:${trigger.reason}:${trigger.signature}`;
  const known = state.consultations.find(({ request }) => request.trigger_hash === hash);
  if (known !== undefined && known.advice === null) return { kind: 'ask', request: known.request };
  if (known !== undefined) return { kind: 'answered' };
  if (state.consultations.length >= MOST_CONSULTATIONS)
    return {
      kind: 'escalate',
      reason: `The advisor was asked ${MOST_CONSULTATIONS} times for this task, and there is one more question: ${trigger.question}`,
    };
  const request: AdvisorRequest = {
    schema_version: 'advisor-request.v1',
    task_id,
    reason_code: trigger.reason,
    trigger_hash: hash,
    question: trigger.question,
    attempt: state.seen.sessions.length,
    last_error: trigger.lastError,
    context_summary: [...summary],
  };
  return { kind: 'ask', request };
}

const FLAGS = ['needs-spike', 'security-sensitive', 'state-migration'] as const;

const QUESTIONS: Readonly<Record<(typeof FLAGS)[number], string>> = {
  'needs-spike': 'The contract says that this task needs a spike. What has to be found out first, and may the work begin?',
  'security-sensitive': 'The contract marks this task as security-sensitive. What has to be kept in mind, and may the work begin?',
  'state-migration': 'The contract says that this task migrates state. How is the migration to be done, and may the work begin?',
};

/** What the contract, the task and its context ask for, in a fixed order. */
export function triggersOf(input: TaskState['input'], contract: unknown): Trigger[] {
  const found = FLAGS.filter((flag) => hasFlag(contract, flag)).map((flag): Trigger => ({
    reason: flag,
    signature: 'contract',
    question: QUESTIONS[flag],
    lastError: null,
  }));
  const texts = [input.task, input.context ?? '', contract === null ? '' : JSON.stringify(contract)];
  if (texts.some((text) => /<!--\s*advisor:required\s*-->/i.test(text)))
    found.push({
      reason: 'advisor-required',
      signature: 'marker',
      question: 'The task carries the mark "advisor:required". What should the worker know before it begins?',
      lastError: null,
    });
  return found;
}

/** In a list of words, or as a key that is not off; `needs_spike` and `needsSpike` are the same word. */
function hasFlag(value: unknown, flag: string, depth = 0): boolean {
  if (depth > 12) return false;
  if (typeof value === 'string') return depth > 0 && plain(value) === plain(flag);
  if (Array.isArray(value)) return value.some((one) => hasFlag(one, flag, depth + 1));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => (plain(key) === plain(flag) ? isOn(inner) : hasFlag(inner, flag, depth + 1)));
}

function isOn(value: unknown): boolean {
  return value !== false && value !== null && value !== '' && value !== 0 && !(Array.isArray(value) && value.length === 0);
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
