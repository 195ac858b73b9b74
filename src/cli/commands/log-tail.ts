/** `harness log tail`: the last entries, and with `--follow` the coming ones. */
import { join } from 'node:path';
import { EXIT } from '../../domain/reasons.ts';
import { JOURNAL_FILES } from '../../journal/files.ts';
import { tailJournal, type JournalEntry } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { entryOf, inAllLogs, logFolders, type LogFolder } from '../log-folders.ts';
import { logFile, logLine, logLines } from '../log-lines.ts';
import { flagOption, numberOption } from '../options.ts';
import type { Platform } from '../../platform/platform.ts';
import { itemAt } from '../../domain/items.ts';

const DEFAULT_LINES = 20;
/** How soon a worker that was started later is followed too. */
const NEW_WORKERS_MS = 1_000;

export const run: Command = async ({ platform, store, options, output, signal }) => {
  const file = logFile(options);
  const folders = await logFolders(platform, store);
  const sizes = await Promise.all(folders.map(({ path }) => logSize(platform, join(path, JOURNAL_FILES[file]))));
  const count = numberOption(options, 'lines') ?? DEFAULT_LINES;
  const entries = await inAllLogs(folders, (path) => tailJournal(platform, path, count, file), count);
  if (!flagOption(options, 'follow')) {
    output.object({ entries }, logLines(entries));
    return { exitCode: EXIT.done };
  }
  for (const entry of entries) output.line(entry, logLine(entry));
  const follow = (folder: LogFolder, from: number): Promise<void> =>
    followLog(platform, join(folder.path, JOURNAL_FILES[file]), {
      from,
      signal,
      show: (found) => {
        const entry = entryOf(folder, found);
        output.line(entry, logLine(entry));
      },
    });
  const following = folders.map((folder, at) => follow(folder, itemAt(sizes, at)));
  const known = new Set(folders.map(({ path }) => path));
  while (!signal.aborted) {
    await platform.clock.sleep(NEW_WORKERS_MS, signal);
    for (const folder of (await logFolders(platform, store)).filter(({ path }) => !known.has(path))) {
      known.add(folder.path);
      following.push(follow(folder, 0));
    }
  }
  await Promise.all(following);
  return { exitCode: EXIT.interrupted };
};

const POLL_MS = 250;
const SLICE_BYTES = 1 << 20;

export async function followLog(
  platform: Platform,
  file: string,
  { from, signal, show }: { from: number; signal: AbortSignal; show: (entry: JournalEntry) => void },
): Promise<void> {
  let position = from;
  let rest = Buffer.alloc(0);
  while (!signal.aborted) {
    const size = await logSize(platform, file);
    if (size < position) {
      position = 0;
      rest = Buffer.alloc(0);
    }
    const slice =
      size > position ? await platform.files.readSlice(file, position, Math.min(size - position, SLICE_BYTES)) : Buffer.alloc(0);
    position += slice.length;
    const pending = Buffer.concat([rest, slice]);
    const end = pending.lastIndexOf(0x0a) + 1;
    for (const line of pending.subarray(0, end).toString('utf8').split('\n')) {
      const entry = parseEntry(line);
      if (entry !== null) show(entry);
    }
    rest = Buffer.from(pending.subarray(end));
    if (slice.length === 0) await platform.clock.sleep(POLL_MS, signal);
  }
}

async function logSize(platform: Platform, file: string): Promise<number> {
  return (await platform.files.exists(file)) ? Number((await platform.files.lstat(file)).size) : 0;
}

function parseEntry(line: string): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('type' in value) || !('ts' in value)) return null;
    const { type, ts } = value;
    return typeof type === 'string' && typeof ts === 'string' && type !== 'header' ? { ...value, ts, type } : null;
  } catch {
    return null;
  }
}
