/** Whether what belongs to a question fits on the screen with it, and what is shown of it where it does not. Pure. */
import { displayWidth } from '../domain/display-width.ts';

export interface Screen {
  rows: number;
  columns: number;
}

/** The frame around the facts, the question, and the room that the prompt needs for each option. */
const FRAME = 8;
/** Left and right of a line in the frame. */
const BORDER = 6;

export function fitsOn(screen: Screen, lines: readonly string[], options: number): boolean {
  return rowsOf(screen, lines) <= roomOn(screen, options);
}

/** The first lines that fit, at least a few, and how many are left out. */
export function beginning(screen: Screen, lines: readonly string[], options: number): { shown: string[]; left: number } {
  const room = Math.max(3, roomOn(screen, options) - 2);
  let count = 0;
  while (count < lines.length && rowsOf(screen, lines.slice(0, count + 1)) <= room) count += 1;
  const shown = lines.slice(0, Math.max(1, count));
  return { shown, left: lines.length - shown.length };
}

function roomOn({ rows }: Screen, options: number): number {
  return rows - FRAME - options;
}

function rowsOf({ columns }: Screen, lines: readonly string[]): number {
  const width = Math.max(10, columns - BORDER);
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);
}
