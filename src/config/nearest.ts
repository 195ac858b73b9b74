/** The known word that a mistyped one most likely meant. */

/** `null` when nothing is near: more than a third of the letters, or two in a short word, would have to change. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = (word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Levenshtein's distance, one row at a time. */
function editDistance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 20) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[right.length]!;
}
