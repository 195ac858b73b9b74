/**
 * New code that is there already: a clone detector over the tokens of a project. Pure.
 *
 * 1. A function counts as a copy where its body is found elsewhere, whatever its variables are called: a long one anywhere, one of middle
 *    length as a whole body, a short one under its own name only. Methods of different classes may share their names.
 * 2. Other code counts where a long row of tokens is found elsewhere as it stands.
 * 3. Only code that the change brought is asked about, and only what stands in the project after the change counts: moved code is no copy.
 */
import type { SourceReading } from './source.ts';
import { lineAt, tokensOf, type Token } from './tokens.ts';

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

export interface Clone {
  /** `path:line` of the new code, and of what it repeats. */
  at: string;
  of: string;
  what: string;
}

/** Tokens of a function's body from which on it counts under any name, as a whole body, and under its own name. */
const ANY_NAME = 20;
const WHOLE = 12;
const OWN_NAME = 3;
const OWN_NAME_OF_METHOD = 6;
/** Tokens of a row. */
const ROW = 45;
const MOST_CLONES = 20;

export function findClones(changed: readonly NewCode[], project: readonly CodeFile[]): Clone[] {
  const files = project.map((file) => ({ ...file, tokens: tokensOf(file.path, file.text) }));
  const found: Clone[] = [];
  for (const code of changed) {
    const own = functionClones(code, files);
    found.push(...own, ...(own.length === 0 ? rowClones(code, files) : []));
    if (found.length >= MOST_CLONES) break;
  }
  return found.slice(0, MOST_CLONES);
}

interface TokenFile extends CodeFile {
  tokens: Token[];
}

function functionClones(code: NewCode, files: readonly TokenFile[]): Clone[] {
  const before = code.before === null ? [] : tokensOf(code.path, code.before);
  const all = tokensOf(code.path, code.text);
  const clones: Clone[] = [];
  for (const { name, body } of code.reading?.functions ?? []) {
    const pattern = trimmed(all.filter((token) => token.at >= body.start && token.at < body.end));
    const short = name.split('.').at(-1) ?? name;
    if (pattern.length < (name.includes('.') ? OWN_NAME_OF_METHOD : OWN_NAME) || findIn(pattern, before, isAnywhere).length > 0) continue;
    if (clones.some((clone) => clone.at === `${code.path}:${lineAt(code.text, pattern[0]!.at)}`)) continue;
    const other = firstCopy(code.path, pattern, files, placeFor(pattern.length, short));
    if (other !== null)
      clones.push({ at: `${code.path}:${lineAt(code.text, pattern[0]!.at)}`, of: other, what: `${short}, ${pattern.length} tokens` });
  }
  return clones;
}

/** Without the braces around it. */
function trimmed(tokens: Token[]): Token[] {
  return tokens[0]?.text === '{' && tokens.at(-1)?.text === '}' ? tokens.slice(1, -1) : tokens;
}

/** Whether a row of tokens at a place counts. */
type IsCopy = (tokens: readonly Token[], start: number, length: number) => boolean;

const isAnywhere: IsCopy = () => true;

function placeFor(length: number, name: string): IsCopy {
  if (length >= ANY_NAME) return isAnywhere;
  const isNamed: IsCopy = (tokens, start) => tokens.slice(Math.max(0, start - 15), start).some((token) => token.text === name);
  return length < WHOLE ? isNamed : (tokens, start, size) => isNamed(tokens, start, size) || isWholeBody(tokens, start, size);
}

const isWholeBody: IsCopy = (tokens, start, length) =>
  ['{', '=>'].includes(tokens[start - 1]?.text ?? '') && ['}', ';'].includes(tokens[start + length]?.text ?? '}');

function firstCopy(path: string, pattern: readonly Token[], files: readonly TokenFile[], isCopy: IsCopy): string | null {
  for (const file of files)
    for (const start of findIn(pattern, file.tokens, isCopy)) {
      const at = file.tokens[start]!.at;
      if (file.path !== path || at !== pattern[0]!.at) return `${file.path}:${lineAt(file.text, at)}`;
    }
  return null;
}

/** Where the pattern begins in the tokens. */
function findIn(pattern: readonly Token[], tokens: readonly Token[], isCopy: IsCopy): number[] {
  const found: number[] = [];
  for (let start = 0; start + pattern.length <= tokens.length; start += 1) {
    if (matchesAt(pattern, tokens, start) && isCopy(tokens, start, pattern.length)) found.push(start);
  }
  return found;
}

/** The same tokens with names exchanged one for one. */
function matchesAt(pattern: readonly Token[], tokens: readonly Token[], start: number): boolean {
  const there = new Map<string, string>();
  const back = new Map<string, string>();
  for (const [index, wanted] of pattern.entries()) {
    const token = tokens[start + index]!;
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

function rowClones(code: NewCode, files: readonly TokenFile[]): Clone[] {
  const own = tokensOf(code.path, code.text);
  const old = new Set(rowsOf(code.before === null ? [] : tokensOf(code.path, code.before)));
  const fresh = new Map<number, number>();
  for (const [index, hash] of rowsOf(own).entries()) if (!old.has(hash)) fresh.set(hash, index);
  if (fresh.size === 0) return [];
  for (const file of files)
    for (const [index, hash] of rowsOf(file.tokens).entries()) {
      const at = fresh.get(hash);
      if (at === undefined || (file.path === code.path && Math.abs(index - at) < ROW) || !isSameRow(own, at, file.tokens, index)) continue;
      const of = `${file.path}:${lineAt(file.text, file.tokens[index]!.at)}`;
      return [{ at: `${code.path}:${lineAt(code.text, own[at]!.at)}`, of, what: `${ROW} tokens or more in a row` }];
    }
  return [];
}

function isSameRow(one: readonly Token[], at: number, other: readonly Token[], index: number): boolean {
  for (let next = 0; next < ROW; next += 1) if (one[at + next]!.text !== other[index + next]!.text) return false;
  return true;
}

/** A hash of the row that begins at each token, rolled from one to the next. */
function rowsOf(tokens: readonly Token[]): number[] {
  const words = tokens.map((token) => hashOf(token.text));
  const rows: number[] = [];
  let hash = 0;
  for (const [index, word] of words.entries()) {
    hash = (Math.imul(hash, BASE) + word) | 0;
    if (index >= ROW) hash = (hash - Math.imul(words[index - ROW]!, TOP)) | 0;
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
