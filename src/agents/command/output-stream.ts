/**
 * Turns one output stream of a command agent into events.
 *
 * 1. Neighbouring text lines of one read become one text event; JSON events keep their place between them.
 * 2. Reading waits for the queue, so memory stays bounded whatever the agent writes.
 */
import type { Readable } from 'node:stream';
import type { AgentEvent } from '../contract.ts';
import type { EventQueue } from '../event-queue.ts';
import { lineSplitter, type Line } from '../lines.ts';
import { readOutputLine } from './output-line.ts';

const LINE_LIMIT = 64 * 1024;

export interface StreamReading {
  queue: EventQueue<AgentEvent>;
  /** false for stderr: every line is text there. */
  events: boolean;
  nextId(): string;
  onError(message: string): void;
}

export async function readOutput(stream: Readable, reading: StreamReading): Promise<void> {
  const splitter = lineSplitter(LINE_LIMIT);
  try {
    for await (const chunk of stream) await deliver(splitter.write(chunk as Buffer), reading);
  } catch {
    // A stream that is torn down with its process ends here; what arrived is kept.
  }
  await deliver(splitter.end(), reading);
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
