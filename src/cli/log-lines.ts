/** Entries of the logs as lines for people, and which log an option means. */
import { cleanText } from '../domain/clean-text.ts';
import type { JournalFile } from '../journal/files.ts';
import type { JournalEntry } from '../journal/query.ts';
import type { OptionValues } from './command.ts';
import { textOption } from './options.ts';

const VALUE_LIMIT = 200;

export function logFile(options: OptionValues): JournalFile {
  const name = textOption(options, 'in');
  return name === 'decisions' || name === 'actions' || name === 'sessions' ? name : 'events';
}

export function logLines(entries: readonly JournalEntry[]): string {
  return entries.length === 0 ? 'Nothing found.' : entries.map(logLine).join('\n');
}

export function logLine(entry: JournalEntry): string {
  const { ts, type, level: _level, ...fields } = entry;
  const facts = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return [ts, type, ...facts.map(([name, value]) => `${name}=${shown(value)}`)].join(' ');
}

function shown(value: unknown): string {
  const text = cleanText(typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  const short = text.length <= VALUE_LIMIT ? text : `${text.slice(0, VALUE_LIMIT - 1)}…`;
  return typeof value === 'string' && /[\s"=]/.test(short) ? JSON.stringify(short) : short;
}
