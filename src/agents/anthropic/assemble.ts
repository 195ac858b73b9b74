/**
 * Builds one assistant message from its stream.
 *
 * 1. `finish` returns a message only when the stream was complete; a half message is never kept.
 * 2. Usage is the provider's last word on it: the closing event overrides the opening one.
 * 3. A tool call whose input is no JSON object is kept apart as `unfinished` when the output limit cut it, else the stream is malformed.
 */
import type { Usage } from '../../domain/money.ts';
import { ResponseFailure } from './failure.ts';
import type { Block, StreamEvent, ToolUse } from './wire.ts';

export interface AssembledResponse {
  content: Block[];
  toolUses: ToolUse[];
  /** Names of tool calls that were cut off before their input was whole. */
  unfinished: string[];
  stopReason: string;
  usage: Usage;
}

export interface Assembly {
  /** Returns the text of a block that this event completes. */
  add(event: StreamEvent): string | null;
  finish(): AssembledResponse;
}

interface OpenBlock {
  block: Block;
  json: string;
  closed: boolean;
}

export function assembly(): Assembly {
  const blocks: OpenBlock[] = [];
  const usage: Usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  let stopReason: string | null = null;
  let complete = false;

  return {
    add: (event) => {
      if (event.type === 'message_start') mergeUsage(usage, event.message?.usage);
      else if (event.type === 'content_block_start')
        blocks[event.index] = { block: { ...event.content_block } as Block, json: '', closed: false };
      else if (event.type === 'content_block_delta') applyDelta(openBlock(blocks, event.index), event.delta);
      else if (event.type === 'content_block_stop') {
        const open = openBlock(blocks, event.index);
        open.closed = true;
        return open.block.type === 'text' ? open.block.text : null;
      } else if (event.type === 'message_delta') {
        stopReason = event.delta.stop_reason ?? stopReason;
        mergeUsage(usage, event.usage);
      } else if (event.type === 'message_stop') complete = true;
      return null;
    },
    finish: () => {
      if (!complete || stopReason === null)
        throw new ResponseFailure('cut', 'the provider ended the stream before the message was complete');
      return { ...closeBlocks(blocks, stopReason), stopReason, usage };
    },
  };
}

function openBlock(blocks: OpenBlock[], index: number): OpenBlock {
  const open = blocks[index];
  if (open === undefined || open.closed)
    throw new ResponseFailure('malformed', `the provider sent a part of block ${index}, which is not open`);
  return open;
}

type Delta = Extract<StreamEvent, { type: 'content_block_delta' }>['delta'];

function applyDelta(open: OpenBlock, delta: Delta): void {
  const { block } = open;
  if (delta.type === 'text_delta' && block.type === 'text') block.text += delta.text;
  else if (delta.type === 'input_json_delta') open.json += delta.partial_json;
  else if (delta.type === 'thinking_delta' && block.type === 'thinking') block.thinking += delta.thinking;
  else if (delta.type === 'signature_delta' && block.type === 'thinking') block.signature += delta.signature;
}

function closeBlocks(blocks: OpenBlock[], stopReason: string): Pick<AssembledResponse, 'content' | 'toolUses' | 'unfinished'> {
  const content: Block[] = [];
  const toolUses: ToolUse[] = [];
  const unfinished: string[] = [];
  for (const { block, json, closed } of blocks) {
    if (block.type === 'tool_use') {
      const input = closed ? parseInput(json) : null;
      if (input === null && stopReason !== 'max_tokens')
        throw new ResponseFailure('malformed', `the provider sent a call of ${block.name} whose input is not a JSON object`);
      if (input === null) unfinished.push(block.name);
      else {
        const toolUse: ToolUse = { type: 'tool_use', id: block.id, name: block.name, input };
        content.push(toolUse);
        toolUses.push(toolUse);
      }
    } else if (block.type === 'text') {
      if (block.text.trim() !== '') content.push({ type: 'text', text: block.text });
    } else content.push(block);
  }
  return { content, toolUses, unfinished };
}

function parseInput(json: string): Record<string, unknown> | null {
  if (json.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function mergeUsage(usage: Usage, reported: { [Key in keyof Usage]?: number | null } | null | undefined): void {
  for (const key of ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const) {
    const value = reported?.[key];
    if (typeof value === 'number') usage[key] = value;
  }
}
