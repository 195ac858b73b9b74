/**
 * Prompt-cache marks: on the tools and on the system text for an hour, on the last block of the last two requests.
 *
 * 1. Marks are set when a request is made and never stored, so the messages before the last stay byte-identical.
 * 2. Four marks in all, which is what the provider allows.
 * 3. The provider looks for what it has stored up to twenty blocks before a mark. One step may bring more than that, so the end of the request before
 *    this one is marked as well. Roles that have the same tools share them, whatever else they are told.
 */
import type { Block, Message, TextBlock, ToolDefinition } from './wire.ts';

const AN_HOUR = { type: 'ephemeral', ttl: '1h' } as const;

export function markedTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, cache_control: AN_HOUR } : tool));
}

export function markedSystem(system: string): TextBlock[] {
  return system === '' ? [] : [{ type: 'text', text: system, cache_control: AN_HOUR }];
}

export function markedMessages(messages: readonly Message[]): Message[] {
  const ends = messages.flatMap(({ role }, at) => (role === 'user' || at === messages.length - 1 ? [at] : [])).slice(-2);
  return messages.map((message, at) => (ends.includes(at) ? marked(message) : message));
}

function marked(message: Message): Message {
  const blocks = [...message.content];
  const block = blocks.at(-1);
  if (block !== undefined) blocks[blocks.length - 1] = { ...block, cache_control: { type: 'ephemeral' } } as Block;
  return { ...message, content: blocks };
}
