/** `.harness/escalation.md`: why a person is needed, the facts, and each way on with the exact command. Written anew each time; gone when its reason is. */
import { cleanText } from '../domain/clean-text.ts';
import type { Gate } from '../domain/gate.ts';
import { isoNow, type Clock } from '../platform/platform.ts';
import type { Shelf } from '../store/shelf.ts';
import { waitingGates } from './gate-files.ts';
import { PROJECT_GATES, projectGate, WORDS_MEAN, type ProjectGateFacts, type ProjectGateId, type ProjectGateRow } from './project-gates.ts';
import { beforeFirst } from '../domain/text-parts.ts';

export interface Escalation<Id extends ProjectGateId = ProjectGateId> {
  trigger: Id;
  facts: ProjectGateFacts[Id];
  /** What was found: messages, failing tests, paths. Data, possibly from an agent. */
  findings: readonly string[];
  /** Whether the question itself waits under `harness gates`. */
  asked: boolean;
}

export interface EscalationOption {
  label: string;
  description: string;
  commands: string[];
}

const FILE = 'escalation.md';

/** Writes the page, and says where a person finds it. */
export async function writeEscalation<Id extends ProjectGateId>(clock: Clock, shelf: Shelf, escalation: Escalation<Id>): Promise<string> {
  await shelf.write(FILE, renderEscalation(escalation, isoNow(clock)));
  return shelf.where(FILE);
}

/** Which question the page is about; null where there is none, or one that says nothing of it. */
export async function escalationTrigger(shelf: Shelf): Promise<string | null> {
  const text = await shelf.read(FILE);
  return text === null ? null : (/^([a-z]+\.[a-z0-9-]+(?::[a-z0-9-]+)?), \d{4}-/m.exec(text)?.[1] ?? null);
}

/** Removes the page when it is about one of these. */
export async function removeEscalation(shelf: Shelf, triggers: readonly string[]): Promise<void> {
  const trigger = await escalationTrigger(shelf);
  if (trigger !== null && triggers.includes(trigger)) await shelf.remove(FILE);
}

export function renderEscalation<Id extends ProjectGateId>(escalation: Escalation<Id>, at: string): string {
  const row: ProjectGateRow<ProjectGateFacts[Id]> = PROJECT_GATES[escalation.trigger];
  return [
    `# ${row.header}`,
    '',
    `${answerId(escalation)}, ${at}`,
    '',
    '## Why',
    '',
    cleanText(row.question(escalation.facts)).replaceAll('\n', '\n  '),
    '',
    ...(escalation.findings.length === 0 ? [] : ['## Facts', '', ...escalation.findings.map(listItem), '']),
    '## Options',
    '',
    ...escalationOptions(escalation).flatMap((option) => [
      `- **${option.label}**: ${option.description}`,
      ...option.commands.map((command) => `  - \`${command}\``),
    ]),
    ...ownWords(escalation),
    '',
  ].join('\n');
}

function answerId<Id extends ProjectGateId>({ trigger, facts }: Escalation<Id>): string {
  return projectGate(trigger, facts).id;
}

/** Words of a person's own, where the question makes something of them. */
function ownWords<Id extends ProjectGateId>(escalation: Escalation<Id>): string[] {
  const { words }: ProjectGateRow<ProjectGateFacts[Id]> = PROJECT_GATES[escalation.trigger];
  if (words === undefined || !escalation.asked) return [];
  return [`- **In your own words**: ${WORDS_MEAN[words]}`, `  - \`harness answer ${answerId(escalation)} --text "<what to do>"\``];
}

/** Each option with what to type for it: the answer where the question waits, and the command that does the same. */
export function escalationOptions<Id extends ProjectGateId>(escalation: Escalation<Id>): EscalationOption[] {
  const row: ProjectGateRow<ProjectGateFacts[Id]> = PROJECT_GATES[escalation.trigger];
  return row.options.map((option) => ({
    label: option.label,
    description: option.description,
    commands: [
      ...(escalation.asked ? [`harness answer ${answerId(escalation)} "${option.label}"`] : []),
      ...(option.command === null ? [] : [option.command(escalation.facts)]),
    ],
  }));
}

function listItem(finding: string): string {
  return `- ${cleanText(finding).trim().replaceAll('`', "'").replaceAll('\n', '\n  ')}`;
}

const OPEN = '## All open questions';

/**
 * Called when a command ends that may have asked. `isWaiting`: it ended with a question, so there is a page. The page of a flow's question goes
 * once nothing of its kind waits; the project's own pages are the project's to remove.
 */
export async function listOpenQuestions({ clock, shelf }: { clock: Clock; shelf: Shelf }, isWaiting: boolean): Promise<void> {
  const gates = shelf.in('gates');
  const text = await shelf.read(FILE);
  if (text === null && !isWaiting) return;
  const waiting = await waitingGates(gates);
  const trigger = await escalationTrigger(shelf);
  const isOver = trigger !== null && /^(?:workflow|spec)\.(?!halted$)/.test(trigger) && !waiting.some(({ id }) => id === trigger);
  const page = text === null || isOver ? pageOf(waiting[0] ?? null, isoNow(clock)) : beforeFirst(text, `\n${OPEN}`).trimEnd();
  const next =
    page === null ? null : [page, ...(waiting.length === 0 ? [] : ['', OPEN, '', ...waiting.flatMap(openQuestion)]), ''].join('\n');
  if (next === null && text !== null) await shelf.remove(FILE);
  if (next !== null && next !== text) await shelf.write(FILE, next);
}

/** A question that is not the project's, as a page; null: there is none. */
function pageOf(gate: Gate | null, at: string): string | null {
  if (gate === null) return null;
  return [
    `# ${gate.header}`,
    '',
    `${gate.id}, ${at}`,
    '',
    '## Why',
    '',
    cleanText(gate.question).replaceAll('\n', '\n  '),
    '',
    ...(gate.context.length === 0 ? [] : ['## Facts', '', ...gate.context.map(listItem), '']),
    '## Options',
    '',
    ...gate.options.flatMap(({ label, description }) => [
      `- **${label}**: ${cleanText(description)}`,
      `  - \`harness answer ${gate.id} "${label}"\``,
    ]),
  ].join('\n');
}

function openQuestion({ id, question, options }: Gate): string[] {
  return [`${listItem(`${id}: ${question}`)}`, `  - \`harness answer ${id} "${options[0]?.label ?? 'OPTION'}"\``];
}
