/**
 * Fields of a line, read off its bytes without parsing it.
 *
 * 1. The answer is the field's value, `undefined` where there is no such field, or UNSURE where only parsing can tell.
 * 2. `"name":` cannot stand inside a JSON string, because its quotes would be escaped there: where it stands, it is a key.
 *    It is a key of the line itself when no brace or bracket opens before it.
 */
import { LINE_START, namesOf } from './line.ts';

export const UNSURE = Symbol('unsure');

export type Glance = (field: string) => unknown;

const WINDOW = 512;
const TS_START = LINE_START.length;
const TYPE_KEY = '","type":"';
const TS_END = TS_START + 24;
const TYPE_START = TS_END + TYPE_KEY.length;

/** `null` when the line does not begin as the journal writes it. */
export function glanceAt(chunk: Buffer, start: number, end: number): Glance | null {
  const head = chunk.toString('latin1', start, Math.min(end, start + WINDOW));
  if (!head.startsWith(LINE_START) || !head.startsWith(TYPE_KEY, TS_END)) return null;
  const whole = end - start <= WINDOW;
  return (field) => {
    if (field === 'ts') return head.slice(TS_START, TS_END);
    if (field === 'type') return head.slice(TYPE_START, head.indexOf('"', TYPE_START));
    if (!/^[\w-]+$/.test(field)) return UNSURE;
    for (const name of namesOf(field)) {
      const key = `"${name}":`;
      const found = head.indexOf(key, TYPE_START);
      if (found >= 0) return opensBefore(head, found) ? UNSURE : scalarAt(head, found + key.length, whole);
      if (!whole) return UNSURE;
    }
    return undefined;
  };
}

function opensBefore(head: string, position: number): boolean {
  for (let index = TYPE_START; index < position; index += 1) {
    const code = head.charCodeAt(index);
    if (code === 0x7b || code === 0x5b) return true;
  }
  return false;
}

function scalarAt(head: string, start: number, whole: boolean): unknown {
  if (head[start] === '"') {
    const close = head.indexOf('"', start + 1);
    const text = head.slice(start + 1, close);
    return close < 0 || /[\\\x80-\xff]/.test(text) ? UNSURE : text;
  }
  if (head[start] === '{' || head[start] === '[') return UNSURE;
  const comma = head.indexOf(',', start);
  if (comma < 0 && !whole) return UNSURE;
  const text = comma < 0 ? head.slice(start, -1) : head.slice(start, comma);
  return literalOf(text.endsWith('}') ? text.slice(0, -1) : text);
}

function literalOf(text: string): unknown {
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? UNSURE : number;
}
