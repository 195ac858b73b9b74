/**
 * Source text with everything blanked that is no code: the inside of strings, templates and patterns, and comments.
 *
 * 1. Offsets are kept: position n of the mask is position n of the text. Quotes and line ends stay.
 * 2. It is no parser. A string that does not end on its line is taken for a plain character, so that a slip stays small.
 */

import type { Language } from './source.ts';

export function maskSource(text: string, language: Language): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const end = language === 'python' ? skipPython(text, at) : skipLiteral(text, at);
    if (end <= at) continue;
    const edge = edgeOf(text, at, language);
    parts.push(
      text.slice(kept, at + edge),
      blank(text.slice(at + edge, Math.max(at + edge, end - edge))),
      text.slice(Math.max(at + edge, end - edge), end),
    );
    kept = end;
    at = end - 1;
  }
  return parts.join('') + text.slice(kept);
}

/** How many characters of a literal's delimiters are kept on each side; a comment keeps none. */
function edgeOf(text: string, at: number, language: Language): number {
  if (text[at] === '#' || (language === 'javascript' && /^\/[/*]/.test(text.slice(at, at + 2)))) return 0;
  return language === 'python' && isTriple(text, at) ? 3 : 1;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

/** End of the string, template, comment or pattern that begins at `at`; `at` itself when none does. */
export function skipLiteral(text: string, at: number): number {
  const char = text[at]!;
  if (text.startsWith('//', at)) return indexOrEnd(text, '\n', at);
  if (text.startsWith('/*', at)) return Math.min(text.length, indexOrEnd(text, '*/', at + 2) + 2);
  if (char === '"' || char === "'") return endOfQuoted(text, at, char);
  if (char === '`') return endOfTemplate(text, at);
  if (char === '#') return at === 0 && text.startsWith('#!') ? indexOrEnd(text, '\n', at) : at;
  if (char !== '/' || !beginsPattern(text, at)) return at;
  const end = /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//.exec(text.slice(at, indexOrEnd(text, '\n', at)));
  return end === null ? at : at + end[0].length;
}

const SPACE_AND_COMMENTS = /(?:\s|\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/[^\n]*\n)+$/;
const BEFORE_PATTERN = /(?<![.\w$])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|instanceof)$/;

/** Whether the slash at `at` begins a pattern; else it divides, or belongs to a tag. */
function beginsPattern(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 400), at).replace(SPACE_AND_COMMENTS, '');
  const last = before.at(-1) ?? '';
  if (/[\w$]/.test(last)) return BEFORE_PATTERN.test(before);
  if (last === ')') return /(?<![.\w$])(?:if|while|for|with)\s*$/.test(before.slice(0, openingOf(before)));
  if (/^<\/[\w.:-]*\s*>/.test(text.slice(at - 1, at + 100)) || (text.startsWith('/>', at) && /["'`}]/.test(last))) return false;
  if (last === '.') return before.endsWith('...');
  return !/[\]"'`]$|\+\+$|--$/.test(before);
}

/** Where the bracket opens that the text ends with. */
function openingOf(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === ')') depth += 1;
    else if (text[at] === '(' && (depth -= 1) === 0) return at;
  }
  return 0;
}

function skipPython(text: string, at: number): number {
  const char = text[at]!;
  if (char === '#') return indexOrEnd(text, '\n', at);
  if (char !== '"' && char !== "'") return at;
  if (!isTriple(text, at)) return endOfQuoted(text, at, char);
  for (let end = at + 3; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text.startsWith(char.repeat(3), end)) return end + 3;
  }
  return text.length;
}

function isTriple(text: string, at: number): boolean {
  return text.startsWith('"""', at) || text.startsWith("'''", at);
}

function endOfQuoted(text: string, at: number, quote: string): number {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === quote) return end + 1;
    else if (text[end] === '\n') return at;
  }
  return at;
}

/** Expressions inside a template may hold templates of their own. */
function endOfTemplate(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === '`') return end + 1;
    else if (text.startsWith('${', end)) end = endOfExpression(text, end + 2) - 1;
  }
  return at;
}

function endOfExpression(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    const end = skipLiteral(text, at);
    if (end > at) at = end - 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

/** Whether a position of a mask lies outside of all brackets. */
export function depthAt(mask: string, position: number): number {
  let depth = 0;
  for (let at = 0; at < position; at += 1) {
    const char = mask[at]!;
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
  }
  return depth;
}
