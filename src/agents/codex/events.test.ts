import { expect, test } from 'vitest';
import type { AgentEnd, AgentEvent } from '../contract.ts';
import { codexArguments } from './arguments.ts';
import { readCodexLine } from './events.ts';
import { bench } from '../test-support.ts';

const NOW = Date.parse('2026-11-15T13:20:00Z');

function read(...lines: unknown[]): { events: AgentEvent[]; ends: AgentEnd[] } {
  const begun = new Set<string>();
  const all = lines.map((line) => readCodexLine(typeof line === 'string' ? line : JSON.stringify(line), NOW, begun));
  return { events: all.flatMap((line) => line.events), ends: all.flatMap((line) => (line.end === null ? [] : [line.end])) };
}

test('a command is told when it begins and when it is over, as the model wrote it', () => {
  const item = { id: 'i1', type: 'command_execution', command: `/bin/bash -c 'echo '\\''hi'\\'' > a'` };
  const { events } = read(
    { type: 'item.started', item },
    { type: 'item.completed', item: { ...item, aggregated_output: 'out', exit_code: 1, status: 'failed' } },
  );
  expect(events).toEqual([
    { type: 'tool', id: 'i1', name: 'exec_command', input: { command: `echo 'hi' > a` } },
    { type: 'tool_result', id: 'i1', name: 'exec_command', ok: false, output: 'out' },
  ]);
});

test('a change of files that is told only when it is over is still a call and its result', () => {
  const { events } = read({
    type: 'item.completed',
    item: { id: 'i2', type: 'file_change', status: 'completed', changes: [{ path: 'src/a.js', kind: 'add' }] },
  });
  expect(events).toMatchObject([
    { type: 'tool', name: 'file_change', input: { path: 'src/a.js' } },
    { type: 'tool_result', ok: true },
  ]);
});

test('text is text, remarks of the program are warnings, and what is not known is nothing', () => {
  const { events, ends } = read(
    { type: 'item.completed', item: { id: 'i', type: 'agent_message', text: 'Hello' } },
    { type: 'item.completed', item: { id: 'j', type: 'error', message: 'unknown model' } },
    { type: 'item.completed', item: { id: 'k', type: 'todo_list' } },
    { type: 'turn.started' },
    'WARNING: not an event',
  );
  expect(events).toEqual([
    { type: 'text', text: 'Hello' },
    { type: 'warning', message: 'Codex: unknown model' },
  ]);
  expect(ends).toEqual([]);
});

test('a turn ends finished, or failed with its class', () => {
  expect(read({ type: 'turn.completed', usage: {} }).ends).toEqual([{ kind: 'finished' }]);
  const failed = (message: string): AgentEnd => read({ type: 'turn.failed', error: { message } }).ends[0]!;
  expect(failed("You've hit your usage limit. Try again in 3 hours 2 minutes.")).toMatchObject({
    class: 'usage_limit',
    retryAt: NOW + 10_980_000,
  });
  expect(failed('unexpected status 401 Unauthorized')).toMatchObject({ class: 'auth' });
  expect(failed('exceeded retry limit, last status: 429 Too Many Requests')).toMatchObject({ class: 'usage_limit', retryAt: null });
  expect(failed('stream disconnected before completion')).toMatchObject({ class: 'unavailable' });
  expect(failed('{"error":{"message":"prompt is too long: 200001 tokens"}}')).toMatchObject({ class: 'context_too_long' });
  expect(failed('something else')).toMatchObject({ class: 'agent' });
});

test('attempts to connect again are told; a refused login ends the turn at the second', () => {
  expect(read({ type: 'error', message: 'Reconnecting... 1/5 (unexpected status 529)' }).events).toMatchObject([
    { type: 'retry', class: 'unavailable' },
  ]);
  expect(read({ type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401 Unauthorized)' })).toMatchObject({
    events: [{ type: 'retry', class: 'auth' }],
    ends: [],
  });
  expect(read({ type: 'error', message: 'Reconnecting... 2/5 (unexpected status 401 Unauthorized)' }).ends).toMatchObject([
    { class: 'auth' },
  ]);
});

test('the call names a model only if it is one of its own, and confines commands only where the harness does not', async () => {
  const at = await bench();
  const own = codexArguments(
    { ...at.task, model: 'gpt-test', mcpServers: { 'my db': { command: 'db', args: ['a"b'], env: { KEY: 'v' } } } },
    null,
  );
  expect(own.slice(own.indexOf('--model'), own.indexOf('--model') + 2)).toEqual(['--model', 'gpt-test']);
  expect(own).toContain('sandbox_mode="workspace-write"');
  expect(own).toContain('mcp_servers."my db".args=["a\\"b"]');
  expect(own).toContain('mcp_servers."my db".env.KEY="v"');
  const sandboxed = codexArguments({ ...at.task, sandbox: { writable: [], hidden: [], network: 'host' } }, 'thread-7');
  expect(sandboxed.slice(0, 3)).toEqual(['exec', 'resume', 'thread-7']);
  expect(sandboxed).toContain('sandbox_mode="danger-full-access"');
  expect(sandboxed).not.toContain('--model');
  await at.remove();
});
