/** A summary of a project or of a mission, as a person reads it in the morning. */
import { cleanLine } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import { featureLabel } from '../domain/feature-name.ts';
import type { MissionSummary } from '../flows/mission/people/summary.ts';
import type { Summary } from '../flows/project/look/summary.ts';
import { knownMoney, localTime, worked } from '../reading/figures.ts';

type Told = Pick<Summary['verified'][number], 'feature' | 'description' | 'commit' | 'note'>;

export function summaryLines(summary: Summary): string[] {
  if (summary.sessions === 0) return ['No session ended in this period.', ...nextLines(summary)];
  const { features } = summary;
  return [
    `${cleanLine(summary.project)}: ${features.passing} of ${counted(features.total, 'feature')} pass${features.total === 1 ? 'es' : ''}.`,
    sessionsLine(summary),
    ...section('Verified', summary.verified),
    ...section('Refused', summary.refused),
    ...section('Waiting for you', summary.parked),
    ...section('Answered', summary.answered),
    ...section('Set aside', summary.set_aside),
    ...section('Blocked', summary.blocked),
    ...spent('Spent by feature', summary.by_feature),
    ...spent('Spent by role', summary.by_role),
    ...spent('Spent by agent', summary.by_agent),
    ...nextLines(summary),
  ];
}

export function missionSummaryLines(summary: MissionSummary): string[] {
  const { features } = summary;
  return [
    `Mission ${cleanLine(summary.spec)} (${summary.stage}): ${features.passing} of ${counted(features.total, 'feature')} passed.`,
    ...(summary.sessions === 0 ? ['No session ended in this period.'] : [sessionsLine(summary)]),
    ...section('Passed', summary.verified),
    ...section('Refused', summary.refused),
    ...section('Waiting for you', summary.parked),
    ...section('Still open', summary.open),
    ...section('Set aside', summary.set_aside),
    ...findingLines(summary.findings),
    ...spent('Spent by feature', summary.by_feature),
    ...spent('Spent by role', summary.by_role),
    ...nextLines(summary),
  ];
}

/** What validators found and nothing answers. */
function findingLines(findings: MissionSummary['findings']): string[] {
  if (findings.length === 0) return [];
  return ['', 'Found by validators, not fixed:', ...findings.flatMap(findingText)];
}

export function findingText({ title, text, by, feature, state }: MissionSummary['findings'][number]): string[] {
  const what = `  ${featureLabel(feature)} ${cleanLine(title)} (${by}${state === 'open' ? ', not looked at yet' : ''})`;
  return text === '' ? [what] : [what, `    ${cleanLine(text)}`];
}

function sessionsLine(summary: Summary | MissionSummary): string {
  const commits = summary.commits.length === 0 ? '' : `, ${counted(summary.commits.length, 'commit')}`;
  return `${counted(summary.sessions, 'session')}${span(summary)}, ${worked(summary.seconds)} of work, ${knownMoney(summary)}${commits}.`;
}

function span({ since, until }: Pick<Summary, 'since' | 'until'>): string {
  return since === null || until === null ? '' : ` from ${localTime(Date.parse(since))} to ${localTime(Date.parse(until))}`;
}

function section(title: string, entries: readonly Told[]): string[] {
  if (entries.length === 0) return [];
  return [
    '',
    `${title}:`,
    ...entries.map(({ feature, description, commit, note }) => {
      const why = cleanLine(note);
      const landed = commit === null ? '' : ` (commit ${commit.slice(0, 10)})`;
      return `  ${featureLabel(feature)} ${cleanLine(description)}${landed}${why === '' ? '' : `: ${why}`}`;
    }),
  ];
}

/** One row alone says nothing that the first lines do not. */
function spent(title: string, rows: Summary['by_feature']): string[] {
  if (rows.length < 2) return [];
  return [
    '',
    `${title}:`,
    ...rows.map((row) => `  ${cleanLine(row.what)}: ${counted(row.sessions, 'session')}, ${worked(row.seconds)}, ${knownMoney(row)}`),
  ];
}

function nextLines({ questions, next }: Pick<Summary, 'questions' | 'next'>): string[] {
  const asked = questions.map(({ id, question }) => `  ${id}: ${cleanLine(question)}`);
  return [
    ...(asked.length === 0 ? [] : ['', counted(asked.length, 'question') + (asked.length === 1 ? ' waits:' : ' wait:'), ...asked]),
    '',
    next === null ? 'Nothing is left to do.' : `To go on: ${next}`,
  ];
}
