/**
 * One line of the journal.
 *
 * 1. It begins with `{"ts":"<24 characters>","type":"`, so that a scan can read both without parsing.
 * 2. Text inside is clean of control sequences, and a very long one is cut with a note.
 */
import { cleanText } from '../domain/clean-text.ts';

export const LINE_START = '{"ts":"';

const LONGEST_TEXT = 16_384;
const LONGEST_LINE = 65_536;

/** JSON escapes of control characters, and what needs cleaning but no escape. */
const SUSPECT =
  /\\u00[01]|\\[rbf]|\\ud[89a-f]|[\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]|\udb40/;

export function journalLine(ts: string, type: string, fields: object): string {
  const value: object = Object.assign({ ts, type }, fields, { ts, type });
  const line = JSON.stringify(value);
  return SUSPECT.test(line) || line.length > LONGEST_LINE ? JSON.stringify(cleanValue(value)) : line;
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return clip(cleanText(value));
  if (Array.isArray(value)) return value.map(cleanValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clip(cleanText(key)), cleanValue(inner)]));
}

function clip(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)} [... ${text.length - LONGEST_TEXT} characters cut]`;
}

/** A line of the journal as it is read: two fields are always there. */
export interface JournalEntry {
  ts: string;
  type: string;
  [field: string]: unknown;
}

/** Under which names a field of a query is looked for: session records say `session_id` and `feature_id`. */
export function namesOf(field: string): readonly string[] {
  return ALIASES[field] ?? [field];
}

const ALIASES: Readonly<Record<string, readonly string[] | undefined>> = Object.assign(Object.create(null), {
  session: ['session', 'session_id'],
  feature: ['feature', 'feature_id'],
});
