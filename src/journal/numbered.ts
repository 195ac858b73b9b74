/**
 * The events of a journal by number.
 *
 * 1. Every event that is written down has a number, one more than the one before it, across all commands of a place. Numbers are never
 *    given twice; an event that the level keeps out of the journal has none.
 * 2. The journal and the spool together hold every number, as long as their retention lasts.
 */
import { join } from 'node:path';
import type { StampedEvent } from '../domain/event.ts';
import type { Platform } from '../platform/platform.ts';
import { JOURNAL_FILES } from './files.ts';
import { scanBackward, scanForward } from './scan.ts';
import { spoolFiles } from './spool.ts';

export type NumberedEvent = StampedEvent & { seq: number };

/** 0 where no event has a number yet. */
export async function lastNumber(platform: Platform, directory: string): Promise<number> {
  const last = await Promise.all(
    [join(directory, JOURNAL_FILES.events), ...(await spoolFiles(platform, directory))].map((path) => lastIn(platform, path)),
  );
  return Math.max(...last);
}

/** What is written from a number on, in order, each number once. */
export async function eventsFrom(platform: Platform, directory: string, from: number): Promise<NumberedEvent[]> {
  const found = new Map<number, NumberedEvent>();
  for (const path of [join(directory, JOURNAL_FILES.events), ...(await spoolFiles(platform, directory))])
    await scanForward(platform, path, {
      words: [],
      visit: (chunk, start, end) => {
        const event = parseNumbered(chunk.toString('utf8', start, end));
        if (event !== null && event.seq >= from) found.set(event.seq, event);
        return true;
      },
    });
  return [...found.values()].toSorted((a, b) => a.seq - b.seq);
}

async function lastIn(platform: Platform, path: string): Promise<number> {
  let last = 0;
  await scanBackward(platform, path, (chunk, start, end) => {
    last = parseNumbered(chunk.toString('utf8', start, end))?.seq ?? 0;
    return false;
  });
  return last;
}

function parseNumbered(line: string): NumberedEvent | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'seq' in value && typeof value.seq === 'number' ? (value as NumberedEvent) : null;
  } catch {
    return null;
  }
}

export interface Audience {
  tell(event: NumberedEvent): void;
  /** `written` gives what is on the disk; it is asked once, after the new ones are held back. */
  subscribe(from: number, written: () => Promise<NumberedEvent[]>, hear: (event: NumberedEvent) => void): Promise<() => void>;
}

/** Those who listen; each hears every number from its own on, in order and once. */
export function createAudience(): Audience {
  const listeners = new Set<(event: NumberedEvent) => void>();
  return {
    tell: (event) => {
      for (const listener of listeners) listener(event);
    },
    subscribe: async (from, written, hear) => {
      let next = from;
      let waiting: NumberedEvent[] | null = [];
      const pass = (event: NumberedEvent): void => {
        if (event.seq < next) return;
        next = event.seq + 1;
        hear(event);
      };
      const listener = (event: NumberedEvent): void => {
        if (waiting === null) pass(event);
        else waiting.push(event);
      };
      listeners.add(listener);
      for (const event of await written()) pass(event);
      for (const event of waiting) pass(event);
      waiting = null;
      return () => void listeners.delete(listener);
    },
  };
}
