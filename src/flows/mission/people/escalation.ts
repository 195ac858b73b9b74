/** `.harness/escalation.md` for this flow: what happened, what is known, and each way on. */
import { removeEscalation } from '../../../gates/escalation.ts';
import type { Place } from '../../../kernel/place.ts';

export type MissionTrigger = 'mission.plan' | 'mission.escalated' | 'mission.budget';

export async function removeEscalationNote(place: Pick<Place, 'platform' | 'stateDir'>): Promise<void> {
  await removeEscalation(place.platform, place.stateDir, ['mission.plan', 'mission.escalated', 'mission.budget']);
}

export async function writeEscalationNote(
  place: Place,
  trigger: MissionTrigger,
  why: string,
  ways: readonly string[],
  facts: readonly string[],
): Promise<void> {
  const list = (lines: readonly string[]): string[] => lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`);
  const text = [
    '# harness mission',
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
