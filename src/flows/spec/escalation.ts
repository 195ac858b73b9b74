/** `.harness/escalation.md` for this flow: what happened, what is known, and each way on. */
import { isoNow } from '../../platform/platform.ts';
import type { Place } from '../../kernel/place.ts';

export async function writeEscalationNote(place: Place, why: string, ways: readonly string[], facts: readonly string[]): Promise<void> {
  const list = (lines: readonly string[]): string[] => lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`);
  const text = [
    '# harness spec',
    '',
    isoNow(place.platform.clock),
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
  place.emit({ type: 'escalation', trigger: 'spec.halted', message: why, options: [...ways], file: place.documents.where('escalation') });
}
