/** What a mistyped word was meant to be. Pure. */

/** ` Did you mean …?`, or nothing when no candidate is close. */
export function suggest(word: string, candidates: readonly string[], prefix = ''): string {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0] === undefined ? '' : ` Did you mean ${prefix}${ranked[0].candidate}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours, each one step. */
export function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [at(rows, row - 1, column) + 1, at(rows, row, column - 1) + 1, at(rows, row - 1, column - 1) + (same ? 0 : 1)];
      rows[row]![column] = Math.min(...steps, ...(swapped ? [at(rows, row - 2, column - 2) + 1] : []));
    }
  }
  return at(rows, from.length, to.length);
}

function at(rows: readonly (readonly number[])[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}
