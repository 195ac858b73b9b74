/** New entries of a log as they are written, until the signal. A log that starts anew is read from its start. */
import type { JournalEntry } from '../journal/query.ts';
import type { Platform } from '../platform/platform.ts';

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

export async function logSize(platform: Platform, file: string): Promise<number> {
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
