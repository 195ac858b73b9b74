/**
 * Prompt-cache marks: one on the system text for an hour, one on the last block of the last message.
 *
 * 1. Marks are set when a request is made and never stored, so the messages before the last stay byte-identical.
 * 2. Two marks in all, of the four that the provider allows.
 */
import type { Block, Message, TextBlock } from './wire.ts';

export function markedSystem(system: string): TextBlock[] {
  return system === '' ? [] : [{ type: 'text', text: system, cache_control: { type: 'ephemeral', ttl: '1h' } }];
}

export function markedMessages(messages: readonly Message[]): Message[] {
  const last = messages.at(-1);
  if (last === undefined) return [];
  const blocks = [...last.content];
  const block = blocks.at(-1);
  if (block !== undefined) blocks[blocks.length - 1] = { ...block, cache_control: { type: 'ephemeral' } } as Block;
  return [...messages.slice(0, -1), { ...last, content: blocks }];
}
