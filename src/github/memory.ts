/**
 * What the mirror knows of its issues, from what GitHub shows of them. Pure.
 *
 * 1. An issue belongs to a feature by its mark, else by what is remembered. Of several with the mark of one feature the oldest counts.
 * 2. Who closed an issue is told by the time of the closing where the harness remembers its own, else by the mark, which says what the
 *    harness last made of it: both are one change for GitHub.
 */
import type { Issue, Listing, Remembered } from './contract.ts';
import { readIssueMark } from './mark.ts';

export interface MirrorMemory {
  /** ISO time, by GitHub's clock, up to which the changes of others are known; null: nothing is. */
  seenUntil: string | null;
  /** Of the last answer about what changed since then, where it showed nothing new. */
  etag: string | null;
  issues: ReadonlyMap<number, Remembered>;
}

export function absorb(memory: ReadonlyMap<number, Remembered>, issues: readonly Issue[], project: string): Map<number, Remembered> {
  const next = new Map(memory);
  const featureOf = new Map([...memory].map(([feature, { number }]) => [number, feature]));
  for (const issue of issues.toSorted((one, other) => one.number - other.number)) {
    const mark = readIssueMark(issue.body);
    const feature = mark === null ? featureOf.get(issue.number) : mark.project === project ? mark.feature : undefined;
    if (feature === undefined) continue;
    const last = next.get(feature);
    if (last !== undefined && last.gone === undefined && last.number < issue.number) continue;
    next.set(feature, rememberIssue(issue, last?.number === issue.number ? last : null, mark?.state === 'closed'));
  }
  return next;
}

/**
 * How much has been seen after a sync. Times are GitHub's own: the clock of this machine may be wrong.
 *
 * A look that showed nothing new keeps its question, so that it can be asked again conditionally; else the next one begins a little before
 * this one did, since GitHub may show a change late.
 */
export function seenAfter(memory: MirrorMemory, listing: Listing | null, changed: boolean): Pick<MirrorMemory, 'seenUntil' | 'etag'> {
  const { seenUntil, etag } = memory;
  if (listing === null) return changed ? { seenUntil, etag: null } : { seenUntil, etag };
  if (!changed && seenUntil !== null) return { seenUntil, etag: listing.etag };
  if (listing.at === null) return { seenUntil, etag: null };
  return { seenUntil: new Date(Date.parse(listing.at) - LATE_MS).toISOString(), etag: null };
}

const LATE_MS = 60_000;

/** Whether a look showed something that was not known. */
export function differs(before: ReadonlyMap<number, Remembered>, after: ReadonlyMap<number, Remembered>): boolean {
  if (before.size !== after.size) return true;
  return [...after].some(([feature, now]) => {
    const last = before.get(feature);
    return (
      last === undefined ||
      last.number !== now.number ||
      last.state !== now.state ||
      last.closedAt !== now.closedAt ||
      last.ownClosing !== now.ownClosing ||
      last.gone !== now.gone
    );
  });
}

function rememberIssue(issue: Issue, last: Remembered | null, markedClosed: boolean): Remembered {
  const { number, state, closedAt } = issue;
  return { number, state, closedAt, ownClosing: last?.ownClosing ?? (markedClosed ? (closedAt ?? '') : null) };
}
