/**
 * Breaks a line between words so that it fits; what it is indented by, its continuation is too. Scripts that write without spaces are
 * broken between their characters. Any other word that is too long stays whole: a path or an address is copied in one piece.
 */
import { displayWidth, fitWidth, isWide } from '../domain/display-width.ts';
import { firstItem, lastItem } from '../domain/items.ts';
import { matched } from '../domain/text-parts.ts';

export function wrap(text: string, width: number): string[] {
  const indent = matched(/^ */, text);
  const room = Math.max(1, width - indent.length);
  const lines: string[] = [''];
  for (const word of text.slice(indent.length).split(' ')) {
    const last = lastItem(lines);
    const joined = last === '' ? word : `${last} ${word}`;
    if (displayWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.splice(lines.length - 1, 1, ...broken(last, word, room));
  }
  return lines.map((line) => `${indent}${line}`);
}

/** The last line and a word that does not fit behind it. */
function broken(last: string, word: string, room: number): string[] {
  if (displayWidth(word) <= room || ![...word].some(isWide)) return last === '' ? [word] : [last, word];
  const lines: string[] = [];
  let rest = last === '' ? word : `${last} ${word}`;
  while (displayWidth(rest) > room) {
    const line = fitWidth(rest, room) || firstItem([...rest]);
    lines.push(line.trimEnd());
    rest = rest.slice(line.length);
  }
  return rest === '' ? lines : [...lines, rest];
}
