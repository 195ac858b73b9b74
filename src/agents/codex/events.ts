/**
 * Translates the lines of `codex exec --json` into events.
 *
 * 1. A line that is no event, or of a kind that is not known, is left out.
 * 2. Codex tries failed requests again by itself and says so; a refused login is tried once more and then ends the turn.
 */
import { jsonObject } from '../borrowed-files.ts';
import type { AgentEnd, AgentEvent } from '../contract.ts';
import { classByWords, failureByWords } from '../failure-words.ts';
import { groupOf } from '../../domain/text-parts.ts';

type Fields = Record<string, unknown>;

export interface CodexLine {
  events: AgentEvent[];
  end: AgentEnd | null;
  thread: string | null;
}

const NOTHING: CodexLine = { events: [], end: null, thread: null };

/** `begun` remembers the calls that were told already; some kinds of call are told only when they are over. */
export function readCodexLine(text: string, now: number, begun: Set<string>): CodexLine {
  const line = jsonObject(text);
  if (line === null) return NOTHING;
  switch (line['type']) {
    case 'thread.started':
      return { ...NOTHING, thread: typeof line['thread_id'] === 'string' ? line['thread_id'] : null };
    case 'item.started':
      return { ...NOTHING, events: began(fieldsOf(line['item']), begun) };
    case 'item.completed':
      return { ...NOTHING, events: completed(fieldsOf(line['item']), begun) };
    case 'turn.completed':
      return { ...NOTHING, end: { kind: 'finished' } };
    case 'turn.failed':
      return { ...NOTHING, end: failed(String(fieldsOf(line['error'])['message'] ?? 'the turn failed'), now) };
    case 'error':
      return problem(String(line['message'] ?? ''), now);
    default:
      return NOTHING;
  }
}

function began(item: Fields, begun: Set<string>): AgentEvent[] {
  const call = callOf(item);
  const id = String(item['id']);
  if (call === null || begun.has(id)) return [];
  begun.add(id);
  return [{ type: 'tool', id, ...call }];
}

function completed(item: Fields, begun: Set<string>): AgentEvent[] {
  if (item['type'] === 'agent_message') return [{ type: 'text', text: String(item['text'] ?? '') }];
  if (item['type'] === 'error') return [{ type: 'warning', message: `Codex: ${String(item['message'] ?? '')}` }];
  const call = callOf(item);
  if (call === null) return [];
  const ok = item['status'] === undefined || item['status'] === 'completed';
  return [...began(item, begun), { type: 'tool_result', id: String(item['id']), name: call.name, ok, output: outputOf(item) }];
}

function callOf(item: Fields): { name: string; input: Fields } | null {
  if (item['type'] === 'command_execution')
    return { name: 'exec_command', input: { command: innerCommand(String(item['command'] ?? '')) } };
  if (item['type'] === 'mcp_tool_call')
    return { name: `mcp__${String(item['server'])}__${String(item['tool'])}`, input: fieldsOf(item['arguments']) };
  if (item['type'] === 'web_search') return { name: 'web_search', input: { query: item['query'] ?? null } };
  if (item['type'] !== 'file_change') return null;
  const changes = Array.isArray(item['changes']) ? item['changes'].map(fieldsOf) : [];
  return { name: 'file_change', input: { path: String(changes[0]?.['path'] ?? ''), changes } };
}

/** `/bin/bash -c 'ls -l'` as the command that the model wrote. */
function innerCommand(command: string): string {
  const inner = /^\S*sh -l?c (['"])([\s\S]*)\1$/.exec(command);
  if (inner === null) return command.replace(/^\S*sh -l?c /, '');
  return inner[1] === "'"
    ? groupOf(inner, 2).replaceAll(`'\\''`, "'").replaceAll(`'"'"'`, "'")
    : groupOf(inner, 2).replace(/\\(["\\$`])/g, '$1');
}

function outputOf(item: Fields): string {
  if (typeof item['aggregated_output'] === 'string') return item['aggregated_output'];
  const { result, error } = item;
  return result === undefined && error === undefined ? '' : JSON.stringify(error ?? result);
}

function problem(message: string, now: number): CodexLine {
  const again = /^Reconnecting\.{3} (\d+)\/\d+/.exec(message);
  if (again === null) return NOTHING;
  const errorClass = classByWords(message) ?? 'unavailable';
  if (errorClass === 'auth' && Number(again[1]) > 1) return { ...NOTHING, end: failed(message, now) };
  return { ...NOTHING, events: [{ type: 'retry', class: errorClass, message: `Codex: ${message}`, at: now }] };
}

function failed(message: string, now: number): AgentEnd {
  return failureByWords(`Codex: ${message}`, now);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
