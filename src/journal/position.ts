/** Where in a file of lines something begins, found by halving: a journal of a million events costs no more than a few slices of it. */
import type { Platform } from '../platform/platform.ts';
import type { JournalEntry } from './line.ts';

export const SLICE = 256 * 1024;
const NEWLINE = 0x0a;

/** Where a line begins, at or before the first that is not `before`; lines that are come first. */
export async function positionBehind(platform: Platform, path: string, before: (entry: JournalEntry) => boolean): Promise<number> {
  const [low] = await halved(platform, path, before);
  return low === 0 ? 0 : await nextLine(platform, path, low);
}

/** The same at or after it. */
export async function positionBeyond(platform: Platform, path: string, before: (entry: JournalEntry) => boolean): Promise<number> {
  const [, high] = await halved(platform, path, before);
  return await nextLine(platform, path, high);
}

async function halved(platform: Platform, path: string, before: (entry: JournalEntry) => boolean): Promise<[number, number]> {
  const size = await sizeOf(platform, path);
  let [low, high] = [0, size];
  while (high - low > SLICE) {
    const middle = Math.floor((low + high) / 2);
    const { entries } = await readLines(platform, path, await nextLine(platform, path, middle), size);
    if (entries[0] !== undefined && before(entries[0])) low = middle;
    else high = middle;
  }
  return [low, high];
}

async function nextLine(platform: Platform, path: string, position: number): Promise<number> {
  for (let at = position; ;) {
    const slice = await platform.files.readSlice(path, at, SLICE);
    const end = slice.indexOf(NEWLINE);
    if (end >= 0) return at + end + 1;
    if (slice.length === 0) return at;
    at += slice.length;
  }
}

/** Whole lines from a position on; `length` is what they take. */
export async function readLines(
  platform: Platform,
  path: string,
  position: number,
  size: number,
): Promise<{ entries: JournalEntry[]; length: number }> {
  for (let wanted = SLICE; ; wanted *= 4) {
    const available = Math.min(size - position, wanted);
    if (available <= 0) return { entries: [], length: 0 };
    const slice = await platform.files.readSlice(path, position, available);
    const end = slice.lastIndexOf(NEWLINE) + 1;
    if (end === 0 && slice.length >= wanted) continue;
    return { entries: slice.toString('utf8', 0, end).split('\n').flatMap(entryOf), length: end };
  }
}

function entryOf(line: string): JournalEntry | never[] {
  try {
    const value = JSON.parse(line) as JournalEntry;
    return typeof value.ts === 'string' && typeof value.type === 'string' ? value : [];
  } catch {
    return [];
  }
}

export async function sizeOf(platform: Platform, path: string): Promise<number> {
  const found = await platform.files.lstat(path).catch(() => null);
  return found === null ? 0 : Number(found.size);
}
