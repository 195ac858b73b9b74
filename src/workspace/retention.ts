/** Which checkpoints may go: pure. */
import { inOrder } from '../domain/in-order.ts';
import type { Checkpoint } from './checkpoint.ts';

export interface RetentionRules {
  /** Kept for each feature. */
  perFeature: number;
  days: number;
}

const DEFAULT_RULES: RetentionRules = { perFeature: 5, days: 7 };

/**
 * Ids to drop: all but the last few of each feature, and those older than the limit. The last one of a completed feature and the
 * newest of all always stay.
 */
export function planRetention(
  checkpoints: readonly Checkpoint[],
  now: number,
  completed: readonly number[],
  rules: RetentionRules = DEFAULT_RULES,
): string[] {
  const newestFirst = [...checkpoints].sort((a, b) => inOrder(b.timestamp, a.timestamp) || inOrder(b.id, a.id));
  const seen = new Map<number | null, number>();
  const oldest = now - rules.days * 24 * 60 * 60 * 1000;
  return newestFirst
    .filter((checkpoint, at) => {
      const rank = seen.get(checkpoint.feature) ?? 0;
      seen.set(checkpoint.feature, rank + 1);
      if (at === 0) return false;
      if (rank === 0 && checkpoint.feature !== null && completed.includes(checkpoint.feature)) return false;
      return rank >= rules.perFeature || Date.parse(checkpoint.timestamp) < oldest;
    })
    .map((checkpoint) => checkpoint.id);
}
