/**
 * Sends one request and reads its stream to the end.
 *
 * 1. Silence for `idleTimeoutMs`, before the headers or between events, aborts the request: the client library's own timeout does not see a stalled stream.
 * 2. Yields the text of each completed block; returns the whole response or the failure. It throws nothing.
 */
import type { Clock } from '../../platform/platform.ts';
import type { AgentEvent } from '../contract.ts';
import { assembly, type AssembledResponse } from './assemble.ts';
import { failureOf, ResponseFailure } from './failure.ts';
import type { Failure } from './retry.ts';
import type { SendRequest, StreamingRequest } from './wire.ts';

export type Received = { ok: true; response: AssembledResponse } | { ok: false; failure: Failure };

export interface ReceiveOptions {
  clock: Clock;
  idleTimeoutMs: number;
  signal: AbortSignal;
}

export async function* receive(
  send: SendRequest,
  request: StreamingRequest,
  options: ReceiveOptions,
): AsyncGenerator<AgentEvent, Received> {
  const attempt = new AbortController();
  const abort = (): void => attempt.abort();
  options.signal.addEventListener('abort', abort, { once: true });
  if (options.signal.aborted) abort();
  const message = assembly();
  let streaming = false;
  try {
    const stream = await withinIdleTime(send(request, attempt.signal), options);
    streaming = true;
    const events = stream[Symbol.asyncIterator]();
    while (true) {
      const next = await withinIdleTime(events.next(), options);
      if (next.done) break;
      const text = message.add(next.value);
      if (text !== null && text.trim() !== '') yield { type: 'text', text };
    }
    return { ok: true, response: message.finish() };
  } catch (error) {
    return { ok: false, failure: failureOf(error, streaming, options.clock.now()) };
  } finally {
    options.signal.removeEventListener('abort', abort);
    attempt.abort();
  }
}

async function withinIdleTime<Value>(work: Promise<Value>, options: ReceiveOptions): Promise<Value> {
  const timer = new AbortController();
  const idle = options.clock.sleep(options.idleTimeoutMs, timer.signal).then(() => {
    if (!timer.signal.aborted)
      throw new ResponseFailure('idle', `the provider sent nothing for ${Math.round(options.idleTimeoutMs / 1_000)} seconds`);
    return work;
  });
  work.catch(() => {});
  idle.catch(() => {});
  try {
    return await Promise.race([work, idle]);
  } finally {
    timer.abort();
  }
}
