/**
 * Which class a failure of Claude Code belongs to, from the error code it names, else from its words.
 *
 * 1. A used-up allowance carries the time at which it comes back: from the limit's own event, else from the sentence.
 * 2. The sentence counts also in a result that calls itself a success, but only when the result is nothing else.
 */
import type { AgentEnd, AgentErrorClass } from '../contract.ts';
import { classByWords } from '../failure-words.ts';
import { resetTime, speaksOfUsageLimit } from '../reset-time.ts';

export interface FailureFacts {
  /** `error` of the last message that carried one. */
  code: string | null;
  text: string;
  /** Epoch milliseconds, where the limit's own event said so. */
  resetsAt: number | null;
}

type Failed = Extract<AgentEnd, { kind: 'failed' }>;

const BY_CODE: Readonly<Record<string, AgentErrorClass>> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  billing_error: 'auth',
  cloud_credential_error: 'auth',
  rate_limit: 'usage_limit',
  overloaded: 'unavailable',
  server_error: 'unavailable',
};

export function failureOf(facts: FailureFacts, now: number): Failed {
  const message = facts.text.trim() === '' ? 'Claude Code ended without saying why' : `Claude Code: ${facts.text.trim().slice(0, 2_000)}`;
  const words = classByWords(facts.text);
  const named = facts.code === null ? undefined : BY_CODE[facts.code];
  const errorClass =
    facts.resetsAt !== null || speaksOfUsageLimit(facts.text)
      ? 'usage_limit'
      : words === 'context_too_long'
        ? words
        : (named ?? words ?? 'agent');
  const retryAt = errorClass === 'usage_limit' ? (facts.resetsAt ?? resetTime(facts.text, now)) : null;
  return { kind: 'failed', class: errorClass, message, retryAt };
}

export function codeClass(code: unknown): AgentErrorClass {
  return (typeof code === 'string' ? BY_CODE[code] : undefined) ?? 'unavailable';
}

/** A whole answer that is nothing but the notice of a limit. */
export function isLimitNotice(text: string): boolean {
  return text.length < 300 && !text.trim().includes('\n') && speaksOfUsageLimit(text) && /\||resets|again/i.test(text);
}
