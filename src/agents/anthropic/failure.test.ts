import { expect, test } from 'vitest';
import { failureOf, ResponseFailure } from './failure.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const thrown = (fields: Record<string, unknown>): Error => Object.assign(new Error(String(fields['message'] ?? 'broken')), fields);

test.each([
  [{ status: 429 }, 'rate_limit'],
  [{ status: 529 }, 'overloaded'],
  [{ status: 500 }, 'server_error'],
  [{ status: 503 }, 'server_error'],
  [{ status: 401 }, 'auth'],
  [{ status: 403 }, 'auth'],
  [{ status: 413 }, 'context_too_long'],
  [{ status: 404 }, 'invalid_request'],
  [{ status: 400, apiMessage: 'prompt is too long: 5 tokens > 4 maximum' }, 'context_too_long'],
  [{ status: 400, apiMessage: 'Your credit balance is too low' }, 'auth'],
  [{ status: 400, apiMessage: 'messages: empty' }, 'invalid_request'],
  [{ type: 'overloaded_error' }, 'overloaded'],
  [{ type: 'rate_limit_error' }, 'rate_limit'],
  [{ type: 'api_error' }, 'server_error'],
])('%j is %s', (fields, kind) => {
  expect(failureOf(thrown(fields), false, NOW).kind).toBe(kind);
});

test('the same broken connection is a cut once the stream runs', () => {
  expect(failureOf(thrown({}), false, NOW).kind).toBe('connection');
  expect(failureOf(thrown({}), true, NOW).kind).toBe('cut');
  expect(failureOf(new SyntaxError('x'), true, NOW).kind).toBe('malformed');
  expect(failureOf(new ResponseFailure('idle', 'silent'), true, NOW)).toEqual({ kind: 'idle', message: 'silent', retryAfterMs: null });
});

test.each([
  [{ 'retry-after': '17' }, 17_000],
  [{ 'retry-after': 'Tue, 01 Jan 2030 00:10:00 GMT' }, 600_000],
  [{ 'retry-after': 'Mon, 31 Dec 2029 00:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after': 'soon' }, null],
  [{}, null],
])('%j asks for a wait of %s ms', (headers, wait) => {
  expect(failureOf(thrown({ status: 429, headers: new Headers(headers as Record<string, string>) }), false, NOW).retryAfterMs).toBe(wait);
});
