/**
 * What a feature's `automated_checks` ask for. Pure.
 *
 * A text is a command only when it cannot be anything else; what the visited page can answer is asked there; every other sentence is one of
 * the things that the tests show, and is told as that.
 */
import type { Feature } from '../../domain/feature.ts';
import { readStep } from './steps.ts';
import { groupOf } from '../../domain/text-parts.ts';

export type AskedCheck = { check: string } & ({ by: 'command'; command: string } | { by: 'visit' } | { by: 'tests' });

export function askedChecks(feature: Feature | null, visits: boolean): AskedCheck[] {
  return (feature?.automated_checks ?? []).map((one) => {
    if (typeof one !== 'string') return { check: one.name ?? one.command, by: 'command', command: one.command };
    const command = commandIn(one);
    if (command !== null) return { check: one, by: 'command', command };
    return { check: one, by: visits && LOOKS.has(readStep(one).kind) ? 'visit' : 'tests' };
  });
}

const LOOKS: ReadonlySet<string> = new Set(['expect', 'console', 'address']);

/** Programs whose names begin no sentence. */
const PROGRAMS =
  'npm|npx|pnpm|yarn|node|deno|bun|bunx|tsc|eslint|python3?|pytest|poetry|uv|tox|ruff|mypy|cargo|sh|bash|curl|php|ruby|bundle|rake|mvn|gradle|dotnet';
const STARTS = new RegExp(`^(?:(?:[A-Z_][A-Z0-9_]*=\\S+\\s+)*(?:${PROGRAMS})|\\.{1,2}/\\S+)(?:\\s+\\S|$)`);
const AMBIGUOUS = /^(?:make\s+[\w:./-]+|go\s+(?:test|vet|run|build)\b.*)$/;

function commandIn(text: string): string | null {
  const bare = text.trim();
  const marked = /^(?:\$\s+(.+)|`([^`]+)`)$/s.exec(bare);
  if (marked !== null) return marked[1] ?? groupOf(marked, 2);
  return STARTS.test(bare) || AMBIGUOUS.test(bare) ? bare : null;
}
