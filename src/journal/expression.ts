/**
 * The language of `harness log query`.
 *
 *     type=session.end and (feature=12 or not outcome=verified) and since=2h
 *
 * 1. A comparison is `field op value`; operators are = != ~ (contains) > < >= <=. Fields may be paths: `gate.id`.
 * 2. `since` and `until` take a duration back from now (30s, 15m, 2h, 7d, 4w) or a time (2026-01-31, 2026-01-31T10:00:00Z).
 * 3. Quoted text alone is found anywhere in an event; a word alone is no condition. `and` binds tighter than `or`; between two terms it may be left out.
 * 4. A field that is not there matches nothing, also not >, <; `!=` is the opposite of `=`.
 */
import { usageError, type HarnessError } from '../domain/errors.ts';
import { itemAt } from '../domain/items.ts';

export type Operator = '=' | '!=' | '~' | '>' | '<' | '>=' | '<=';

export type Expression =
  | { kind: 'compare'; field: string; operator: Operator; value: string }
  | { kind: 'since' | 'until'; time: string }
  | { kind: 'text'; value: string }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'not'; inner: Expression }
  | { kind: 'all' };

/** Throws a HarnessError that names the position when the text is no expression. `now` is in epoch milliseconds. */
export function parseExpression(text: string, now: number): Expression {
  const tokens = tokenise(text);
  if (tokens.length === 1) return { kind: 'all' };
  const reader: Reader = { tokens, index: 0, now, depth: 0 };
  const expression = parseOr(reader);
  const rest = peek(reader);
  if (rest.kind !== 'end')
    throw mistake(rest, rest.text === ')' ? 'this closing parenthesis has no opening one' : 'nothing more was expected here');
  return expression;
}

interface Token {
  kind: 'word' | 'quoted' | 'operator' | 'open' | 'close' | 'end';
  text: string;
  /** From 1 on. */
  position: number;
}

interface Reader {
  tokens: Token[];
  index: number;
  now: number;
  depth: number;
}

const DEEPEST = 100;

function parseOr(reader: Reader): Expression {
  let left = parseAnd(reader);
  while (isWord(peek(reader), 'or')) {
    next(reader);
    left = { kind: 'or', left, right: parseAnd(reader) };
  }
  return left;
}

function parseAnd(reader: Reader): Expression {
  let left = parseTerm(reader);
  for (;;) {
    const token = peek(reader);
    if (isWord(token, 'and')) next(reader);
    else if (token.kind === 'end' || token.kind === 'close' || token.kind === 'operator' || isWord(token, 'or')) return left;
    left = { kind: 'and', left, right: parseTerm(reader) };
  }
}

function parseTerm(reader: Reader): Expression {
  const token = next(reader);
  if (isWord(token, 'not')) return nested(reader, token, () => ({ kind: 'not', inner: parseTerm(reader) }));
  if (token.kind === 'open') {
    return nested(reader, token, () => {
      const inner = parseOr(reader);
      const close = next(reader);
      if (close.kind !== 'close') throw mistake(close, `the parenthesis opened at position ${token.position} is not closed`);
      return inner;
    });
  }
  if (token.kind === 'end') throw mistake(token, 'the expression ends where a condition was expected');
  if (token.kind === 'operator' || token.kind === 'close' || isWord(token, 'and') || isWord(token, 'or'))
    throw mistake(token, `a condition was expected, not "${token.text}"`);
  if (peek(reader).kind !== 'operator') {
    if (token.kind === 'quoted') return { kind: 'text', value: token.text };
    throw mistake(token, `"${token.text}" is no condition: write field=value, or put text to look for in its own quotes`);
  }
  return parseComparison(reader, token);
}

function parseComparison(reader: Reader, field: Token): Expression {
  const operator = next(reader);
  const value = next(reader);
  if (field.kind !== 'word') throw mistake(field, 'a field name is written without quotes');
  if (value.kind !== 'word' && value.kind !== 'quoted') throw mistake(value, `a value was expected after "${operator.text}"`);
  if (field.text !== 'since' && field.text !== 'until')
    return { kind: 'compare', field: field.text, operator: operator.text as Operator, value: value.text };
  if (operator.text !== '=') throw mistake(operator, `"${field.text}" is used with "=" only`);
  return { kind: field.text, time: parseTime(value, reader.now) };
}

function nested(reader: Reader, token: Token, parse: () => Expression): Expression {
  reader.depth += 1;
  if (reader.depth > DEEPEST) throw mistake(token, 'the expression is nested too deeply');
  const expression = parse();
  reader.depth -= 1;
  return expression;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function parseTime(token: Token, now: number): string {
  const duration = /^(\d{1,6})([smhdw])$/.exec(token.text);
  if (duration !== null) return new Date(now - Number(duration[1]) * (UNITS[duration[2] ?? ''] ?? 0)).toISOString();
  const time = /^\d{4}-\d{2}-\d{2}/.test(token.text) ? new Date(token.text) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw mistake(token, `"${token.text}" is neither a duration such as 2h nor a time such as 2026-01-31T10:00:00Z`);
  return time.toISOString();
}

const TOKEN = /\s*(?:(\()|(\))|(!=|>=|<=|=|~|>|<)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s()=~<>!"']+))/sy;

function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (;;) {
    const start = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) {
      const rest = text.slice(start);
      const position = start + (rest.length - rest.trimStart().length) + 1;
      if (rest.trim() === '') return [...tokens, { kind: 'end', text: 'the end', position }];
      throw mistake(
        { kind: 'word', text: rest, position },
        /^\s*["']/.test(rest) ? 'this quote is not closed' : `"${rest.trim()[0]}" is not understood here`,
      );
    }
    const [whole, open, close, operator, double, single, word] = match;
    const position = start + (whole.length - whole.trimStart().length) + 1;
    if (open !== undefined) tokens.push({ kind: 'open', text: open, position });
    else if (close !== undefined) tokens.push({ kind: 'close', text: close, position });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator, position });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, position });
    else tokens.push({ kind: 'quoted', text: (double ?? single ?? '').replace(/\\(.)/gs, '$1'), position });
  }
}

function peek(reader: Reader): Token {
  return itemAt(reader.tokens, reader.index);
}

function next(reader: Reader): Token {
  const token = peek(reader);
  if (token.kind !== 'end') reader.index += 1;
  return token;
}

function isWord(token: Token, word: string): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === word;
}

function mistake(token: Token, what: string): HarnessError {
  return usageError(
    `The query cannot be understood at position ${token.position}: ${what}.`,
    'Example: type=session.end and feature=12 and since=7d',
  );
}
