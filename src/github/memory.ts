/**
 * What the mirror knows of its issues, from what GitHub shows of them. Pure.
 *
 * 1. An issue belongs to a feature by its mark, else by what is remembered. Of several with the mark of one feature the oldest counts.
 * 2. Who closed an issue is told by the time of the closing where the harness remembers its own, else by the mark, which says what the
 *    harness last made of it: both are one change for GitHub.
 */
import type { Issue, Remembered } from './contract.ts';
import { readIssueMark } from './mark.ts';

export interface MirrorMemory {
  /** ISO time up to which the changes of others are known; null: nothing is. */
  seenUntil: string | null;
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
    if (last !== undefined && last.number < issue.number) continue;
    next.set(feature, rememberIssue(issue, last?.number === issue.number ? last : null, mark?.state === 'closed'));
  }
  return next;
}

function rememberIssue(issue: Issue, last: Remembered | null, markedClosed: boolean): Remembered {
  const { number, state, closedAt } = issue;
  return { number, state, closedAt, ownClosing: last?.ownClosing ?? (markedClosed ? (closedAt ?? '') : null) };
}
