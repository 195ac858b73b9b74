/** When a watched project is looked at again, and which of its commits broke a test. Pure. */

export interface Seen {
  commit: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Null: nothing is due yet. */
export function dueLook(seen: Seen | null, commit: string, now: number, intervalMs: number): 'commit' | 'interval' | null {
  if (seen === null || seen.commit !== commit) return 'commit';
  return now - seen.at >= intervalMs ? 'interval' : null;
}

/**
 * The first of these commits, oldest first, on which something is broken; the last one is known to be broken, what came before the first is
 * known to hold. Asks about as few as it can.
 */
export async function firstBroken(commits: readonly string[], isBroken: (commit: string) => Promise<boolean>): Promise<string | null> {
  let [low, high] = [0, commits.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isBroken(commits[middle]!)) high = middle;
    else low = middle + 1;
  }
  return commits[low] ?? null;
}
