/** `.harness/escalation.md` for this flow: what happened, what is known, and each way on. */
import { join } from 'node:path';
import { removeEscalation } from '../../gates/escalation.ts';
import { isoNow } from '../../platform/platform.ts';
import type { Place } from '../../kernel/place.ts';

const TRIGGER = 'spec.halted';

/** The session goes on, or is gone. */
export async function removeEscalationNote(desk: Pick<Place, 'platform' | 'stateDir'>): Promise<void> {
  await removeEscalation(desk.platform, desk.stateDir, [TRIGGER]);
}

export async function writeEscalationNote(desk: Place, why: string, ways: readonly string[], facts: readonly string[]): Promise<void> {
  const file = join(desk.stateDir, 'escalation.md');
  const list = (lines: readonly string[]): string[] => lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`);
  const text = [
    '# harness spec',
    '',
    `${TRIGGER}, ${isoNow(desk.platform.clock)}`,
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
  await desk.platform.files.mkdir(desk.stateDir);
  await desk.platform.files.writeAtomic(file, text.join('\n'));
  desk.emit({ type: 'escalation', trigger: TRIGGER, message: why, options: [...ways], file });
}
