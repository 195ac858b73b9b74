import { describe, expect, test } from 'vitest';
import { decideRetry, FAILURE_KINDS, LONGEST_WAIT_MS, type Failure, type FailureKind } from './retry.ts';

const NOW = 1_000_000;
const failure = (kind: FailureKind, retryAfterMs: number | null = null): Failure => ({ kind, message: 'x', retryAfterMs });

test.each([
  ['rate_limit', 8, 'usage_limit'],
  ['overloaded', 3, 'unavailable'],
  ['server_error', 1, 'unavailable'],
  ['connection', 1, 'unavailable'],
  ['idle', 1, 'unavailable'],
  ['malformed', 1, 'unavailable'],
  ['cut', 1, 'unavailable'],
  ['auth', 0, 'auth'],
  ['context_too_long', 0, 'context_too_long'],
  ['invalid_request', 0, 'agent'],
] as const)('%s is retried %i times, then fails as %s', (kind, retries, errorClass) => {
  for (let earlier = 0; earlier < retries; earlier += 1) expect(decideRetry(failure(kind), earlier, NOW).action).toBe('retry');
  expect(decideRetry(failure(kind), retries, NOW)).toEqual({ action: 'fail', class: errorClass, retryAt: null });
});

test('no wait is longer than five minutes, for any kind and count', () => {
  const waits = FAILURE_KINDS.flatMap((kind) =>
    Array.from({ length: 20 }).flatMap((_, earlier) =>
      [null, 0, 1_000, LONGEST_WAIT_MS, LONGEST_WAIT_MS + 1, 1e9]
        .map((asked) => decideRetry(failure(kind, asked), earlier, NOW))
        .flatMap((decision) => (decision.action === 'retry' ? [decision.delayMs] : [])),
    ),
  );
  expect(Math.max(...waits)).toBe(LONGEST_WAIT_MS);
});

describe('a rate limit', () => {
  test('doubles its wait up to five minutes', () => {
    const waits = [0, 1, 2, 3, 4, 5, 6, 7]
      .map((earlier) => decideRetry(failure('rate_limit'), earlier, NOW))
      .map((decision) => (decision.action === 'retry' ? decision.delayMs / 1_000 : null));
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  });

  test('waits as long as the provider asks, up to and with five minutes', () => {
    expect(decideRetry(failure('rate_limit', LONGEST_WAIT_MS), 0, NOW)).toEqual({ action: 'retry', delayMs: LONGEST_WAIT_MS });
    expect(decideRetry(failure('rate_limit', LONGEST_WAIT_MS + 1), 0, NOW)).toEqual({
      action: 'fail',
      class: 'usage_limit',
      retryAt: NOW + LONGEST_WAIT_MS + 1,
    });
  });
});
