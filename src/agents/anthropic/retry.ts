/**
 * What follows a failed request, as one table.
 *
 * 1. A wait is never longer than five minutes: a longer one ends the turn and tells the host when to come back.
 * 2. Failures are counted by kind since the last complete response; `earlier` is that count.
 * 3. Pure: time comes in, waiting is done by the caller.
 */
import type { AgentErrorClass } from '../contract.ts';

export const FAILURE_KINDS = [
  'rate_limit',
  'overloaded',
  'server_error',
  'connection',
  'idle',
  'malformed',
  'cut',
  'auth',
  'context_too_long',
  'invalid_request',
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export interface Failure {
  kind: FailureKind;
  message: string;
  /** How long the provider asks to wait, where it says so. */
  retryAfterMs: number | null;
}

export type RetryDecision = { action: 'retry'; delayMs: number } | { action: 'fail'; class: AgentErrorClass; retryAt: number | null };

interface RetryRule {
  class: AgentErrorClass;
  retries: number;
  delayMs(earlier: number): number;
}

export const LONGEST_WAIT_MS = 5 * 60_000;

const never = (errorClass: AgentErrorClass): RetryRule => ({ class: errorClass, retries: 0, delayMs: () => 0 });
const once: RetryRule = { class: 'unavailable', retries: 1, delayMs: () => 1_000 };

const RULES: Readonly<Record<FailureKind, RetryRule>> = {
  rate_limit: { class: 'usage_limit', retries: 8, delayMs: (earlier) => Math.min(5_000 * 2 ** earlier, LONGEST_WAIT_MS) },
  overloaded: { class: 'unavailable', retries: 3, delayMs: () => 30_000 },
  server_error: once,
  connection: once,
  idle: once,
  malformed: once,
  cut: once,
  auth: never('auth'),
  context_too_long: never('context_too_long'),
  invalid_request: never('agent'),
};

export function decideRetry(failure: Failure, earlier: number, now: number): RetryDecision {
  const rule = RULES[failure.kind];
  const asked = failure.retryAfterMs;
  const retryAt = asked === null ? null : now + asked;
  if (earlier >= rule.retries) return { action: 'fail', class: rule.class, retryAt };
  if (asked !== null && asked > LONGEST_WAIT_MS) return { action: 'fail', class: 'usage_limit', retryAt };
  return { action: 'retry', delayMs: asked ?? rule.delayMs(earlier) };
}

export function failureClass(kind: FailureKind): AgentErrorClass {
  return RULES[kind].class;
}
