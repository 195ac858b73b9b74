/** Reads one line of a command agent's output: an event in JSON where it is one that the harness knows, else text. */
import { z } from '../../domain/zod.ts';
import { contextTokens } from '../../domain/money.ts';
import type { AgentEvent } from '../contract.ts';

export type OutputLine =
  | { kind: 'text' }
  | { kind: 'event'; event: AgentEvent }
  | { kind: 'error'; message: string }
  /** A known type with fields that do not fit: shown as text, with a warning. */
  | { kind: 'invalid'; message: string };

const count = z.number().int().nonnegative();
const KnownLineSchema = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('usage'),
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count.default(0),
    cache_creation_input_tokens: count.default(0),
    cost_usd: z.number().nonnegative().nullable().default(null),
  }),
  z.looseObject({ type: z.literal('tool'), name: z.string().min(1), input: z.record(z.string(), z.unknown()).default({}) }),
  z.looseObject({ type: z.literal('error'), message: z.string() }),
]);
const KNOWN_TYPES = new Set(['usage', 'tool', 'error']);

export function readOutputLine(text: string, nextId: () => string): OutputLine {
  const value = jsonObject(text);
  if (value === null || typeof value['type'] !== 'string' || !KNOWN_TYPES.has(value['type'])) return { kind: 'text' };
  const parsed = KnownLineSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return {
      kind: 'invalid',
      message: `the agent wrote a ${value['type']} line whose field ${issue?.path.join('.') ?? '?'} does not fit: ${issue?.message ?? 'invalid'}`,
    };
  }
  const line = parsed.data;
  if (line.type === 'error') return { kind: 'error', message: line.message };
  if (line.type === 'tool') return { kind: 'event', event: { type: 'tool', id: nextId(), name: line.name, input: line.input } };
  const { type: _type, cost_usd, input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = line;
  const usage = { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens };
  return { kind: 'event', event: { type: 'usage', usage, context_tokens: contextTokens(usage), cost_usd, estimated: false } };
}

function jsonObject(text: string): Record<string, unknown> | null {
  if (!text.includes('{')) return null;
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return null;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
