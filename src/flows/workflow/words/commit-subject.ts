/**
 * The first line of a commit: what was done. The implementer's own sentence where it gave one, since the task says what was wanted; else the task. Pure.
 */
import { cleanText } from '../../../domain/clean-text.ts';

const LONGEST = 72;

/** `line`: what the implementer ended with, such as `changed 2 files — Round totals to cents`. */
export function commitSubject(task: string, line: string): string {
  const said = /^(?:changed|written|generated)\b.*? — (\S.*)$/i.exec(oneLine(line))?.[1];
  return shortened(said === undefined || said.length < SHORTEST ? oneLine(task) : capital(said.replace(/[.\s]+$/, '')));
}

/** Fewer letters say nothing. */
const SHORTEST = 12;

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** At a word where one ends near. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > LONGEST / 2 ? cut.slice(0, space) : cut}…`;
}
