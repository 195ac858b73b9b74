/**
 * Values that a test gives a name and never changes, so that what is said about the name can be said about the value. Pure.
 *
 * Only what is certain: one declaration in the test, before the place where the name stands. Everything else stays a name.
 */
import type { Range } from './source.ts';
import { groupOf } from '../../domain/text-parts.ts';

export interface LocalValue extends Range {
  name: string;
}

/** In the order in which they stand. */
export function localValues(mask: string, body: Range, isPython: boolean): LocalValue[] {
  if (body.end - body.start > LONGEST_BODY) return [];
  const words = mask.slice(body.start, body.end);
  const found: LocalValue[] = [];
  for (const match of [...words.matchAll(isPython ? GIVEN_IN_PYTHON : DECLARED)].slice(0, MOST_VALUES)) {
    const name = groupOf(match, 1);
    const start = body.start + match.index + match[0].length;
    const end = endOf(mask, start, body.end, isPython);
    if (end !== null && end > start && !isGivenAgain(words, name, isPython)) found.push({ name, start, end });
  }
  return found;
}

/** What is longer is looked through for each of its names, and nobody reads it. */
const LONGEST_BODY = 20_000;
const MOST_VALUES = 100;

const DECLARED = /\bconst\s+([A-Za-z_$][\w$]*)\s*(?::[^=;{}()]*)?=(?![=>])\s*/g;
const GIVEN_IN_PYTHON = /(?<=^[ \t]*)([A-Za-z_]\w*)[ \t]*=(?!=)[ \t]*/gm;

function isGivenAgain(words: string, name: string, isPython: boolean): boolean {
  const word = name.replaceAll('$', '\\$');
  const given = isPython
    ? new RegExp(
        `(?<![\\w.])${word}\\s*(?:[-+*/%&|^@]|//|\\*\\*|<<|>>)?=(?!=)|\\b(?:for|as|del|global|nonlocal)\\s+(?:(?!\\bin\\b)[\\w, ()])*?\\b${word}\\b|(?<![\\w.])${word}\\s*:=|,\\s*${word}\\s*=(?!=)`,
        'g',
      )
    : new RegExp(
        `\\b(?:const|let|var|function|class)\\s+${word}(?![\\w$])|\\b(?:const|let|var)\\s*[[{][^=;]*\\b${word}(?![\\w$])[^=;]*[\\]}]\\s*=`,
        'g',
      );
  return [...words.matchAll(given)].length !== 1;
}

/** Where the expression ends; null where more than one thing is declared, or nobody can tell. */
function endOf(mask: string, start: number, most: number, isPython: boolean): number | null {
  let depth = 0;
  for (let at = start; at < most; at += 1) {
    const sign = mask.charAt(at);
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) {
      if (depth === 0) return isPython ? null : at;
      depth -= 1;
    } else if (depth > 0) continue;
    else if (sign === ';') return at;
    else if (sign === ',' || sign === '\\') return null;
    else if (sign === '\n' && (isPython || !goesOn(mask, at))) return at;
  }
  return most;
}

/** Whether a line is continued by what stands at its end or at the beginning of the next. */
function goesOn(mask: string, at: number): boolean {
  return (
    /(?:[=+\-*/%&|^<>?:.,!~]|\b(?:await|new|typeof|void|in|of|instanceof))\s*$/.test(mask.slice(Math.max(0, at - 40), at)) ||
    /^\s*[.?+\-*/%&|^<>=:([]/.test(mask.slice(at, at + 80))
  );
}
