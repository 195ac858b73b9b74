/** What the logs of one folder say, for whoever reads there more than once. */
import type { Platform } from '../platform/platform.ts';
import type { RoleRecord, SessionRecord } from '../domain/session-record.ts';
import type { JournalFile } from './files.ts';
import { allSessionRecords, queryJournal, sessionRecords, tailJournal, tailSpool, type JournalEntry } from './query.ts';

export interface History {
  /** The project's own sessions, oldest first; with a number, the latest ones. */
  sessions(count?: number): Promise<SessionRecord[]>;
  /** All sessions, those of roles too. */
  all(): Promise<(SessionRecord | RoleRecord)[]>;
  /** The last entries of a file, oldest first. */
  tail(count: number, file: JournalFile): Promise<JournalEntry[]>;
  events(query: string): Promise<JournalEntry[]>;
  /** The last things that a session's agent said and was shown, oldest first; none where they are not kept any more. */
  said(session: number, count: number): Promise<{ by: 'agent' | 'tool'; text: string }[]>;
}

export function openHistory(platform: Platform, folder: string): History {
  return {
    sessions: (count) => sessionRecords(platform, folder, count),
    all: () => allSessionRecords(platform, folder),
    tail: (count, file) => tailJournal(platform, folder, count, file),
    events: (query) => queryJournal(platform, folder, query),
    said: async (session, count) => (await tailSpool(platform, folder, session, count)).flatMap(saidIn),
  };
}

function saidIn(entry: JournalEntry): { by: 'agent' | 'tool'; text: string }[] {
  if (entry.type === 'agent.text') return [{ by: 'agent', text: String(entry['text'] ?? '') }];
  return entry.type === 'agent.result' ? [{ by: 'tool', text: String(entry['output'] ?? '') }] : [];
}
