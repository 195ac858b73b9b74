/** A journal in memory: for flows that leave nothing on the disk. The same order, the same numbers, for the life of one process. */
import type { Level } from '../domain/event.ts';
import type { Journal } from './journal.ts';
import { createSieve } from './levels.ts';
import { createAudience, type NumberedEvent } from './numbered.ts';
import type { RoleRecord, SessionRecord } from '../domain/session-record.ts';
import { isSaid } from './spool.ts';

export interface MemoryJournal extends Journal {
  readonly events: readonly NumberedEvent[];
  readonly records: readonly (SessionRecord | RoleRecord)[];
}

export function memoryJournal(level: Level = 'routine'): MemoryJournal {
  const events: NumberedEvent[] = [];
  const records: (SessionRecord | RoleRecord)[] = [];
  const sieve = createSieve(level);
  const audience = createAudience();
  const done = async (): Promise<void> => {};
  return {
    events,
    records,
    recovered: [],
    append: (event) => {
      if (!sieve.keeps(event) && !isSaid(event)) return;
      const numbered = { ...event, seq: events.length + 1 };
      events.push(numbered);
      audience.tell(numbered);
    },
    subscribe: (from, hear) => audience.subscribe(from, async () => events.filter(({ seq }) => seq >= from), hear),
    decision: () => {},
    action: () => {},
    session: (record) => void records.push(record),
    flush: done,
    written: done,
    close: done,
    drained: () => null,
  };
}
