/** Code that stands elsewhere token by token: long bodies of functions with their names exchanged, and long rows as they are. Pure. */
import type { FunctionShape } from './function-shape.ts';
import type { SourceReading } from './source.ts';
import { lineAt, tokensOf, type Token } from './tokens.ts';
import { firstItem, itemAt } from '../../domain/items.ts';

export interface CodeFile {
  path: string;
  text: string;
}

export interface NewCode extends CodeFile {
  /** What stood in the file before; null: the file is new. */
  before: string | null;
  /** Null where no parser reads it: then only rows of tokens are compared. */
  reading: SourceReading | null;
}

export interface ReadCode extends NewCode {
  shapes: readonly FunctionShape[];
  shapesBefore: readonly FunctionShape[];
  /** Those that the change brought, and that are worth asking about. */
  asked: readonly FunctionShape[];
}

export interface Clone {
  /** `path:line` of the new code, and of what it repeats. */
  at: string;
  of: string;
  what: string;
}

/** Tokens of a function's body from which on it counts anywhere. */
const LONG_BODY = 20;
/** Tokens of a row. */
const ROW = 45;

export interface TokenFile extends CodeFile {
  tokens: Token[];
}

export function bodyClones(code: ReadCode, files: readonly TokenFile[], known: readonly FunctionShape[]): Clone[] {
  const before = code.before === null ? [] : tokensOf(code.path, code.before);
  const all = newTokens(code);
  const clones: Clone[] = [];
  for (const { name, start, body } of code.reading?.functions ?? []) {
    const pattern = trimmed(all.filter((token) => token.at >= body.start && token.at < body.end));
    const isNamed = code.shapes.some((shape) => shape.start === start);
    if (pattern.length < (isNamed ? LONG_BODY : ROW) || !isMostlyNew(pattern)) continue;
    if (known.some((shape) => shape.start <= body.start && shape.end >= body.end)) continue;
    const at = `${code.path}:${lineAt(code.text, firstItem(pattern).at)}`;
    if (clones.some((clone) => clone.at === at) || findIn(pattern, before).length > 0) continue;
    const other = firstCopy(code.path, pattern, files);
    if (other !== null) clones.push({ at, of: other, what: `${name.split('.').at(-1) ?? name}, ${pattern.length} tokens` });
  }
  return clones;
}

type NewToken = Token & { isNew: boolean };

/**
 * Tokens on lines that stood in the file before are not new; of lines alike, as many as there were. What a function is handed is said again
 * wherever it is overloaded or handed on: parameters and their types do not count.
 */
function newTokens({ path, text, before, reading }: NewCode): NewToken[] {
  const left = new Map<string, number>();
  for (const line of (before ?? '').split('\n')) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  const isNewLine = text.split('\n').map((line) => {
    const known = left.get(line.trim()) ?? 0;
    left.set(line.trim(), known - 1);
    return known <= 0;
  });
  let [line, at] = [0, text.indexOf('\n')];
  return tokensOf(path, text).map((token) => {
    while (at >= 0 && at < token.at) [line, at] = [line + 1, text.indexOf('\n', at + 1)];
    const isSignature = reading?.functions.some(({ start, body }) => token.at >= start && token.at < body.start) === true;
    return { ...token, isNew: itemAt(isNewLine, line) && !isSignature };
  });
}

/** A word that was changed in code that was double already brought no copy. */
function isMostlyNew(tokens: readonly NewToken[]): boolean {
  return tokens.filter((token) => token.isNew).length * 2 >= tokens.length;
}

/** Without the braces around it. */
function trimmed(tokens: NewToken[]): NewToken[] {
  return tokens[0]?.text === '{' && tokens.at(-1)?.text === '}' ? tokens.slice(1, -1) : tokens;
}

function firstCopy(path: string, pattern: readonly Token[], files: readonly TokenFile[]): string | null {
  for (const file of files)
    for (const start of findIn(pattern, file.tokens)) {
      const at = itemAt(file.tokens, start).at;
      if (file.path !== path || at !== firstItem(pattern).at) return `${file.path}:${lineAt(file.text, at)}`;
    }
  return null;
}

/** Where the pattern begins in the tokens. */
function findIn(pattern: readonly Token[], tokens: readonly Token[]): number[] {
  const found: number[] = [];
  for (let start = 0; start + pattern.length <= tokens.length; start += 1) if (matchesAt(pattern, tokens, start)) found.push(start);
  return found;
}

/** The same tokens with names exchanged one for one. */
function matchesAt(pattern: readonly Token[], tokens: readonly Token[], start: number): boolean {
  const there = new Map<string, string>();
  const back = new Map<string, string>();
  for (const [index, wanted] of pattern.entries()) {
    const token = itemAt(tokens, start + index);
    if (token.kind !== wanted.kind) return false;
    if (wanted.kind === 'fixed') {
      if (token.text !== wanted.text) return false;
      continue;
    }
    if ((there.get(wanted.text) ?? token.text) !== token.text || (back.get(token.text) ?? wanted.text) !== wanted.text) return false;
    there.set(wanted.text, token.text);
    back.set(token.text, wanted.text);
  }
  return true;
}

export function rowClones(code: NewCode, files: readonly TokenFile[]): Clone[] {
  const own = newTokens(code);
  const old = new Set(rowsOf(code.before === null ? [] : tokensOf(code.path, code.before)));
  const fresh = new Map<number, number>();
  for (const [index, hash] of rowsOf(own).entries())
    if (!old.has(hash) && isMostlyNew(own.slice(index, index + ROW))) fresh.set(hash, index);
  if (fresh.size === 0) return [];
  for (const file of files)
    for (const [index, hash] of rowsOf(file.tokens).entries()) {
      const at = fresh.get(hash);
      if (at === undefined || (file.path === code.path && Math.abs(index - at) < ROW) || !isSameRow(own, at, file.tokens, index)) continue;
      const of = `${file.path}:${lineAt(file.text, itemAt(file.tokens, index).at)}`;
      return [{ at: `${code.path}:${lineAt(code.text, itemAt(own, at).at)}`, of, what: `${ROW} tokens or more in a row` }];
    }
  return [];
}

function isSameRow(one: readonly Token[], at: number, other: readonly Token[], index: number): boolean {
  for (let next = 0; next < ROW; next += 1) if (itemAt(one, at + next).text !== itemAt(other, index + next).text) return false;
  return true;
}

/** A hash of the row that begins at each token, rolled from one to the next. */
function rowsOf(tokens: readonly Token[]): number[] {
  const words = tokens.map((token) => hashOf(token.text));
  const rows: number[] = [];
  let hash = 0;
  for (const [index, word] of words.entries()) {
    hash = (Math.imul(hash, BASE) + word) | 0;
    if (index >= ROW) hash = (hash - Math.imul(itemAt(words, index - ROW), TOP)) | 0;
    if (index >= ROW - 1) rows.push(hash);
  }
  return rows;
}

const BASE = 1_000_003;
const TOP = Array.from({ length: ROW }).reduce<number>((power) => Math.imul(power, BASE), 1);

function hashOf(text: string): number {
  let hash = 17;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
