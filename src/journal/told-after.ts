/**
 * Events are told only after they were written: whoever read one on stdout finds it in the journal, also after a kill.
 *
 * 1. Written means handed to the operating system. A power cut may take it; `flush` is what stands against that.
 * 2. The order in which events came is the order in which they are told, and `flush` returns after all of them were.
 * 3. Where the disk does not take them they are told all the same: a person has to hear of it.
 */
import type { Emit, HarnessEvent } from '../domain/event.ts';
import { isoNow, type Clock } from '../platform/platform.ts';
import type { Journal } from './journal.ts';

/** More events than these wait for the disk before an agent is slowed down. */
const MANY = 64;

export function tellAfterWriting(clock: Clock, journal: Journal, tell: Emit): { emit: Emit; journal: Journal } {
  let waiting: HarnessEvent[] = [];
  let scheduled = false;
  let told: Promise<void> = Promise.resolve();
  const tellAfter = (written: Promise<void>): Promise<void> => {
    const events = waiting;
    waiting = [];
    const done = written.catch(() => {});
    const before = told;
    told = (async () => {
      await before;
      await done;
      for (const event of events) tell(event);
    })();
    return told;
  };
  const flush = async (): Promise<void> => {
    const flushed = journal.flush();
    await tellAfter(flushed);
    await flushed;
  };
  const emit: Emit = (event) => {
    journal.append({ ...event, ts: isoNow(clock) });
    waiting.push(event);
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void tellAfter(journal.written());
    });
  };
  const drained = (): Promise<void> | null => journal.drained() ?? (waiting.length > MANY ? tellAfter(journal.written()) : null);
  return { emit, journal: { ...journal, flush, close: flush, drained } };
}
