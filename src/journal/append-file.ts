/**
 * One append-only file of lines.
 *
 * 1. Its first line is a header that names the kind of file, its schema and the harness that began it.
 * 2. Opening cuts an unfinished last line, so every line that can be read is whole. One process writes at a time.
 * 3. Lines are written in the order they were added, many in one write. `flush` returns when they are on the disk.
 * 4. After a failed write nothing is lost: the file is cut back to what was whole, and the same lines are tried again with the next flush.
 */
import { isoNow, type Platform } from '../platform/platform.ts';
import { journalLine } from './line.ts';

export const JOURNAL_SCHEMA_VERSION = 1;

export interface AppendFile {
  add(line: string): void;
  flush(): Promise<void>;
  /** Characters that were added and not written yet. */
  waiting(): number;
  /** When what was added so far was handed to the operating system; a failure shows itself at the next flush. */
  written(): Promise<void>;
  /** Bytes of an unfinished last line that were cut when the file was opened. */
  readonly cut: number;
}

export async function openAppendFile(platform: Platform, path: string, kind: string, harnessVersion: string): Promise<AppendFile> {
  const { size, cut } = await cutUnfinishedLine(platform, path);
  const header = journalLine(isoNow(platform.clock), 'header', {
    journal: kind,
    schema_version: JOURNAL_SCHEMA_VERSION,
    harness_version: harnessVersion,
  });
  return createWriter(platform, path, { initialSize: size, first: size === 0 ? [header] : [], cut });
}

function createWriter(
  platform: Platform,
  path: string,
  { initialSize, first, cut }: { initialSize: number; first: string[]; cut: number },
): AppendFile {
  let waiting = first;
  let size = initialSize;
  let failed = false;
  let unsynced = false;
  let work: Promise<void> = Promise.resolve();
  let scheduled = false;
  let characters = first.reduce((sum, line) => sum + line.length + 1, 0);

  const write = async (sync: boolean): Promise<void> => {
    if (waiting.length === 0 && !(sync && unsynced)) return;
    if (failed) await platform.files.truncate(path, size);
    const lines = waiting;
    const data = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
    waiting = [];
    try {
      await platform.files.append(path, data, { sync });
    } catch (error) {
      waiting = lines.concat(waiting);
      failed = await platform.files.exists(path);
      throw error;
    }
    size += Buffer.byteLength(data);
    characters -= data.length;
    failed = false;
    unsynced = !sync;
  };
  const enqueue = (sync: boolean): Promise<void> => {
    const next = work.then(() => write(sync));
    work = next.catch(() => {});
    return next;
  };

  return {
    cut,
    add: (line) => {
      waiting.push(line);
      characters += line.length + 1;
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        // A failure here shows itself again at the next flush, which tries the same lines.
        enqueue(false).catch(() => {});
      });
    },
    flush: () => enqueue(true),
    waiting: () => characters,
    written: () => enqueue(false).catch(() => {}),
  };
}

const CHUNK = 65_536;
const NEWLINE = 0x0a;

/** What a crash left of a last line goes; nothing is read of a file that ends as it should but its last character. */
export async function cutUnfinishedLine(platform: Platform, path: string): Promise<{ size: number; cut: number }> {
  if (!(await platform.files.exists(path))) return { size: 0, cut: 0 };
  const size = Number((await platform.files.lstat(path)).size);
  let end = size;
  if (size > 0 && (await platform.files.readSlice(path, size - 1, 1))[0] === NEWLINE) return { size, cut: 0 };
  while (end > 0) {
    const start = Math.max(0, end - CHUNK);
    const found = (await platform.files.readSlice(path, start, end - start)).lastIndexOf(NEWLINE);
    if (found >= 0) {
      end = start + found + 1;
      break;
    }
    end = start;
  }
  if (end < size) await platform.files.truncate(path, end);
  return { size: end, cut: size - end };
}
