/** Marks and titles in a test file's text. */
import { allGroups } from '../../domain/text-parts.ts';

const UNCONDITIONAL =
  /\b(?:test|it|describe|suite|context|bench)\.(?:skip|todo|only|fails|failing)\b|\b(?:x|f)(?:it|test|describe)\s*\(|\b(?:skip|todo|only)\s*:\s*(?:true|['"`])|\b(?:t|context|ctx)\.(?:skip|todo)\s*\(|@?pytest\.(?:mark\.)?(?:skip|xfail)\b(?!if)|@unittest\.(?:skip\b|expectedFailure)|self\.skipTest\(|__test__\s*=\s*False/g;

/** Marks that take tests out of the count whatever the machine, which the old text did not have. */
export function addedMarks(before: string, after: string): string[] {
  const old = countMarks(before);
  return [...countMarks(after)].filter(([mark, count]) => count > (old.get(mark) ?? 0)).map(([mark]) => mark);
}

function countMarks(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [mark] of withoutComments(text).matchAll(UNCONDITIONAL)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

/** Nothing but comments and blank lines. */
export function holdsNoCode(text: string): boolean {
  return withoutComments(text).trim() === '';
}

/** Titles of the tests in a text, as far as they are literal. */
export function titlesOf(text: string): string[] {
  const titles = allGroups(text, /\b(?:test|it)(?:\.\w+)*\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g, 2);
  return [...titles, ...allGroups(text, /^[ \t]*(?:async[ \t]+)?def (test_\w+)/gm, 1)];
}

function withoutComments(text: string): string {
  return withoutBlockComments(text)
    .replace(/^[^\S\n]*(?:\/\/|#).*$/gm, '')
    .replace(/\s\/\/[^'"`\n]{0,500}$/gm, '');
}

function withoutBlockComments(text: string): string {
  const parts: string[] = [];
  for (let at = 0; ;) {
    const begin = text.indexOf('/*', at);
    const end = begin < 0 ? -1 : text.indexOf('*/', begin + 2);
    if (end < 0) return parts.join('') + text.slice(at);
    parts.push(text.slice(at, begin));
    at = end + 2;
  }
}
