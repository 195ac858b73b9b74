/** A summary as a person reads it in the morning. */
import { cleanText } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import type { Summary } from '../flows/project/look/summary.ts';
import { duration, knownMoney, localTime } from './figures.ts';

export function summaryLines(summary: Summary): string[] {
  if (summary.sessions === 0) return ['No session has ended in this time.', ...nextLines(summary)];
  const { features } = summary;
  return [
    `${summary.project}: ${features.passing} of ${features.total} features pass.`,
    `${counted(summary.sessions, 'session')}${span(summary)}, ${duration(summary.seconds * 1_000)} of work, ${knownMoney(summary)}.`,
    ...section('Verified', summary.verified),
    ...section('Refused', summary.refused),
    ...section('Waiting for you', summary.parked),
    ...section('Set aside', summary.set_aside),
    ...spent('Spent by feature', summary.by_feature),
    ...spent('Spent by role', summary.by_role),
    ...nextLines(summary),
  ];
}

function span({ since, until }: Summary): string {
  return since === null || until === null ? '' : ` from ${localTime(Date.parse(since))} to ${localTime(Date.parse(until))}`;
}

function section(title: string, entries: Summary['verified']): string[] {
  if (entries.length === 0) return [];
  return [
    '',
    `${title}:`,
    ...entries.map(({ feature, description, note }) => {
      const why = cleanText(note).replace(/\s+/g, ' ');
      return `  #${feature} ${cleanText(description).replace(/\s+/g, ' ')}${why === '' ? '' : `: ${why}`}`;
    }),
  ];
}

/** One row alone says nothing that the first lines do not. */
function spent(title: string, rows: Summary['by_feature']): string[] {
  if (rows.length < 2) return [];
  return [
    '',
    `${title}:`,
    ...rows.map((row) => `  ${row.what}: ${counted(row.sessions, 'session')}, ${duration(row.seconds * 1_000)}, ${knownMoney(row)}`),
  ];
}

function nextLines({ questions, next }: Summary): string[] {
  const asked = questions.map(({ id, question }) => `  ${id}: ${cleanText(question).replace(/\s+/g, ' ')}`);
  return [
    ...(asked.length === 0 ? [] : ['', counted(asked.length, 'question') + (asked.length === 1 ? ' waits:' : ' wait:'), ...asked]),
    '',
    next === null ? 'Nothing is left to do.' : `To go on: ${next}`,
  ];
}
