/**
 * The spool: what agents said and did, whole, in a file for each session.
 *
 * 1. The journal keeps a sample of it and stays small; here nothing is left out and nothing is cut.
 * 2. Lines carry the numbers of the journal, so that both can be read as one.
 * 3. A session's file goes as a whole, so many days after its last line; what a crash left of a last line is cut. Both when the
 *    journal is opened, by the holder of the lock: a session that was cut off is never written to again.
 */
import { join } from 'node:path';
import type { EventType, StampedEvent } from '../domain/event.ts';
import type { Platform } from '../platform/platform.ts';
import { cutUnfinishedLine, openAppendFile, type AppendFile } from './append-file.ts';

export const SPOOL_FOLDER = 'said';
const KEPT_DAYS = 14;
const DAY = 86_400_000;

const SPOOLED: ReadonlySet<EventType> = new Set(['agent.text', 'agent.tool', 'agent.result']);
type Said = Extract<StampedEvent, { type: 'agent.text' | 'agent.tool' | 'agent.result' }>;

export function isSaid(event: StampedEvent): event is Said {
  return SPOOLED.has(event.type);
}

export interface Spool {
  add(event: Said, seq: number): void;
  flush(): Promise<void>;
  written(): Promise<void>;
  /** Characters that were added and not written yet. */
  waiting(): number;
}

export async function openSpool(platform: Platform, directory: string, harnessVersion: string): Promise<Spool> {
  const folder = join(directory, SPOOL_FOLDER);
  await tidy(platform, folder);
  const opened = new Map<number, AppendFile>();
  const early = new Map<number, string[]>();
  let opening: Promise<void> = Promise.resolve();
  const openEarly = async (): Promise<void> => {
    for (const session of early.keys()) {
      await platform.files.mkdir(folder);
      const file = await openAppendFile(platform, join(folder, spoolFile(session)), 'said', harnessVersion);
      for (const line of early.get(session) ?? []) file.add(line);
      opened.set(session, file);
      early.delete(session);
    }
  };
  /** A failure shows itself at the next flush, which tries again. */
  const open = (): Promise<void> => (opening = opening.catch(() => {}).then(openEarly));
  return {
    add: ({ ts, type, ...fields }, seq) => {
      const line = JSON.stringify({ ts, type, seq, ...fields });
      const file = opened.get(fields.session);
      if (file !== undefined) return file.add(line);
      const waiting = early.get(fields.session);
      if (waiting !== undefined) return void waiting.push(line);
      early.set(fields.session, [line]);
      open().catch(() => {});
    },
    flush: async () => {
      await open();
      for (const file of opened.values()) await file.flush();
    },
    written: async () => {
      await open().catch(() => {});
      for (const file of opened.values()) await file.written();
    },
    waiting: () =>
      [...opened.values()].reduce((sum, file) => sum + file.waiting(), 0) +
      [...early.values()].flat().reduce((sum, line) => sum + line.length, 0),
  };
}

/** In the order of the sessions, read by people and programs alike. */
export function spoolFile(session: number): string {
  return `session-${String(session).padStart(6, '0')}.jsonl`;
}

/** Files of the sessions, oldest first. */
export async function spoolFiles(platform: Platform, directory: string): Promise<string[]> {
  const folder = join(directory, SPOOL_FOLDER);
  const entries = await platform.files.list(folder).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /^session-\d+\.jsonl$/.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .toSorted();
}

async function tidy(platform: Platform, folder: string): Promise<void> {
  const oldest = platform.clock.now() - KEPT_DAYS * DAY;
  for (const { name, stat } of await platform.files.listStats(folder).catch(() => [])) {
    if (stat === null || !stat.isFile()) continue;
    const path = join(folder, name);
    if (Number(stat.mtimeMs) < oldest) await platform.files.remove(path);
    else await cutUnfinishedLine(platform, path);
  }
}
