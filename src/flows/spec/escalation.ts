/** `.harness/escalation.md` for this flow: what happened, what is known, and each way on. */
import { join } from 'node:path';
import { isoNow } from '../../platform/platform.ts';
import type { Place } from '../../kernel/place.ts';

export async function writeEscalationNote(desk: Place, why: string, ways: readonly string[], facts: readonly string[]): Promise<void> {
  const file = join(desk.stateDir, 'escalation.md');
  const list = (lines: readonly string[]): string[] => lines.map((line) => `- ${line.replaceAll('\n', '\n  ')}`);
  const text = [
    '# harness spec',
    '',
    isoNow(desk.platform.clock),
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
  desk.emit({ type: 'escalation', trigger: 'spec.halted', message: why, options: [...ways], file });
}
