/**
 * Questions to the journal.
 *
 * 1. Reading takes no lock and changes nothing; a line that is still being written is left out.
 * 2. Headers are not entries, and a line that is no JSON object is passed over.
 * 3. Entries come in the order in which they were written; those of several files are put in order of time.
 */
import { inOrder } from '../domain/in-order.ts';
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { decides, matches, requirements } from './evaluate.ts';
import { parseExpression, type Expression } from './expression.ts';
import type { JournalEntry } from './line.ts';
import { glanceAt } from './glance.ts';
import { JOURNAL_FILES, type JournalFile } from './files.ts';
import { positionBehind, positionBeyond } from './position.ts';
import { scanBackward, scanForward } from './scan.ts';
import { SPOOL_FOLDER, spoolFile } from './spool.ts';
import { RoleRecordSchema, SessionRecordSchema, type RoleRecord, type SessionRecord } from '../domain/session-record.ts';

export type { JournalEntry } from './line.ts';

export interface QueryOptions {
  /** Default: events alone. */
  files?: readonly JournalFile[];
  /** At most so many entries, the latest ones. */
  limit?: number;
  /** Instants: what was written before the one or after the other is not looked through. */
  from?: string;
  to?: string;
}

/** Entries that match the expression; a HarnessError names the position where the expression cannot be understood. */
export async function queryJournal(
  platform: Platform,
  directory: string,
  text: string,
  options: QueryOptions = {},
): Promise<JournalEntry[]> {
  const expression = parseExpression(text, platform.clock.now());
  const files = options.files ?? ['events'];
  const found = await Promise.all(files.map((file) => collect(platform, join(directory, JOURNAL_FILES[file]), { expression, ...options })));
  const entries = found.flat();
  if (files.length > 1) entries.sort((a, b) => inOrder(a.ts, b.ts));
  return options.limit === undefined ? entries : entries.slice(Math.max(0, entries.length - options.limit));
}

/** The last entries of a file, oldest first; reads no more of it than it needs. */
export async function tailJournal(
  platform: Platform,
  directory: string,
  count: number,
  file: JournalFile = 'events',
): Promise<JournalEntry[]> {
  return collect(platform, join(directory, JOURNAL_FILES[file]), { expression: { kind: 'all' }, limit: count });
}

/** The last entries of what a session's agent said and did, oldest first. */
export async function tailSpool(platform: Platform, directory: string, session: number, count: number): Promise<JournalEntry[]> {
  const path = join(directory, SPOOL_FOLDER, spoolFile(session));
  return (await platform.files.exists(path)) ? collect(platform, path, { expression: { kind: 'all' }, limit: count }) : [];
}

/** All that a session's agent said and did, oldest first; null: it is not kept any more. */
export async function saidIn(platform: Platform, directory: string, session: number): Promise<JournalEntry[] | null> {
  const path = join(directory, SPOOL_FOLDER, spoolFile(session));
  return (await platform.files.exists(path)) ? collect(platform, path, { expression: { kind: 'all' } }) : null;
}

/** Everything that the journal knows about one session, in order of time. */
export async function sessionEntries(platform: Platform, directory: string, session: number): Promise<JournalEntry[]> {
  return queryJournal(platform, directory, `session=${session}`, { files: ['events', 'actions', 'sessions'] });
}

/** Summaries of the project's latest sessions, oldest first; those of roles in other flows are left out. */
export async function sessionRecords(platform: Platform, directory: string, count = Number.MAX_SAFE_INTEGER): Promise<SessionRecord[]> {
  const isProjects = (entry: JournalEntry): boolean => entry['role'] === undefined;
  const entries = await collect(platform, join(directory, JOURNAL_FILES.sessions), {
    expression: { kind: 'all' },
    limit: count,
    accepts: isProjects,
  });
  return entries.map((entry) => SessionRecordSchema.safeParse(entry)).flatMap((result) => (result.success ? [result.data] : []));
}

/** Summaries of all sessions, oldest first, those of roles too. */
export async function allSessionRecords(platform: Platform, directory: string): Promise<(SessionRecord | RoleRecord)[]> {
  const entries = await collect(platform, join(directory, JOURNAL_FILES.sessions), { expression: { kind: 'all' } });
  return entries
    .map((entry) => (entry['role'] === undefined ? SessionRecordSchema : RoleRecordSchema).safeParse(entry))
    .flatMap((result) => (result.success ? [result.data] : []));
}

async function collect(
  platform: Platform,
  path: string,
  {
    expression,
    limit,
    from,
    to,
    accepts = () => true,
  }: { expression: Expression; accepts?: (entry: JournalEntry) => boolean } & Omit<QueryOptions, 'files'>,
): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const visit = (chunk: Buffer, start: number, end: number): boolean => {
    const line = matchLine(expression, chunk, start, end);
    const entry = line === null ? null : parseEntry(line);
    if (entry !== null && entry.type !== 'header' && accepts(entry)) entries.push(entry);
    return limit === undefined || entries.length < limit;
  };
  if (limit === undefined) {
    const [begin, end] = await Promise.all([
      from === undefined ? 0 : positionBehind(platform, path, ({ ts }) => ts < from),
      to === undefined ? undefined : positionBeyond(platform, path, ({ ts }) => ts <= to),
    ]);
    await scanForward(platform, path, { words: requirements(expression), visit, from: begin, to: end });
    return entries;
  }
  if (limit > 0) await scanBackward(platform, path, visit);
  return entries.reverse();
}

/** The line's text where it matches. */
function matchLine(expression: Expression, chunk: Buffer, start: number, end: number): string | null {
  const look = glanceAt(chunk, start, end);
  const decided = look === null ? null : decides(expression, look);
  if (decided === false) return null;
  const line = chunk.toString('utf8', start, end);
  if (decided === true) return line;
  const entry = parseEntry(line);
  return entry !== null && matches(expression, entry, line) ? line : null;
}

function parseEntry(line: string): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' &&
      value !== null &&
      'ts' in value &&
      'type' in value &&
      typeof value.ts === 'string' &&
      typeof value.type === 'string'
      ? (value as JournalEntry)
      : null;
  } catch {
    return null;
  }
}
