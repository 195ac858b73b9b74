/**
 * The Messages API as the server speaks it.
 *
 * Requests that the provider refuses are refused here too: unanswered tool calls, more than four cache marks, a mark on empty text.
 */
import { z } from '../../domain/zod.ts';
import { identityOf, offeredTool, type ModelRequest, type Segment } from './model-request.ts';
import { parts, type ServerSentEvent } from './sse.ts';
import type { Reply } from './scripted-model.ts';

const BlockSchema = z.looseObject({ type: z.string() });
type WireBlock = z.infer<typeof BlockSchema>;
const ContentSchema = z.union([z.string(), z.array(BlockSchema)]);
const BodySchema = z.looseObject({
  model: z.string().min(1),
  max_tokens: z.number().int().positive().optional(),
  stream: z.boolean().default(false),
  system: ContentSchema.default([]),
  tools: z.array(z.record(z.string(), z.unknown())).default([]),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: ContentSchema })).min(1),
});
type WireMessage = { role: 'user' | 'assistant' | 'system'; content: WireBlock[] };

const MOST_MARKS = 4;
const TEXT_PART = 24;
const JSON_PART = 16;

export type ParsedRequest = { ok: true; request: ModelRequest } | { ok: false; message: string };
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function parseMessagesRequest(body: unknown, headers: Headers): ParsedRequest {
  const parsed = BodySchema.safeParse(body);
  if (!parsed.success)
    return { ok: false, message: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  const { model, stream, tools } = parsed.data;
  const system = blocksOf(parsed.data.system);
  const messages = parsed.data.messages.map(({ role, content }) => ({ role, content: blocksOf(content) }));
  const segments = segmentsOf(tools, system, messages);
  const problem = problemOf(messages, segments);
  if (problem !== null) return { ok: false, message: problem };
  const first = messages.find((message) => message.role === 'user');
  return {
    ok: true,
    request: {
      model,
      stream,
      tools: tools.map(offeredTool),
      opening: [...system, ...(first?.content ?? [])].map(textOf).join('\n'),
      toolResults: messages.flatMap((message) => message.content).filter((block) => block.type === 'tool_result').length,
      hostTurns: countHostTurns(messages),
      segments,
      structured: 'output_config' in parsed.data || 'output_format' in parsed.data,
      identity: identityOf(headers),
    },
  };
}

function blocksOf(content: string | WireBlock[]): WireBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf(block: WireBlock): string {
  return typeof block['text'] === 'string' ? block['text'] : '';
}

function segmentsOf(tools: readonly Record<string, unknown>[], system: readonly WireBlock[], messages: readonly WireMessage[]): Segment[] {
  const segment = (place: string, block: Record<string, unknown>): Segment => {
    const { cache_control: mark, ...rest } = block;
    return { bytes: `${place}${JSON.stringify(rest)}`, marked: mark !== undefined && mark !== null };
  };
  return [
    ...tools.map((tool) => segment('tool', tool)),
    ...system.map((block) => segment('system', block)),
    ...messages.flatMap(({ role, content }, index) => content.map((block) => segment(`${index}${role}`, block))),
  ];
}

function problemOf(messages: readonly WireMessage[], segments: readonly Segment[]): string | null {
  const marks = segments.filter((segment) => segment.marked).length;
  if (marks > MOST_MARKS) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`;
  for (const [index, message] of messages.entries()) {
    if (message.content.some((block) => block.type === 'text' && textOf(block) === ''))
      return `messages.${index}: text content blocks must be non-empty`;
    const calls = message.role === 'assistant' ? message.content.filter((block) => block.type === 'tool_use') : [];
    const following = messages[index + 1]?.content ?? [];
    const unanswered = calls.filter(
      (call) => !following.some((block) => block.type === 'tool_result' && block['tool_use_id'] === call['id']),
    );
    if (unanswered.length > 0)
      return `messages.${index}: tool_use ids were found without tool_result blocks immediately after: ${unanswered.map((call) => String(call['id'])).join(', ')}`;
    const firstOther = message.content.findIndex((block) => block.type !== 'tool_result');
    if (firstOther !== -1 && message.content.slice(firstOther).some((block) => block.type === 'tool_result'))
      return `messages.${index}: tool_result blocks must come first`;
  }
  return null;
}

function countHostTurns(messages: readonly WireMessage[]): number {
  let turns = 0;
  let open = false;
  for (const message of messages) {
    if (message.role === 'assistant') open = false;
    else if (message.role === 'user' && !open) {
      open = true;
      if (!message.content.some((block) => block.type === 'tool_result')) turns += 1;
    }
  }
  return turns;
}

export function messageBody(reply: Reply): Record<string, unknown> {
  const content = [
    ...(reply.text === null ? [] : [{ type: 'text', text: reply.text }]),
    ...reply.tools.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
  return {
    id: reply.id,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content,
    stop_reason: reply.stopReason,
    stop_sequence: null,
    usage: reply.usage,
  };
}

export function messageEvents(reply: Reply): ServerSentEvent[] {
  const start = { ...messageBody(reply), content: [], stop_reason: null, usage: { ...reply.usage, output_tokens: 1 } };
  const events: ServerSentEvent[] = [{ event: 'message_start', data: { type: 'message_start', message: start } }];
  let index = 0;
  const block = (content: Record<string, unknown>, deltas: Record<string, unknown>[]): void => {
    events.push({ event: 'content_block_start', data: { type: 'content_block_start', index, content_block: content } });
    if (index === 0) events.push({ event: 'ping', data: { type: 'ping' } });
    for (const delta of deltas) events.push({ event: 'content_block_delta', data: { type: 'content_block_delta', index, delta } });
    events.push({ event: 'content_block_stop', data: { type: 'content_block_stop', index } });
    index += 1;
  };
  if (reply.text !== null)
    block(
      { type: 'text', text: '' },
      parts(reply.text, TEXT_PART).map((text) => ({ type: 'text_delta', text })),
    );
  for (const { id, name, input } of reply.tools) {
    block(
      { type: 'tool_use', id, name, input: {} },
      parts(JSON.stringify(input), JSON_PART).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  }
  events.push({
    event: 'message_delta',
    data: { type: 'message_delta', delta: { stop_reason: reply.stopReason, stop_sequence: null }, usage: reply.usage },
  });
  events.push({ event: 'message_stop', data: { type: 'message_stop' } });
  return events;
}
