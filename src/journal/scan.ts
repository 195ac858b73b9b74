/**
 * Reading a file of lines without loading it.
 *
 * 1. Memory is bounded by one chunk and the longest line, whatever the size of the file.
 * 2. An unfinished last line is not reported: it is not part of the journal yet.
 * 3. `words` are lists; a line that may match contains a member of each. The scan leaps along the list that is rarest in a chunk.
 */
import type { Platform } from '../platform/platform.ts';
import { itemAt } from '../domain/items.ts';
import { sizeOf } from './position.ts';

const CHUNK = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Called with the bounds of each whole line that may match; `false` ends the scan. */
export type Visit = (chunk: Buffer, start: number, end: number) => boolean;

/** First to last; `from` and `to`: positions at which a line begins. */
export async function scanForward(
  platform: Platform,
  path: string,
  {
    words,
    visit,
    afterChunk,
    from = 0,
    to = Infinity,
  }: { words: readonly (readonly string[])[]; visit: Visit; afterChunk?: () => Promise<void>; from?: number; to?: number },
): Promise<void> {
  const size = Math.min(to, await sizeOf(platform, path));
  const lists = words.map((list) => list.map((word) => Buffer.from(word)));
  let position = from;
  let length = CHUNK;
  while (position < size) {
    const chunk = await platform.files.readSlice(path, position, Math.min(length, size - position));
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      if (position + chunk.length >= size) return;
      length *= 2;
      continue;
    }
    if (!visitLines(chunk.subarray(0, last + 1), rarest(chunk, lists), visit)) return;
    await afterChunk?.();
    position += last + 1;
    length = CHUNK;
  }
}

/** The same from last to first, without leaping. */
export async function scanBackward(platform: Platform, path: string, visit: Visit, chunkSize = 256 * 1024): Promise<void> {
  let end = await sizeOf(platform, path);
  let length = chunkSize;
  let whole = false;
  while (end > 0) {
    const start = Math.max(0, end - length);
    const chunk = await platform.files.readSlice(path, start, end - start);
    const stop = whole ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1;
    const first = start === 0 ? 0 : chunk.indexOf(NEWLINE) + 1;
    if (start > 0 && (first === 0 || first >= stop)) {
      length *= 2;
      continue;
    }
    if (!visitLinesBackward(chunk, first, stop, visit)) return;
    end = start + first;
    whole = true;
    length = chunkSize;
  }
}

const SAMPLE = 256 * 1024;

function rarest(chunk: Buffer, lists: readonly (readonly Buffer[])[]): readonly Buffer[] | null {
  if (lists.length < 2) return lists[0] ?? null;
  const sample = chunk.subarray(0, SAMPLE);
  const counts = lists.map((list) => list.reduce((sum, word) => sum + countOf(sample, word), 0));
  return lists[counts.indexOf(Math.min(...counts))] ?? null;
}

function countOf(chunk: Buffer, word: Buffer): number {
  let count = 0;
  for (let found = chunk.indexOf(word); found >= 0; found = chunk.indexOf(word, found + word.length)) count += 1;
  return count;
}

function visitLines(chunk: Buffer, wanted: readonly Buffer[] | null, visit: Visit): boolean {
  if (wanted === null) return visitEvery(chunk, visit);
  const upcoming = wanted.map((word) => chunk.indexOf(word));
  for (;;) {
    const candidates = upcoming.filter((found) => found >= 0);
    if (candidates.length === 0) return true;
    const hit = Math.min(...candidates);
    const start = hit === 0 ? 0 : chunk.lastIndexOf(NEWLINE, hit - 1) + 1;
    const end = chunk.indexOf(NEWLINE, hit);
    if (!visit(chunk, start, end)) return false;
    for (const [index, found] of upcoming.entries()) {
      if (found >= 0 && found < end) upcoming[index] = chunk.indexOf(itemAt(wanted, index), end + 1);
    }
  }
}

function visitEvery(chunk: Buffer, visit: Visit): boolean {
  let start = 0;
  while (start < chunk.length) {
    const end = chunk.indexOf(NEWLINE, start);
    if (!visit(chunk, start, end)) return false;
    start = end + 1;
  }
  return true;
}

function visitLinesBackward(chunk: Buffer, first: number, stop: number, visit: Visit): boolean {
  let end = stop - 1;
  while (end > first) {
    const start = Math.max(first, chunk.lastIndexOf(NEWLINE, end - 1) + 1);
    if (!visit(chunk, start, end)) return false;
    end = start - 1;
  }
  return true;
}
