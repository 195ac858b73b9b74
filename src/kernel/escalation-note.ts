/** `.harness/escalation.md` of the spec and mission flows: what happened, what is known, and each way on. */
import { removeEscalation } from '../gates/escalation.ts';
import type { Place } from './place.ts';

/** By the flow that they are about. */
const TRIGGERS = { spec: ['spec.halted'], mission: ['mission.plan', 'mission.escalated', 'mission.budget'] } as const;
type NotedFlow = keyof typeof TRIGGERS;

export interface EscalationNote {
  trigger: (typeof TRIGGERS)[NotedFlow][number];
  why: string;
  ways: readonly string[];
  facts?: readonly string[];
}

export async function writeEscalationNote(place: Place, { trigger, why, ways, facts = [] }: EscalationNote): Promise<void> {
  const list = (lines: readonly string[]): string[] => lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`);
  const text = [
    `# harness ${trigger.split('.', 1)[0]}`,
    '',
    `${trigger}, ${place.now()}`,
    '',
    '## Why',
    '',
    why,
    '',
    ...(facts.length === 0 ? [] : ['## Facts', '', ...list(facts), '']),
    '## Options',
    '',
    ...list(ways),
    '',
  ];
  await place.documents.writeText('escalation', text.join('\n'));
  place.emit({ type: 'escalation', trigger, message: why, options: [...ways], file: place.documents.where('escalation') });
}

/** The flow goes on, or is gone. */
export async function removeEscalationNote({ shelf }: Pick<Place, 'shelf'>, flow: NotedFlow): Promise<void> {
  await removeEscalation(shelf, TRIGGERS[flow]);
}
