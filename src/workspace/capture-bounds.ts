/**
 * How deep, how long and how much: what one session may leave behind. Pure.
 *
 * 1. What the base tracks has its place, whatever its size; the bounds hold for what is new or changed.
 * 2. A folder that is too deep or a path that is too long is left out with everything below it.
 * 3. Where everything together is too much, only the smallest files are kept, so that a refused session leaves little behind.
 */
import type { CaptureFinding } from '../domain/tree.ts';
import { firstItem, lastItem } from '../domain/items.ts';

export const DEEPEST_FOLDER = 100;
export const LONGEST_PATH = 1_024;
export const LARGEST_TOTAL = 100 * 1024 * 1024;
/** What is kept of a session that left too much. */
const KEPT_OF_TOO_MUCH = 8 * 1024 * 1024;
const LONGEST_SHOWN = 160;

export function outOfBounds(path: string): 'too_deep' | 'path_too_long' | null {
  if (path.split('/').length > DEEPEST_FOLDER) return 'too_deep';
  return Buffer.byteLength(path) > LONGEST_PATH ? 'path_too_long' : null;
}

/** One finding of each kind, however many paths there are. */
export function boundFindings(paths: readonly string[]): CaptureFinding[] {
  return (['too_deep', 'path_too_long'] as const).flatMap((kind) => {
    const found = paths.filter((path) => outOfBounds(path) === kind);
    if (found.length === 0) return [];
    const limit = kind === 'too_deep' ? `${DEEPEST_FOLDER} folders` : `${LONGEST_PATH} bytes`;
    const others = found.length === 1 ? '' : `, and ${found.length - 1} more`;
    return [{ kind, path: shortened(firstItem(found)), detail: `the limit is ${limit}${others}` }];
  });
}

/** Which of these to leave out so that little is kept, and the finding that says so; none while the total is within bounds. */
export function beyondTotal(files: readonly { path: string; size: number }[]): { leftOut: Set<string>; finding: CaptureFinding | null } {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total <= LARGEST_TOTAL) return { leftOut: new Set(), finding: null };
  let kept = 0;
  const bySize = files.toSorted((a, b) => a.size - b.size);
  const leftOut = new Set(bySize.filter((file) => (kept += file.size) > KEPT_OF_TOO_MUCH).map((file) => file.path));
  const detail = `${megabytes(total)} MB in new and changed files; the limit is ${megabytes(LARGEST_TOTAL)} MB`;
  return { leftOut, finding: { kind: 'too_much', path: shortened(lastItem(bySize).path), detail } };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

function shortened(path: string): string {
  return path.length <= LONGEST_SHOWN ? path : `${path.slice(0, LONGEST_SHOWN / 2)}…${path.slice(-LONGEST_SHOWN / 2)}`;
}
