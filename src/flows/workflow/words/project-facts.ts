/** What the roles that plan and build are told about the project: its checks and its conventions. */
import { fence } from '../../../domain/fence.ts';
import type { Place } from '../../../kernel/place.ts';
import { readConventions } from '../documents.ts';
import type { Session } from '../session.ts';

/** The commands that the harness itself will run, in its order. */
export function commandsText(session: Pick<Session, 'build_cmd' | 'test_cmd' | 'lint_cmd' | 'type_check_cmd'>): string {
  const rows: [string, string | null][] = [
    ['build', session.build_cmd],
    ['tests', session.test_cmd],
    ['lint', session.lint_cmd],
    ['type check', session.type_check_cmd],
  ];
  return rows
    .map(([name, command]) => `- ${name}: ${command === null ? 'none is known; the harness runs none' : `\`${command}\``}`)
    .join('\n');
}

export async function conventionsText(
  place: Pick<Place, 'platform' | 'root' | 'documents'>,
  session: Pick<Session, 'conventions'>,
): Promise<string> {
  const text = await readConventions(place, session);
  if (text.trim() !== '') return fence('conventions', text);
  return session.conventions === 'skipped'
    ? '(A person chose to skip the scan for conventions. Take them from the files next to those that you touch.)'
    : '(No conventions were written down. Take them from the files next to those that you touch.)';
}

/** One author alone must not fill the next one's window. Their roles tell them so, in the same figures. */
export const LONGEST = { proposal: 24_000, plan: 24_000, review: 12_000 } as const;

/** A text for a prompt, no longer than it may be; what is left out is said. */
export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[the rest, ${text.length - most} characters, is left out]`;
}
