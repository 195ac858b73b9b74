/** The known word that a mistyped one most likely meant. Pure. */
import { itemAt } from './items.ts';

/** `null` when nothing is near: more than a third of the letters would have to change. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours, each one step. */
function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 20) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = itemAt(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          itemAt(last, column) + 1,
          itemAt(current, column - 1) + 1,
          replaced,
          swapped ? itemAt(beforeLast, column - 2) + 1 : replaced,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return itemAt(last, to.length);
}
