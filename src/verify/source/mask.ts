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

/** The text with its comments blanked and everything else as it is; offsets are kept. */
export function withoutComments(text: string, language: Language): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < text.length; at += 1) {
    const end = language === 'python' ? skipPython(text, at) : skipLiteral(text, at);
    if (end <= at) continue;
    if (edgeOf(text, at, language) === 0) {
      parts.push(text.slice(kept, at), blank(text.slice(at, end)));
      kept = end;
    }
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
  const char = text.charAt(at);
  if (text.startsWith('//', at)) return indexOrEnd(text, '\n', at);
  if (text.startsWith('/*', at)) return Math.min(text.length, indexOrEnd(text, '*/', at + 2) + 2);
  if (char === '"' || char === "'") return endOfQuoted(text, at, char);
  if (char === '`') return endOfTemplate(text, at);
  if (char === '#') return at === 0 && text.startsWith('#!') ? indexOrEnd(text, '\n', at) : at;
  if (char !== '/' || !beginsPattern(text, at)) return at;
  return endOfPattern(text, at);
}

function endOfPattern(text: string, at: number): number {
  if (isHopeless(text, at, '/')) return at;
  let isInClass = false;
  let end = at + 1;
  for (; end < text.length && text[end] !== '\n'; end += 1) {
    const char = text.charAt(end);
    if (char === '\\' && text[end + 1] !== '\n') end += 1;
    else if (char === '/' && !isInClass) return end === at + 1 ? at : end + 1;
    else if (char === '[' || char === ']') isInClass = char === '[';
  }
  return giveUp(text, at, '/', Math.min(end, text.length));
}

const BEFORE_PATTERN = /(?<![.\w$])(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|instanceof)$/;

/** Whether the slash at `at` begins a pattern; else it divides, or belongs to a tag. */
function beginsPattern(text: string, at: number): boolean {
  const before = withoutEnd(text.slice(Math.max(0, at - 400), at));
  const last = before.at(-1) ?? '';
  if (/[\w$]/.test(last)) return BEFORE_PATTERN.test(before);
  if (last === ')') return /(?<![.\w$])(?:if|while|for|with)\s*$/.test(before.slice(0, openingOf(before)));
  if (/^<\/[\w.:-]*\s*>/.test(text.slice(at - 1, at + 100)) || (text.startsWith('/>', at) && /["'`}]/.test(last))) return false;
  if (last === '.') return before.endsWith('...');
  return !/[\]"'`]$|\+\+$|--$/.test(before);
}

/** Without the space and the comments that it ends with. */
function withoutEnd(text: string): string {
  let rest = text;
  for (;;) {
    const plain = rest.trimEnd();
    const isOwnLine = rest.slice(plain.length).includes('\n');
    const begin = plain.endsWith('*/')
      ? plain.lastIndexOf('/*', plain.length - 4)
      : isOwnLine
        ? plain.indexOf('//', plain.lastIndexOf('\n') + 1)
        : -1;
    if (begin < 0) return plain;
    rest = plain.slice(0, begin);
  }
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
  const char = text.charAt(at);
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

/** Where a search for the end of a literal came to nothing: those that begin before that place are not searched for again. */
const hopeless = new Map<string, { text: string; until: number }>();

function isHopeless(text: string, at: number, quote: string): boolean {
  const last = hopeless.get(quote);
  return last !== undefined && at < last.until && text === last.text;
}

function giveUp(text: string, at: number, quote: string, until: number): number {
  hopeless.set(quote, { text, until });
  return at;
}

function endOfQuoted(text: string, at: number, quote: string): number {
  if (isHopeless(text, at, quote)) return at;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\') end += 1;
    else if (text[end] === quote) return end + 1;
    else if (text[end] === '\n') return giveUp(text, at, quote, end);
  }
  return giveUp(text, at, quote, text.length);
}

const IN_TEMPLATE = -1;

/** Expressions inside a template may hold templates of their own: `open` is what has not ended yet, braces counted in expressions. */
function endOfTemplate(text: string, at: number): number {
  if (isHopeless(text, at, '`')) return at;
  const open = [IN_TEMPLATE];
  for (let end = at + 1; end < text.length;) {
    const char = text.charAt(end);
    const depth = open.at(-1);
    if (depth === undefined) break;
    if (depth === IN_TEMPLATE) {
      if (char === '`') open.pop();
      else if (text.startsWith('${', end)) open.push(0);
      end += char === '\\' || text.startsWith('${', end) ? 2 : 1;
      if (open.length === 0) return end;
      continue;
    }
    const skipped = char === '`' ? end : skipLiteral(text, end);
    if (char === '`') open.push(IN_TEMPLATE);
    else if (skipped === end && char === '{') open.splice(-1, 1, depth + 1);
    else if (skipped === end && char === '}') {
      open.pop();
      if (depth > 0) open.push(depth - 1);
    }
    end = Math.max(skipped, end + 1);
  }
  return giveUp(text, at, '`', text.length);
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}

/** How many brackets are open at a position of a mask. It is asked about positions in their order. */
export function depthsOf(mask: string): (position: number) => number {
  let [at, depth] = [0, 0];
  return (position) => {
    if (position < at) [at, depth] = [0, 0];
    for (; at < position; at += 1) {
      const char = mask.charAt(at);
      if ('([{'.includes(char)) depth += 1;
      else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
    }
    return depth;
  };
}
