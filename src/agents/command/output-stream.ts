/**
 * Turns one output stream of a command agent into events.
 *
 * 1. Neighbouring text lines of one read become one text event; JSON events keep their place between them.
 * 2. Reading waits for the queue, so memory stays bounded whatever the agent writes.
 * 3. Both streams share an allowance. Beyond it lines are dropped, except the last ones of each stream, which are delivered at its end,
 *    and reports of usage: money is counted whatever else is lost.
 */
import type { Readable } from 'node:stream';
import type { AgentEvent } from '../contract.ts';
import type { EventQueue } from '../event-queue.ts';
import { lineSplitter, type Line } from '../lines.ts';
import { z } from '../../domain/zod.ts';
import { contextTokens } from '../../domain/money.ts';
import { itemAt } from '../../domain/items.ts';

const LINE_LIMIT = 64 * 1024;

export interface StreamReading {
  queue: EventQueue<AgentEvent>;
  /** false for stderr: every line is text there. */
  events: boolean;
  nextId(): string;
  onError(message: string): void;
  allowance: OutputAllowance;
}

/** What may still be delivered, and the length of the end that is kept of the rest. */
export interface OutputAllowance {
  bytes: number;
  readonly limit: number;
  readonly tail: number;
}

const MEGABYTE = 1024 * 1024;

/** Three parts in four are the beginning. */
export function allowanceOf(limit = 64 * MEGABYTE): OutputAllowance {
  const tail = Math.floor(limit / 8);
  return { bytes: limit - 2 * tail, limit, tail };
}

export async function readOutput(stream: Readable, reading: StreamReading): Promise<void> {
  const splitter = lineSplitter(LINE_LIMIT);
  const end = lastLines(reading.allowance.tail);
  const take = async (lines: readonly Line[]): Promise<void> => {
    const first = lines.findIndex((line) => (reading.allowance.bytes -= sizeOf(line)) < 0);
    await deliver(first < 0 ? lines : lines.slice(0, first), reading);
    for (const line of first < 0 ? [] : lines.slice(first)) {
      if (reading.events && /"type"\s*:\s*"usage"/.test(line.text)) await deliver([line], reading);
      else end.push(line);
    }
  };
  try {
    for await (const chunk of stream) await take(splitter.write(chunk as Buffer));
  } catch {
    // A stream that is torn down with its process ends here; what arrived is kept.
  }
  await take(splitter.end());
  const { lines, dropped } = end.finish();
  if (dropped > 0) await reading.queue.push({ type: 'warning', message: droppedWords(reading.allowance.limit, dropped) }, 256);
  await deliver(lines, reading);
}

function droppedWords(limit: number, dropped: number): string {
  const megabytes = (bytes: number): string => `${Number((bytes / MEGABYTE).toFixed(1))} MB`;
  return `the agent wrote more than ${megabytes(limit)} of output; its beginning and its end are kept, ${megabytes(dropped)} in between were dropped`;
}

function sizeOf(line: Line): number {
  return line.text.length + 1;
}

/** The last lines that fit, and the size of those before them. */
function lastLines(limit: number): { push(line: Line): void; finish(): { lines: Line[]; dropped: number } } {
  let lines: Line[] = [];
  let [first, size, dropped] = [0, 0, 0];
  return {
    push: (line) => {
      lines.push(line);
      size += sizeOf(line);
      for (; size > limit; first += 1) {
        size -= sizeOf(itemAt(lines, first));
        dropped += sizeOf(itemAt(lines, first)) + itemAt(lines, first).dropped;
      }
      if (first <= lines.length / 2) return;
      lines = lines.slice(first);
      first = 0;
    },
    finish: () => ({ lines: lines.slice(first), dropped }),
  };
}

async function deliver(lines: readonly Line[], reading: StreamReading): Promise<void> {
  let text: string[] = [];
  const flush = async (): Promise<void> => {
    if (text.length === 0) return;
    const joined = text.join('\n');
    text = [];
    await reading.queue.push({ type: 'text', text: joined, ...(reading.events ? {} : { aside: true }) }, joined.length + 64);
  };
  for (const line of lines) {
    const read = reading.events && line.dropped === 0 ? readOutputLine(line.text, reading.nextId) : ({ kind: 'text' } as const);
    if (read.kind === 'text') text.push(withCut(line));
    else {
      if (read.kind === 'invalid') text.push(line.text);
      await flush();
      if (read.kind === 'error') reading.onError(read.message);
      const event: AgentEvent =
        read.kind === 'event'
          ? read.event
          : read.kind === 'error'
            ? { type: 'warning', message: `the agent reported an error: ${read.message}`, isError: true }
            : { type: 'warning', message: read.message };
      await reading.queue.push(event, line.text.length + 64);
    }
  }
  await flush();
}

function withCut(line: Line): string {
  return line.dropped === 0 ? line.text : `${line.text} [line cut: ${line.dropped} more bytes]`;
}

type OutputLine =
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

/** Reads one line of a command agent's output: an event in JSON where it is one that the harness knows, else text. */
function readOutputLine(text: string, nextId: () => string): OutputLine {
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
