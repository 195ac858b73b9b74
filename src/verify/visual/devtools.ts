/**
 * The DevTools protocol of a browser over its pipe: JSON messages with a zero byte after each.
 *
 * 1. Every call ends: with an answer, with what the browser has against it, when its time is over, or when the browser is gone.
 * 2. What a page makes the browser say is bounded: beyond the limit nothing more is read, and all calls fail.
 */
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../platform/platform.ts';
import { isRecord, text } from '../runners/results.ts';

export interface DevtoolsEvent {
  method: string;
  params: Readonly<Record<string, unknown>>;
  session: string;
}

export interface Devtools {
  /** `session`: the page that is meant; absent: the browser itself. */
  call(method: string, params?: Readonly<Record<string, unknown>>, session?: string): Promise<Record<string, unknown>>;
  listen(listener: (event: DevtoolsEvent) => void): void;
}

export class DevtoolsError extends Error {
  override name = 'DevtoolsError';
}

const LARGEST_MESSAGE = 128 * 1024 * 1024;
const CALL_MS = 20_000;

interface Waiting {
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

export function openDevtools(clock: Clock, pipe: { input: Writable; output: Readable }): Devtools {
  const waiting = new Map<number, Waiting>();
  const listeners: ((event: DevtoolsEvent) => void)[] = [];
  let last = 0;
  let over: DevtoolsError | null = null;
  const fail = (message: string): void => {
    over ??= new DevtoolsError(message);
    for (const one of waiting.values()) one.reject(over);
    waiting.clear();
  };
  const take = (message: unknown): void => {
    if (!isRecord(message)) return;
    if (typeof message['id'] !== 'number') {
      const event = { method: text(message['method']), params: recordOf(message['params']), session: text(message['sessionId']) };
      for (const listener of listeners) listener(event);
      return;
    }
    const one = waiting.get(message['id']);
    waiting.delete(message['id']);
    if (isRecord(message['error'])) one?.reject(new DevtoolsError(text(message['error']['message'])));
    else one?.resolve(recordOf(message['result']));
  };
  readMessages(pipe.output, take, fail);
  pipe.input.on('error', () => fail('the browser ended'));
  return {
    listen: (listener) => void listeners.push(listener),
    call: async (method, params = {}, session) => {
      if (over !== null) throw over;
      const id = ++last;
      const answered = new Promise<Record<string, unknown>>((resolve, reject) => waiting.set(id, { resolve, reject }));
      pipe.input.write(`${JSON.stringify({ id, method, params, ...(session === undefined ? {} : { sessionId: session }) })}\0`);
      const done = new AbortController();
      const late = clock.sleep(CALL_MS, done.signal).then(() => {
        if (done.signal.aborted) return {};
        throw new DevtoolsError(`the browser did not answer ${method} in ${CALL_MS / 1_000} s`);
      });
      return await Promise.race([answered, late]).finally(() => {
        waiting.delete(id);
        done.abort();
      });
    },
  };
}

function readMessages(output: Readable, take: (message: unknown) => void, fail: (message: string) => void): void {
  let parts: Buffer[] = [];
  let size = 0;
  output.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const whole = Buffer.concat([...parts, rest.subarray(0, end)]);
      [parts, size, rest] = [[], 0, rest.subarray(end + 1)];
      try {
        take(JSON.parse(whole.toString('utf8')));
      } catch {
        return fail('the browser sent something that cannot be read');
      }
    }
    if (rest.length > 0) parts.push(rest);
    size += rest.length;
    if (size > LARGEST_MESSAGE) {
      parts = [];
      output.destroy();
      fail('the browser sent more than can be read');
    }
  });
  output.on('error', () => fail('the browser ended'));
  output.on('close', () => fail('the browser ended'));
  output.on('end', () => fail('the browser ended'));
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
