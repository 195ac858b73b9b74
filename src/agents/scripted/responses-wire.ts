/** The Responses API as the server speaks it: for agents that use it, such as Codex. Caching is automatic there, without marks. */
import { z } from '../../domain/zod.ts';
import { identityOf, offeredTool, type ModelRequest, type Segment } from './model-request.ts';
import type { ParsedRequest } from './messages-wire.ts';
import { parts, type ServerSentEvent } from './sse.ts';
import type { Reply } from './scripted-model.ts';

const ItemSchema = z.looseObject({ type: z.string().default('message'), role: z.string().optional(), content: z.unknown().optional() });
type Item = z.infer<typeof ItemSchema>;
const BodySchema = z.looseObject({
  model: z.string().min(1),
  stream: z.boolean().default(false),
  instructions: z.string().nullable().default(null),
  tools: z.array(z.record(z.string(), z.unknown())).default([]),
  input: z.union([z.string(), z.array(ItemSchema)]),
});

const TEXT_PART = 24;
const JSON_PART = 16;

export function parseResponsesRequest(body: unknown, headers: Readonly<Record<string, string | string[] | undefined>>): ParsedRequest {
  const parsed = BodySchema.safeParse(body);
  if (!parsed.success)
    return { ok: false, message: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  const { model, stream, instructions, tools } = parsed.data;
  const items: Item[] =
    typeof parsed.data.input === 'string' ? [{ type: 'message', role: 'user', content: parsed.data.input }] : parsed.data.input;
  const firstReply = items.findIndex((item) => !isUserSide(item));
  const openingItems = firstReply === -1 ? items : items.slice(0, firstReply);
  const request: ModelRequest = {
    model,
    stream,
    tools: tools.map(offeredTool),
    opening: [instructions ?? '', ...openingItems.map((item) => textOf(item.content))].join('\n'),
    toolResults: items.filter((item) => item.type.endsWith('_call_output')).length,
    hostTurns: countHostTurns(items),
    segments: [...tools.map((tool) => segment(tool)), segment({ instructions }), ...items.map((item) => segment(item))],
    structured: 'text' in parsed.data && JSON.stringify(parsed.data['text']).includes('json_schema'),
    identity: identityOf(headers),
  };
  return { ok: true, request };
}

function segment(value: Record<string, unknown>): Segment {
  return { bytes: JSON.stringify(value), marked: false };
}

function isUserSide(item: Item): boolean {
  return item.type === 'message' && item.role !== 'assistant';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}

function countHostTurns(items: readonly Item[]): number {
  let turns = 0;
  let open = false;
  for (const item of items) {
    if (item.type === 'message' && item.role === 'user') {
      if (!open) turns += 1;
      open = true;
    } else if (item.type.endsWith('_call_output')) open = true;
    else if (!isUserSide(item)) open = false;
  }
  return turns;
}

export function responseBody(reply: Reply): Record<string, unknown> {
  const { usage } = reply;
  const input_tokens = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  return {
    id: reply.id.replace(/^msg_/, 'resp_'),
    object: 'response',
    status: 'completed',
    model: reply.model,
    output: outputItems(reply),
    usage: {
      input_tokens,
      input_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
      output_tokens: usage.output_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input_tokens + usage.output_tokens,
    },
  };
}

function outputItems(reply: Reply): Record<string, unknown>[] {
  const message = {
    id: reply.id,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: reply.text ?? '', annotations: [] }],
  };
  const calls = reply.tools.map(({ id, name, input }) => ({
    id: `fc_${id}`,
    type: 'function_call',
    status: 'completed',
    call_id: id,
    ...named(name),
    arguments: JSON.stringify(input),
  }));
  return [...(reply.text === null ? [] : [message]), ...calls];
}

/** `mcp__server/tool`: Codex offers the tools of a server in a namespace. */
function named(name: string): { name: string; namespace?: string } {
  const [first = '', ...rest] = name.split('/');
  return rest.length === 0 ? { name } : { name: rest.join('/'), namespace: first };
}

export function responseEvents(reply: Reply): ServerSentEvent[] {
  const body = responseBody(reply);
  const events: ServerSentEvent[] = [];
  const emit = (type: string, data: Record<string, unknown>): void =>
    void events.push({ event: type, data: { type, sequence_number: events.length, ...data } });
  emit('response.created', { response: { ...body, status: 'in_progress', output: [], usage: null } });
  for (const [output_index, item] of outputItems(reply).entries()) {
    const place = { output_index, item_id: item['id'] };
    emit('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', ...(item['type'] === 'message' ? { content: [] } : { arguments: '' }) },
    });
    if (item['type'] === 'message') {
      const text = reply.text ?? '';
      emit('response.content_part.added', { ...place, content_index: 0, part: { type: 'output_text', text: '', annotations: [] } });
      for (const delta of parts(text, TEXT_PART)) emit('response.output_text.delta', { ...place, content_index: 0, delta });
      emit('response.output_text.done', { ...place, content_index: 0, text });
      emit('response.content_part.done', { ...place, content_index: 0, part: { type: 'output_text', text, annotations: [] } });
    } else {
      for (const delta of parts(String(item['arguments']), JSON_PART)) emit('response.function_call_arguments.delta', { ...place, delta });
      emit('response.function_call_arguments.done', { ...place, arguments: item['arguments'] });
    }
    emit('response.output_item.done', { output_index, item });
  }
  emit('response.completed', { response: body });
  return events;
}
