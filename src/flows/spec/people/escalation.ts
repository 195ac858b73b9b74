/** `.harness/escalation.md` for this flow: what happened, what is known, and each way on. */
import { removeEscalation } from '../../../gates/escalation.ts';
import type { Place } from '../../../kernel/place.ts';

const TRIGGER = 'spec.halted';

/** The session goes on, or is gone. */
export async function removeEscalationNote(place: Pick<Place, 'platform' | 'stateDir'>): Promise<void> {
  await removeEscalation(place.platform, place.stateDir, [TRIGGER]);
}

export async function writeEscalationNote(place: Place, why: string, ways: readonly string[], facts: readonly string[]): Promise<void> {
  const list = (lines: readonly string[]): string[] => lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`);
  const text = [
    '# harness spec',
    '',
    `${TRIGGER}, ${place.now()}`,
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
  place.emit({ type: 'escalation', trigger: TRIGGER, message: why, options: [...ways], file: place.documents.where('escalation') });
}
