/** Names what went wrong with a request, from what the provider's client library throws. */
import type { Failure, FailureKind } from './retry.ts';

/** The parts of the client library's error that are read; it is recognised by shape, so that the library stays a lazy import. */
interface ProviderError extends Error {
  status?: number;
  headers?: Headers;
  type?: string | null;
  apiMessage?: string | null;
}

/** Thrown by this room while it reads a response. */
export class ResponseFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(message);
    this.name = 'ResponseFailure';
    this.kind = kind;
  }
}

export function failureOf(thrown: unknown, streaming: boolean, now: number): Failure {
  if (thrown instanceof ResponseFailure) return { kind: thrown.kind, message: thrown.message, retryAfterMs: null };
  if (thrown instanceof SyntaxError)
    return { kind: 'malformed', message: `the provider sent an event that is not JSON: ${thrown.message}`, retryAfterMs: null };
  if (!(thrown instanceof Error)) return { kind: 'connection', message: String(thrown), retryAfterMs: null };
  const error: ProviderError = thrown;
  const kind = kindOf(error, streaming);
  return {
    kind,
    message: describe(error),
    retryAfterMs: kind === 'rate_limit' || kind === 'overloaded' ? retryAfter(error.headers, now) : null,
  };
}

const KIND_BY_TYPE: Readonly<Record<string, FailureKind>> = {
  rate_limit_error: 'rate_limit',
  overloaded_error: 'overloaded',
  api_error: 'server_error',
  timeout_error: 'server_error',
  authentication_error: 'auth',
  permission_error: 'auth',
  billing_error: 'auth',
  request_too_large: 'context_too_long',
};
const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'auth',
  402: 'auth',
  403: 'auth',
  408: 'connection',
  409: 'connection',
  413: 'context_too_long',
  429: 'rate_limit',
  529: 'overloaded',
};

function kindOf(error: ProviderError, streaming: boolean): FailureKind {
  const text = error.apiMessage ?? error.message;
  if (error.status === 400 && /prompt is too long|context (window|length)|exceed.{0,20}context/i.test(text)) return 'context_too_long';
  if (error.status === 400 && /credit balance/i.test(text)) return 'auth';
  const byStatus = error.status === undefined ? undefined : KIND_BY_STATUS[error.status];
  if (byStatus !== undefined) return byStatus;
  const byType = error.type ? KIND_BY_TYPE[error.type] : undefined;
  if (byType !== undefined) return byType;
  if (error.status === undefined) return streaming ? 'cut' : 'connection';
  return error.status >= 500 ? 'server_error' : 'invalid_request';
}

function describe(error: ProviderError): string {
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  const text = error.apiMessage ?? error.message;
  return error.status === undefined ? `${text}${cause}` : `the provider answered ${error.status}: ${text}`;
}

function retryAfter(headers: Headers | undefined, now: number): number | null {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const value = headers?.get('retry-after');
  if (value === null || value === undefined || value === '') return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
