import { describe, expect, test } from 'vitest';
import { assembly, type AssembledResponse } from './assemble.ts';
import type { StreamEvent } from './wire.ts';

function assembled(events: readonly unknown[]): AssembledResponse {
  const message = assembly();
  for (const event of events) message.add(event as StreamEvent);
  return message.finish();
}

const start = {
  type: 'message_start',
  message: { usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 5, cache_creation_input_tokens: null } },
};
const toolBlock = (...json: string[]): unknown[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'shell', input: {} } },
  ...json.map((partial_json) => ({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } })),
  { type: 'content_block_stop', index: 0 },
];
const end = (stop_reason: string): unknown[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 42 } },
  { type: 'message_stop' },
];

test('usage is the last word of the provider on each figure', () => {
  expect(assembled([start, ...toolBlock('{}'), ...end('tool_use')]).usage).toEqual({
    input_tokens: 10,
    output_tokens: 42,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 0,
  });
});

test('thinking is kept as it came, empty text is left out', () => {
  const { content } = assembled([
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_stop', index: 1 },
    ...end('end_turn'),
  ]);
  expect(content).toEqual([{ type: 'thinking', thinking: 'hm', signature: 'sig' }]);
});

describe('tool input', () => {
  test('is put together from its parts', () => {
    expect(assembled([start, ...toolBlock('{"comm', 'and":"l', 's"}'), ...end('tool_use')]).toolUses).toEqual([
      { type: 'tool_use', id: 't1', name: 'shell', input: { command: 'ls' } },
    ]);
    expect(assembled([start, ...toolBlock(), ...end('tool_use')]).toolUses[0]?.input).toEqual({});
  });

  test('that is no JSON object makes the stream malformed', () => {
    expect(() => assembled([start, ...toolBlock('{"comm'), ...end('tool_use')])).toThrow(/not a JSON object/);
    expect(() => assembled([start, ...toolBlock('[1]'), ...end('tool_use')])).toThrow(/not a JSON object/);
  });

  test('that the output limit cut off is set aside, and its call is never carried out', () => {
    expect(assembled([start, ...toolBlock('{"comm'), ...end('max_tokens')])).toMatchObject({
      content: [],
      toolUses: [],
      unfinished: ['shell'],
    });
  });
});

test.each([
  ['no message_stop', [start, ...toolBlock('{}'), end('tool_use')[0]]],
  ['no stop reason', [start, ...toolBlock('{}'), { type: 'message_stop' }]],
  ['nothing at all', []],
])('a stream with %s is cut', (_, events) => {
  expect(() => assembled(events)).toThrow(/before the message was complete/);
});

test('a part of a block that is not open makes the stream malformed', () => {
  expect(() => assembled([start, { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'x' } }])).toThrow(/not open/);
});
