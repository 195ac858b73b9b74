/**
 * The code of a text as a row of tokens, without comments. Pure.
 *
 * 1. A string is one token with its content. What stands for something else (a variable) is a `name`; keywords, members, functions that
 *    are called, literals and signs are `fixed`.
 * 2. Import statements are left out: every file has them.
 */
import { maskSource } from './mask.ts';
import { languageOf } from './source.ts';

export interface Token {
  text: string;
  kind: 'name' | 'fixed';
  at: number;
}

export function tokensOf(path: string, text: string): Token[] {
  const language = languageOf(path);
  const mask = withoutImports(language === null ? withoutComments(text) : maskSource(text, language), text);
  const found: Token[] = [];
  for (let match = TOKEN.exec(mask); match !== null; match = TOKEN.exec(mask)) {
    const word = match[0];
    const isQuote = /^["'`]/.test(word);
    const end = isQuote ? closing(mask, match.index, word) : match.index + word.length;
    if (isQuote) TOKEN.lastIndex = end;
    found.push({ text: text.slice(match.index, end), kind: 'fixed', at: match.index });
  }
  TOKEN.lastIndex = 0;
  return found.map((token, index) => ({ ...token, kind: kindOf(token, found[index - 1], found[index + 1]) }));
}

const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|=>|[=!<>]=+|&&|\|\||\?\?|\.\.\.|["'`]|[^\s\w]/gu;

function closing(mask: string, at: number, quote: string): number {
  const end = mask.indexOf(quote, at + 1);
  return end < 0 ? at + 1 : end + 1;
}

const KEYWORDS = new Set(
  `abstract and as assert async await break case catch class const continue debugger def default del delete do elif else enum except export
  extends false False finally fn for from func function get global go if impl implements import in instanceof interface is lambda let match
  mut new nil None nonlocal not null of or package pass private protected pub public raise readonly return self set static struct super
  switch this throw trait true True try type typeof undefined use var void where while with yield`.split(/\s+/),
);

function kindOf(token: Token, before: Token | undefined, after: Token | undefined): Token['kind'] {
  if (!/^[\p{L}_$]/u.test(token.text) || KEYWORDS.has(token.text)) return 'fixed';
  if (before?.text === '.' || after?.text === '(') return 'fixed';
  return 'name';
}

/** For languages without a mask: comments as most languages write them. */
function withoutComments(text: string): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  return text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/^[^\S\n]*(?:\/\/|#|--)[^\n]*/gm, blank);
}

const IMPORTS =
  /^[^\S\n]*(?:(?:import|export)\b[^;=(]*?\bfrom\s*["'][^"'\n]*["'];?|import\s*["'][^"'\n]*["'];?|from\s+[.\w]+\s+import\s+(?:\([^)]*\)|[^\n]*)|(?:import|use|using|#include)\b[^\n]*)/gm;

function withoutImports(mask: string, text: string): string {
  return mask.length === text.length ? mask.replace(IMPORTS, (part) => part.replace(/[^\n]/g, ' ')) : mask;
}

/** Counted from one. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line += 1;
  return line;
}
