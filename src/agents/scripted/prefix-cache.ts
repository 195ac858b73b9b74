/**
 * Prompt-cache accounting as the provider does it.
 *
 * 1. A mark stores the exact prefix up to its block; a later request reads the longest stored prefix that ends at one of its marks or
 *    at most LOOKBACK blocks before one.
 * 2. Read, written and plain tokens add up to all of the input. A token is four bytes, rounded up.
 * 3. Without marks (`automatic`) every block boundary is stored and read, as in APIs that cache on their own.
 * 4. Entries do not expire: a scenario is shorter than the shortest lifetime.
 */
import { createHash } from 'node:crypto';
import type { Usage } from '../../domain/money.ts';
import type { Segment } from './model-request.ts';
import { itemAt } from '../../domain/items.ts';

const LOOKBACK = 20;

export interface PrefixCache {
  account(model: string, segments: readonly Segment[], automatic: boolean): Omit<Usage, 'output_tokens'>;
}

export function prefixCache(): PrefixCache {
  const stored = new Set<string>();
  return {
    account: (model, segments, automatic) => {
      const ends = prefixEnds(model, segments);
      const marks = ends.flatMap((_, index) => (automatic || itemAt(segments, index).marked ? [index] : []));
      const total = ends.at(-1)?.tokens ?? 0;
      const last = marks.at(-1);
      if (last === undefined) return { input_tokens: total, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
      const readable = ends.findLastIndex(
        (end, index) => stored.has(end.hash) && marks.some((mark) => index <= mark && mark - index < LOOKBACK),
      );
      const read = readable === -1 ? 0 : itemAt(ends, readable).tokens;
      for (const mark of marks) stored.add(itemAt(ends, mark).hash);
      const covered = itemAt(ends, last).tokens;
      if (automatic) return { input_tokens: total - read, cache_read_input_tokens: read, cache_creation_input_tokens: 0 };
      return { input_tokens: total - covered, cache_read_input_tokens: read, cache_creation_input_tokens: covered - read };
    },
  };
}

export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

function prefixEnds(model: string, segments: readonly Segment[]): { hash: string; tokens: number }[] {
  let hash = createHash('sha256').update(model).digest('hex');
  let bytes = 0;
  return segments.map((segment) => {
    hash = createHash('sha256').update(hash).update(segment.bytes).digest('hex');
    bytes += Buffer.byteLength(segment.bytes);
    return { hash, tokens: estimateTokens(bytes) };
  });
}
