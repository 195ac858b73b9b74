/**
 * Breaks a line between words so that it fits; what it is indented by, its continuation is too. Scripts that write without spaces are
 * broken between their characters. Any other word that is too long stays whole: a path or an address is copied in one piece.
 */
import { displayWidth, fitWidth, isWide } from '../domain/display-width.ts';

export function wrap(text: string, width: number): string[] {
  const indent = /^ */.exec(text)![0];
  const room = Math.max(1, width - indent.length);
  const lines: string[] = [''];
  for (const word of text.slice(indent.length).split(' ')) {
    const last = lines.at(-1)!;
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
    const line = fitWidth(rest, room) || [...rest][0]!;
    lines.push(line.trimEnd());
    rest = rest.slice(line.length);
  }
  return rest === '' ? lines : [...lines, rest];
}
