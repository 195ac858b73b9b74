/** What happened since a person left, in at most ten lines, and the one thing to do next. Pure. */
import { counted } from '../domain/counted.ts';
import { featureLabel } from '../domain/feature-name.ts';
import type { Gate } from '../domain/gate.ts';
import type { MissionSummary } from '../flows/mission/people/summary.ts';
import type { Summary } from '../flows/project/look/summary.ts';
import type { WorkflowSummary } from '../flows/workflow/people/summary.ts';
import { knownMoney, worked } from './figures.ts';
import { shortLine } from './step.ts';
import type { NightLine, NightView } from './views.ts';

interface Parts {
  project: Summary | null;
  mission: MissionSummary | null;
  workflow: WorkflowSummary | null;
}

const MOST_LINES = 10;

export function nightLines({ project, mission, workflow }: Parts): NightLine[] {
  const main = project ?? mission;
  const lines: NightLine[] = [];
  if (main !== null && main.sessions > 0) {
    lines.push({
      kind: 'info',
      text: `${counted(main.sessions, 'session')} in ${worked(main.seconds)} of work; ${main.features.passing} of ${counted(main.features.total, 'feature')} now pass.`,
      view: 'features',
    });
    lines.push({ kind: 'money', text: `${sentence(knownMoney(main))} spent.`, view: 'money' });
  }
  for (const part of [project, mission]) {
    if (part === null) continue;
    const told: [NightLine['kind'], readonly Told[]][] = [
      ['waits', part.parked],
      ['refused', part.refused],
      ['done', part.verified],
      ['answered', 'answered' in part ? part.answered : []],
      ['aside', part.set_aside],
    ];
    for (const [kind, entries] of told) lines.push(...toldLines(kind, entries));
  }
  if (workflow !== null && 'task' in workflow)
    lines.push({ kind: 'info', text: shortLine(`Workflow: ${String(workflow.task)}`), view: null });
  return lines.slice(0, MOST_LINES);
}

type Told = { feature: number | string; description: string; note: string; session?: number | null };

/** Three at most by name; the rest is counted. */
function toldLines(kind: NightLine['kind'], entries: readonly Told[]): NightLine[] {
  const named = entries.length > 3 ? entries.slice(0, 2) : entries;
  const lines = named.map((one): NightLine => ({
    kind,
    text: shortLine(`${featureLabel(one.feature)} ${one.description}${one.note === '' || kind === 'done' ? '' : `: ${one.note}`}`, 200),
    view: kind === 'waits' ? 'questions' : one.session === null || one.session === undefined ? 'features' : `session/${one.session}`,
  }));
  const names = entries.slice(named.length).map(({ feature }) => featureLabel(feature));
  if (names.length === 0) return lines;
  return [
    ...lines,
    { kind, text: `${names.length} more: ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}`, view: 'features' },
  ];
}

export function nightNext({ project, mission }: Parts, questions: readonly Gate[]): NightView['next'] {
  const [first] = questions;
  const command = project?.next ?? mission?.next ?? null;
  if (first !== undefined)
    return {
      command: 'harness gates',
      text:
        questions.length === 1
          ? `Answer the question that waits: ${shortLine(first.question, 160)}`
          : `Answer the ${questions.length} questions that wait.`,
      view: 'questions',
    };
  if (command === null) return { command: null, text: 'Nothing is left to do.', view: 'features' };
  return { command, text: `Go on with: ${command}`, view: 'now' };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
