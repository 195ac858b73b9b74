/** Text put around ranges of a text; ranges may stand inside each other, never across. */
import type { Range } from './source.ts';

export interface Wrap extends Range {
  open: string;
  close: string;
}

export function wrapRanges(text: string, wraps: readonly Wrap[]): string {
  const pieces = wraps.flatMap((wrap, index) => [
    { at: wrap.start, text: wrap.open, isOpen: true, size: wrap.end - wrap.start, index },
    { at: wrap.end, text: wrap.close, isOpen: false, size: wrap.end - wrap.start, index },
  ]);
  const ordered = pieces.toSorted((a, b) => {
    if (a.at !== b.at) return a.at - b.at;
    if (a.index === b.index) return a.isOpen ? -1 : 1;
    if (a.isOpen !== b.isOpen) return a.isOpen && a.size > 0 ? 1 : !a.isOpen && b.size === 0 ? 1 : -1;
    return a.isOpen ? b.size - a.size || a.index - b.index : a.size - b.size || b.index - a.index;
  });
  const parts: string[] = [];
  let at = 0;
  for (const piece of ordered) {
    parts.push(text.slice(at, piece.at), piece.text);
    at = piece.at;
  }
  return parts.join('') + text.slice(at);
}
