/**
 * The journal: everything that happened, in the order in which it happened.
 *
 * 1. `events.jsonl` holds what `logging.level` keeps, the spool all that agents said; the other files are complete. Events have numbers.
 * 2. A `decision` or `agent.action` event given to `append` also goes to its own file; `decision` and `action` write to that file alone.
 * 3. Adding is immediate and never fails; `flush` returns once all of it is on the disk, and is called before anything is acknowledged.
 * 4. Only the holder of the project's lock opens the journal for writing.
 */
import { join } from 'node:path';
import type { Level, StampedEvent } from '../domain/event.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import type { AgentAction } from './actions.ts';
import { openAppendFile, type AppendFile } from './append-file.ts';
import { createSieve, levelOf } from './levels.ts';
import { JOURNAL_FILES, type JournalFile } from './files.ts';
import { journalLine } from './line.ts';
import { createAudience, eventsFrom, lastNumber, type NumberedEvent } from './numbered.ts';
import { isSaid, openSpool } from './spool.ts';
import type { RoleRecord, SessionRecord } from '../domain/session-record.ts';

export interface JournalOptions {
  level: Level;
  harnessVersion: string;
}

export interface Journal {
  append(event: StampedEvent): void;
  /** Every event from a number on: those that are written, then each as it comes; in order, each once. Until the returned call. */
  subscribe(from: number, hear: (event: NumberedEvent) => void): Promise<() => void>;
  decision(decision: { session: number | null; text: string; by: 'agent' | 'harness' | 'user' }): void;
  action(session: number, action: AgentAction): void;
  session(record: SessionRecord | RoleRecord): void;
  flush(): Promise<void>;
  /** When what was added so far was handed to the operating system; a failure shows itself at the next flush. */
  written(): Promise<void>;
  /** Waits while much is not written yet; null when there is not. */
  drained(): Promise<void> | null;
  close(): Promise<void>;
  /** Files whose last line was cut when the journal was opened. */
  readonly recovered: readonly { file: string; bytes: number }[];
}

export async function openJournal(platform: Platform, directory: string, options: JournalOptions): Promise<Journal> {
  await platform.files.mkdir(directory);
  const files = await openFiles(platform, directory, options.harnessVersion);
  const spool = await openSpool(platform, directory, options.harnessVersion);
  const audience = createAudience();
  let last = await lastNumber(platform, directory);
  const sieve = createSieve(options.level);
  const now = (): string => isoNow(platform.clock);
  const writers = [...Object.values(files), spool];
  const flush = async (): Promise<void> => void (await Promise.all(writers.map((file) => file.flush())));
  return {
    recovered: (Object.keys(files) as JournalFile[])
      .filter((kind) => files[kind].cut > 0)
      .map((kind) => ({ file: JOURNAL_FILES[kind], bytes: files[kind].cut })),
    append: ({ ts, type, ...fields }) => {
      const event = { ts, type, ...fields } as StampedEvent;
      const kept = sieve.keeps(event);
      if (kept || isSaid(event)) {
        const seq = ++last;
        if (kept) files.events.add(journalLine(ts, type, { level: levelOf(event), seq, ...fields }));
        if (isSaid(event)) spool.add(event, seq);
        audience.tell({ ...event, seq });
      }
      if (event.type === 'decision') files.decisions.add(journalLine(ts, 'decision', fields));
      if (event.type === 'agent.action') files.actions.add(actionLine(ts, event.session, event.action));
    },
    subscribe: (from, hear) =>
      audience.subscribe(
        from,
        async () => {
          await flush();
          return await eventsFrom(platform, directory, from);
        },
        hear,
      ),
    decision: (decision) => files.decisions.add(journalLine(now(), 'decision', decision)),
    action: (session, action) => files.actions.add(actionLine(now(), session, action)),
    session: (record) => files.sessions.add(journalLine(record.ended_at, 'session', record)),
    flush,
    written: async () => void (await Promise.all(writers.map((file) => file.written()))),
    drained: () => {
      const behind = writers.filter((file) => file.waiting() > MUCH);
      return behind.length === 0 ? null : Promise.all(behind.map((file) => file.written())).then(() => undefined);
    },
    close: flush,
  };
}

/** Characters that may wait for the disk before an agent is slowed down. */
const MUCH = 256 * 1024;

async function openFiles(platform: Platform, directory: string, harnessVersion: string): Promise<Record<JournalFile, AppendFile>> {
  const open = (kind: JournalFile): Promise<AppendFile> =>
    openAppendFile(platform, join(directory, JOURNAL_FILES[kind]), kind, harnessVersion);
  const [events, decisions, actions, sessions] = await Promise.all([open('events'), open('decisions'), open('actions'), open('sessions')]);
  return { events, decisions, actions, sessions };
}

function actionLine(ts: string, session: number, { kind, ...fields }: { kind: string }): string {
  return journalLine(ts, kind, { session, ...fields });
}
