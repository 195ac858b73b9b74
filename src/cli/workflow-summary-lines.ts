/** What a workflow came to, as a person reads it, in the language of the task. Pure. */
import { cleanText } from '../domain/clean-text.ts';
import type { WorkflowSummary } from '../flows/workflow/people/summary.ts';
import { wordsIn, type Words } from '../domain/words.ts';
import { dollars, worked } from '../reading/figures.ts';

export function workflowSummaryLines(summary: WorkflowSummary): string[] {
  const { summary: words } = wordsIn(summary.language).workflow;
  const { status, workflowPhases } = wordsIn(summary.language).common;
  const section = (title: string, entries: readonly string[]): string[] =>
    entries.length === 0 ? [] : [`${title}:`, ...entries.map((entry) => `  ${entry}`)];
  const figures = (sum: Sum): string => `${sum.sessions}, ${worked(sum.seconds)}, ${money(sum, words)}`;
  return [
    words.title({ task: oneLine(summary.task) }),
    `${status.phase}: ${summary.stage === null ? words.ended : `${workflowPhases[summary.stage]}, ${words.round({ round: summary.round })}`}`,
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

type Sum = WorkflowSummary | WorkflowSummary['by_role'][number];

function money({ cost_usd, sessions_without_cost: sessions }: Sum, words: Words['workflow']['summary']): string {
  if (cost_usd === null || (cost_usd === 0 && sessions > 0)) return words.costUnknown;
  return sessions === 0 ? dollars(cost_usd) : words.costPartly({ money: dollars(cost_usd), sessions });
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
