/** What a workflow came to, as a person reads it, in the language of the task. Pure. */
import { cleanText } from '../domain/clean-text.ts';
import type { WorkflowSummary } from '../flows/workflow/people/summary.ts';
import { wordsIn } from '../domain/words.ts';
import { knownMoney, worked } from './figures.ts';

export function workflowSummaryLines(summary: WorkflowSummary): string[] {
  const { summary: words } = wordsIn(summary.language).workflow;
  const { status, workflowPhases } = wordsIn(summary.language).common;
  const section = (title: string, entries: readonly string[]): string[] =>
    entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `  ${entry}`)];
  return [
    words.title({ task: oneLine(summary.task) }),
    `${status.phase}: ${summary.phase === null ? words.ended : `${workflowPhases[summary.phase]}, ${words.round({ round: summary.round })}`}`,
    `${words.sessions}: ${figures(summary)}`,
    ...section(
      words.refused,
      counted(summary.refused.map(({ step, round, note }) => `${words.round({ round })}, ${step}: ${oneLine(note)}`)),
    ),
    ...section(words.commits, summary.commits),
    ...section(
      words.roles,
      summary.by_role.map((row) => `${row.what}: ${figures(row)}`),
    ),
    ...section(
      words.questions,
      summary.questions.map(({ id, question }) => `${id}: ${oneLine(question)}`),
    ),
    `${words.next}: ${summary.next ?? words.nothing}`,
  ];
}

/** The same line again is told once, with how often it came. */
function counted(entries: readonly string[]): string[] {
  return [...new Set(entries)].map((entry) => {
    const times = entries.filter((other) => other === entry).length;
    return times === 1 ? entry : `${entry} (×${times})`;
  });
}

function figures(sum: WorkflowSummary | WorkflowSummary['by_role'][number]): string {
  return `${sum.sessions}, ${worked(sum.seconds)}, ${knownMoney(sum)}`;
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
