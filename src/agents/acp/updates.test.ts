import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addUsage, NO_USAGE } from '../../domain/money.ts';
import type { AgentEvent } from '../contract.ts';
import { bench, ofType, type Bench } from '../test-support.ts';
import { answerPermission } from './conversation.ts';
import { UpdateReader } from './updates.ts';
import { AcpUsage } from './usage.ts';

const chunk = (text: string): Record<string, unknown> => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });

test('pieces of a message come out together when a call begins', () => {
  const reader = new UpdateReader(new AcpUsage());
  expect(reader.read(chunk('I be'))).toEqual([]);
  expect(reader.read(chunk('gin.'))).toEqual([]);
  const events = reader.read({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'ls', kind: 'execute', rawInput: { command: 'ls' } });
  expect(events).toEqual([
    { type: 'text', text: 'I begin.' },
    { type: 'tool', id: 'c', name: 'execute', input: { command: 'ls' } },
  ]);
});

test('a call whose input comes later is told then, and only once', () => {
  const reader = new UpdateReader(new AcpUsage());
  expect(reader.read({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', kind: 'edit', rawInput: {} })).toEqual([]);
  expect(
    reader.read({ sessionUpdate: 'tool_call_update', toolCallId: 'c', rawInput: { text: 'x' }, locations: [{ path: '/w/a' }] }),
  ).toMatchObject([{ type: 'tool', name: 'edit', input: { text: 'x', path: '/w/a' } }]);
  expect(
    ofType(
      reader.read({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed', rawOutput: { error: 'no' } }),
      'tool_result',
    ),
  ).toEqual([{ type: 'tool_result', id: 'c', name: 'edit', ok: false, output: '{"error":"no"}' }]);
});

test("what a command printed in the agent's own terminal is its output, and its status decides", () => {
  const reader = new UpdateReader(new AcpUsage());
  reader.read({ sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'execute', rawInput: { command: 'x' } });
  reader.read({ sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta: { terminal_output_delta: { data: '1 ' } } });
  reader.read({ sessionUpdate: 'tool_call_update', toolCallId: 'c', _meta: { terminal_output_delta: { data: 'failed' } } });
  const events = reader.read({
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c',
    status: 'completed',
    _meta: { terminal_exit: { exit_code: 1 } },
  });
  expect(ofType(events, 'tool_result')).toMatchObject([{ ok: false, output: '1 failed' }]);
});

describe('usage', () => {
  const total = (events: readonly AgentEvent[]): number =>
    Object.values(ofType(events, 'usage').reduce((sum, event) => addUsage(sum, event.usage), NO_USAGE)).reduce((a, b) => a + b);

  test('of an agent that says nothing is estimated from the bytes, and marked so', () => {
    const usage = new AcpUsage();
    usage.note('read', 'x'.repeat(400));
    usage.note('written', 'y'.repeat(40));
    expect(usage.step()).toEqual([
      { type: 'usage', usage: { ...NO_USAGE, input_tokens: 100, output_tokens: 10 }, context_tokens: 110, cost_usd: null, estimated: true },
    ]);
    expect(usage.step()).toEqual([]);
  });

  test('of an agent that tells the window is its growth, and nothing is estimated beside it', () => {
    const usage = new AcpUsage();
    usage.note('read', 'x'.repeat(400));
    expect(usage.window({ used: 5_000, size: 200_000, cost: { amount: 0.5, currency: 'USD' } })).toMatchObject([
      { usage: { input_tokens: 5_000 }, context_tokens: 5_000, cost_usd: 0.5 },
    ]);
    expect(usage.step()).toEqual([]);
    expect(usage.window({ used: 5_200, size: 200_000, cost: { amount: 0.75, currency: 'USD' } })).toMatchObject([
      { usage: { input_tokens: 200 }, context_tokens: 5_200, cost_usd: 0.25 },
    ]);
    expect(usage.window({ used: 4_000, size: 200_000 })).toEqual([]);
    expect(usage.contextTokens).toBe(4_000);
  });

  test('adds up to the sums that the agent tells at the end', () => {
    const usage = new AcpUsage();
    const events = [
      ...usage.window({ used: 300 }),
      ...usage.sums({ inputTokens: 100, outputTokens: 50, cachedReadTokens: 900, totalTokens: 1_050 }),
    ];
    expect(total(events)).toBe(1_050);
    usage.beginTurn();
    expect(total(usage.sums({ inputTokens: 7, outputTokens: 3 }))).toBe(10);
    expect(usage.sums(undefined)).toEqual([]);
  });
});

describe('a question for permission', () => {
  let at: Bench;
  beforeEach(async () => {
    at = await bench();
  });
  afterEach(() => at.remove());
  const options = [
    { optionId: 'always', kind: 'allow_always' },
    { optionId: 'yes', kind: 'allow_once' },
    { optionId: 'no', kind: 'reject_once' },
  ];

  test('is answered by the tool policy, for this once', async () => {
    expect(await answerPermission(at.platform, at.task, { options, name: 'execute', input: { command: 'npm test' } })).toEqual({
      outcome: { outcome: 'selected', optionId: 'yes' },
      refusal: null,
    });
    expect(await answerPermission(at.platform, at.task, { options, name: 'execute', input: { command: 'sudo ls' } })).toMatchObject({
      outcome: { optionId: 'no' },
      refusal: expect.stringContaining('sudo'),
    });
    expect(await answerPermission(at.platform, at.task, { options, name: 'read', input: { path: '/etc/passwd' } })).toMatchObject({
      outcome: { optionId: 'no' },
    });
  });

  test('to start another agent is refused where the task is for one alone', async () => {
    const question = { options, name: 'think', input: { description: 'look', prompt: 'do it', subagent_type: 'general' } };
    expect(await answerPermission(at.platform, at.task, question)).toMatchObject({ outcome: { optionId: 'yes' } });
    expect(await answerPermission(at.platform, { ...at.task, alone: true }, question)).toMatchObject({
      outcome: { optionId: 'no' },
      refusal: expect.stringContaining('no other agent'),
    });
  });

  test('that offers no way to refuse is cancelled', async () => {
    const question = { options: options.slice(0, 2), name: 'execute', input: { command: 'sudo ls' } };
    expect(await answerPermission(at.platform, at.task, question)).toMatchObject({ outcome: { outcome: 'cancelled' } });
  });
});
