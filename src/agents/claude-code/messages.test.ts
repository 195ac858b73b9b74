import { describe, expect, test } from 'vitest';
import { endOf, ofType } from '../test-support.ts';
import type { AgentEnd, AgentEvent } from '../contract.ts';
import { MessageReader, usedAllTurns } from './messages.ts';

const NOW = Date.parse('2026-11-15T13:20:00Z');
const usage = (input_tokens: number, output_tokens: number): Record<string, number> => ({
  input_tokens,
  output_tokens,
  cache_read_input_tokens: 5,
  cache_creation_input_tokens: 7,
});

function readAll(...messages: unknown[]): AgentEvent[] {
  const reader = new MessageReader();
  return messages.flatMap((message): AgentEvent[] => {
    const { events, end } = reader.read(message, NOW);
    return end === null ? events : [...events, { type: 'end', end }];
  });
}
const assistant = (content: unknown, more: object = {}): object => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { content },
  ...more,
});
const stream = (event: object, parent: string | null = null): object => ({ type: 'stream_event', parent_tool_use_id: parent, event });
const result = (fields: object): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done.',
  modelUsage: {},
  ...fields,
});
const endAfter = (...messages: unknown[]): AgentEnd => endOf(readAll(...messages));

test('text, calls and results come from complete messages, each result under the name of its call', () => {
  const events = readAll(
    assistant([
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
    ]),
    {
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a.txt' }], is_error: true }] },
    },
  );
  expect(events).toEqual([
    { type: 'text', text: 'I look.' },
    { type: 'tool', id: 't1', name: 'Bash', input: { command: 'ls' } },
    { type: 'tool_result', id: 't1', name: 'Bash', ok: false, output: 'a.txt' },
  ]);
});

describe('usage', () => {
  test('is that of the end of each response, and what it leaves out is that of its beginning', () => {
    const events = readAll(
      stream({ type: 'message_start', message: { usage: usage(100, 1) } }),
      stream({ type: 'message_delta', usage: { output_tokens: 40 } }),
    );
    expect(ofType(events, 'usage')).toMatchObject([{ usage: { ...usage(100, 40) }, context_tokens: 152, estimated: false }]);
  });

  test('of a subagent counts, but does not fill the window of the main loop', () => {
    const events = readAll(
      stream({ type: 'message_start', message: { usage: usage(100, 1) } }),
      stream({ type: 'message_start', message: { usage: usage(9_000, 1) } }, 'task-1'),
      stream({ type: 'message_delta', usage: { output_tokens: 10 } }, 'task-1'),
      stream({ type: 'message_delta', usage: { output_tokens: 40 } }),
    );
    expect(ofType(events, 'usage').map((event) => [event.usage.input_tokens, event.context_tokens])).toEqual([
      [9_000, 0],
      [100, 152],
    ]);
  });

  test('that only the total knows of is added at the end, once', () => {
    const total = {
      sonnet: { inputTokens: 100, outputTokens: 40, cacheReadInputTokens: 5, cacheCreationInputTokens: 7 },
      haiku: { inputTokens: 30, outputTokens: 2 },
    };
    const reader = new MessageReader();
    reader.read(stream({ type: 'message_start', message: { usage: usage(100, 1) } }), NOW);
    reader.read(stream({ type: 'message_delta', usage: { output_tokens: 40 } }), NOW);
    expect(reader.read(result({ modelUsage: total }), NOW).events).toMatchObject([
      { usage: { input_tokens: 30, output_tokens: 2, cache_read_input_tokens: 0 }, context_tokens: 152 },
    ]);
    expect(reader.read(result({ modelUsage: total }), NOW).events).toEqual([]);
  });
});

describe('the end of a turn', () => {
  test('is finished when the result is a success', () => expect(endAfter(result({}))).toEqual({ kind: 'finished' }));

  test('is the notice of a limit, with its reset, though the result calls itself a success', () => {
    const end = endAfter(
      assistant([{ type: 'text', text: 'x' }], { error: 'rate_limit' }),
      result({ result: "You've hit your limit · resets 3pm (UTC)" }),
    );
    expect(end).toMatchObject({ kind: 'failed', class: 'usage_limit', retryAt: Date.parse('2026-11-15T15:01:00Z') });
    expect(endAfter(result({ result: 'Claude AI usage limit reached|1794750000' }))).toMatchObject({
      class: 'usage_limit',
      retryAt: 1_794_750_000_000,
    });
  });

  test('takes the reset from the event of the limit before that of a sentence', () => {
    const limit = { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_794_760_000 } };
    expect(endAfter(limit, result({ is_error: true, result: 'limit reached · resets 3pm' }))).toMatchObject({
      class: 'usage_limit',
      retryAt: 1_794_760_000_000,
    });
  });

  test('is not a limit when the agent only writes about one', () => {
    expect(endAfter(result({ result: 'I added the message "usage limit reached|1794750000".\nAll tests pass.' }))).toEqual({
      kind: 'finished',
    });
  });

  test.each([
    ['authentication_failed', 'x', 'auth'],
    ['billing_error', 'x', 'auth'],
    ['overloaded', 'x', 'unavailable'],
    ['invalid_request', 'Prompt is too long', 'context_too_long'],
    ['unknown', 'API Error: Connection error.', 'unavailable'],
    ['model_not_found', 'there is no such model', 'agent'],
  ])('of code %s saying %s has the class %s', (code, text, expected) => {
    expect(endAfter(assistant([{ type: 'text', text }], { error: code }), result({ is_error: true, result: text }))).toMatchObject({
      kind: 'failed',
      class: expected,
    });
  });

  test('an error that a later response overcame does not fail the turn', () => {
    const events = readAll(
      assistant('hm', { error: 'overloaded' }),
      stream({ type: 'message_delta', usage: { output_tokens: 4 } }),
      result({}),
    );
    expect(endOf(events)).toEqual({ kind: 'finished' });
  });

  test('with all turns used is told apart', () => {
    expect(usedAllTurns(result({ subtype: 'error_max_turns' }))).toBe(true);
    expect(usedAllTurns(result({}))).toBe(false);
  });
});

describe('a request that is tried again', () => {
  const retry = (fields: object): object => ({
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 10,
    retry_delay_ms: 500,
    error_status: 529,
    error: 'overloaded',
    ...fields,
  });

  test('is told with the time of the next attempt', () => {
    expect(readAll(retry({}))).toMatchObject([{ type: 'retry', class: 'unavailable', at: NOW + 500 }]);
  });

  test('because of a refused login ends the turn at the second attempt', () => {
    const refused = { error: 'authentication_failed', error_status: 401 };
    expect(readAll(retry(refused))).toMatchObject([{ type: 'retry', class: 'auth' }]);
    expect(endAfter(retry({ ...refused, attempt: 2 }))).toMatchObject({ kind: 'failed', class: 'auth' });
  });

  test('only after many minutes is left to the host', () => {
    expect(endAfter(retry({ error: 'rate_limit', error_status: 429, retry_delay_ms: 3_600_000 }))).toMatchObject({
      class: 'usage_limit',
      retryAt: NOW + 3_600_000,
    });
  });
});

test('a tool server that did not start is warned about', () => {
  expect(
    readAll({
      type: 'system',
      subtype: 'init',
      mcp_servers: [
        { name: 'db', status: 'failed' },
        { name: 'web', status: 'connected' },
      ],
    }),
  ).toEqual([{ type: 'warning', message: 'the MCP server db did not start' }]);
});

test('a conversation that breaks off fails with what was last said about it', () => {
  const reader = new MessageReader();
  expect(reader.brokenOff('Invalid API key · Please run /login', NOW)).toMatchObject({ class: 'auth', retryAt: null });
  expect(reader.brokenOff('', NOW)).toMatchObject({ class: 'agent' });
});
