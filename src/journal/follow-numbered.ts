/**
 * The events of a place after a number, as they are written.
 *
 * 1. In order, each number once: the journal and the spool of each session are merged by number.
 * 2. Reading begins where the number is, found by halving: a journal of a million events costs no more than its last page.
 * 3. A number that is missing is waited for while it may still be on its way; retention and crashes leave gaps that are passed over.
 * 4. A file that was cut short is read again from where the numbers go on.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { JOURNAL_FILES } from './files.ts';
import { positionBehind, readLines, sizeOf, SLICE } from './position.ts';
import type { JournalEntry } from './query.ts';
import { SPOOL_FOLDER } from './spool.ts';

export type NumberedEntry = JournalEntry & { seq: number };

const POLL_MS = 250;
const ON_ITS_WAY_MS = 1_000;

/** Ends with the signal. */
export async function* followNumbered(
  platform: Platform,
  directory: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly NumberedEntry[]> {
  const { clock } = platform;
  const readers = new Map<string, Reader>();
  let last = after;
  while (!signal.aborted) {
    const sizes = await lookAtFiles(platform, directory);
    await openNew(platform, directory, { readers, sizes, last });
    for (const reader of readers.values()) await fill(platform, reader, last, sizes.get(reader.path)?.size ?? 0);
    const batch: NumberedEntry[] = [];
    for (;;) {
      const reader = lowest([...readers.values()], last);
      const next = reader?.entries[reader.at];
      if (reader === null || next === undefined || (next.seq > last + 1 && clock.now() - Date.parse(next.ts) < ON_ITS_WAY_MS)) break;
      last = next.seq;
      batch.push(next);
      reader.at += 1;
      // What comes next in this file may be lower than what the others hold.
      if (reader.at === reader.entries.length && !reader.atEnd) break;
    }
    if (batch.length > 0) yield batch;
    if (batch.length === 0 || [...readers.values()].every(({ atEnd }) => atEnd)) await clock.sleep(POLL_MS, signal);
  }
}

interface Reader {
  path: string;
  position: number;
  entries: NumberedEntry[];
  at: number;
  atEnd: boolean;
}

/** The one whose next number is the lowest; what was taken from another file already is passed over. */
function lowest(readers: readonly Reader[], last: number): Reader | null {
  let found: Reader | null = null;
  for (const reader of readers) {
    while ((reader.entries[reader.at]?.seq ?? Infinity) <= last) reader.at += 1;
    const next = reader.entries[reader.at];
    if (next !== undefined && next.seq < (found?.entries[found.at]?.seq ?? Infinity)) found = reader;
  }
  return found;
}

type Sizes = ReadonlyMap<string, { size: number; writtenAt: number }>;

/** Lists the spool once; files that have not changed are not opened. */
async function lookAtFiles(platform: Platform, directory: string): Promise<Sizes> {
  const events = join(directory, JOURNAL_FILES.events);
  const folder = join(directory, SPOOL_FOLDER);
  const [journal, spool] = [await platform.files.lstat(events).catch(() => null), await platform.files.listStats(folder).catch(() => [])];
  const all = [
    { path: events, stat: journal },
    ...spool.filter(({ name }) => SPOOLED.test(name)).map(({ name, stat }) => ({ path: join(folder, name), stat })),
  ];
  return new Map(
    all.flatMap(({ path, stat }) => (stat === null ? [] : [[path, { size: Number(stat.size), writtenAt: Number(stat.mtimeMs) }] as const])),
  );
}

async function openNew(
  platform: Platform,
  directory: string,
  { readers, sizes, last }: { readers: Map<string, Reader>; sizes: Sizes; last: number },
): Promise<void> {
  const isFirst = readers.size === 0;
  const events = join(directory, JOURNAL_FILES.events);
  const open = (path: string, position: number): void => void readers.set(path, { path, position, entries: [], at: 0, atEnd: true });
  if (!readers.has(events) && sizes.has(events)) open(events, await positionAfter(platform, events, last));
  const unknown = [...sizes].filter(([path]) => !readers.has(path));
  if (unknown.length === 0) return;
  const since = isFirst && last > 0 ? await timeOf(platform, events, readers.get(events)?.position ?? 0) : 0;
  for (const [path, { size, writtenAt }] of unknown)
    open(path, writtenAt < since - SLACK_MS ? size : await positionAfter(platform, path, last));
}

async function fill(platform: Platform, reader: Reader, last: number, size: number): Promise<void> {
  if (reader.at < reader.entries.length) return;
  if (size < reader.position) reader.position = await positionAfter(platform, reader.path, last);
  const isSame = size === reader.position;
  const { entries, length } = isSame ? { entries: [], length: 0 } : await readEntries(platform, reader.path, reader.position, size);
  reader.position += length;
  Object.assign(reader, { entries, at: 0, atEnd: length === 0 || reader.position >= size });
}

const SPOOLED = /^session-\d+\.jsonl$/;
const SLACK_MS = 10_000;

/** Where the first line with a higher number may begin; numbers of one file only grow. */
async function positionAfter(platform: Platform, path: string, after: number): Promise<number> {
  return after <= 0 ? 0 : await positionBehind(platform, path, ({ seq }) => typeof seq === 'number' && seq <= after);
}

/** The time of the line there, or of the last one. */
async function timeOf(platform: Platform, path: string, position: number): Promise<number> {
  const size = await sizeOf(platform, path);
  const start = Math.min(position, Math.max(0, size - SLICE));
  const { entries } = await readEntries(platform, path, start, size);
  return Date.parse((position >= size ? entries.at(-1) : entries[0])?.ts ?? '') || 0;
}

/** Whole lines from a position on, by number; `length` is what they take. */
async function readEntries(
  platform: Platform,
  path: string,
  position: number,
  size: number,
): Promise<{ entries: NumberedEntry[]; length: number }> {
  const { entries, length } = await readLines(platform, path, position, size);
  const numbered = entries.filter((entry): entry is NumberedEntry => typeof entry['seq'] === 'number');
  return { entries: numbered.toSorted((one, other) => one.seq - other.seq), length };
}
