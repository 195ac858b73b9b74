/** Puts answers and faults on the wire. A cut is flushed first, so that the client sees it in the middle of the stream. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../platform/platform.ts';
import type { Fault } from './scenario.ts';
import { encodeEvent, type ServerSentEvent } from './sse.ts';

const FLUSH_MS = 20;

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

export function errorBody(type: string, message: string): Record<string, unknown> {
  return { type: 'error', error: { type, message } };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export function sendStream(response: ServerResponse, events: readonly ServerSentEvent[]): void {
  openStream(response);
  for (const event of events) response.write(encodeEvent(event));
  response.end();
}

/** True when the fault is the whole answer; false when the answer follows. */
export async function playFault(
  clock: Clock,
  response: ServerResponse,
  fault: Fault,
  events: readonly ServerSentEvent[],
): Promise<boolean> {
  switch (fault.kind) {
    case 'status':
      sendJson(
        response,
        fault.status,
        errorBody(TYPES[fault.status] ?? 'api_error', fault.message ?? `status ${fault.status} on demand`),
        retryAfter(fault.retry_after),
      );
      return true;
    case 'context_too_long':
      sendJson(response, 400, errorBody('invalid_request_error', 'prompt is too long: 200001 tokens > 200000 maximum'));
      return true;
    case 'delay':
      await clock.sleep(fault.ms);
      return false;
    case 'reset':
      response.socket?.destroy();
      return true;
    case 'truncated':
      sendStream(response, events.slice(0, -1));
      return true;
    default:
      await breakStream(clock, response, fault, events);
      return true;
  }
}

function retryAfter(value: number | string | undefined): Record<string, string> {
  return value === undefined ? {} : { 'retry-after': String(value) };
}

async function breakStream(
  clock: Clock,
  response: ServerResponse,
  fault: Extract<Fault, { after_events: number }>,
  events: readonly ServerSentEvent[],
): Promise<void> {
  const place = Math.min(fault.after_events, events.length - 1);
  openStream(response);
  await write(response, events.slice(0, place).map(encodeEvent).join(''));
  if (fault.kind === 'cut') {
    await clock.sleep(FLUSH_MS);
    response.socket?.destroy();
  } else if (fault.kind === 'malformed') {
    await write(response, 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"ty\n\n');
    for (const event of events.slice(place)) response.write(encodeEvent(event));
    response.end();
  } else if (fault.kind === 'stream_error') {
    response.end(encodeEvent({ event: 'error', data: errorBody(fault.error, `${fault.error} on demand`) }));
  } else await new Promise<void>((resolve) => response.once('close', resolve));
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => void response.write(text, () => resolve()));
}
