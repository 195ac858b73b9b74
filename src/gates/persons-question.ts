/**
 * Which questions a person has to answer, and who is asking.
 *
 * 1. A question is a person's unless it is a preference: one whose options only say how something is done, never that it counts.
 * 2. A known agent's variable without a terminal means that an agent asks. An agent with an unrestricted shell can do what its user can do:
 *    this keeps honest mistakes out, it is no wall.
 */
import type { Gate } from '../domain/gate.ts';
import { kindOf } from '../domain/gate-id.ts';
import type { Platform } from '../platform/platform.ts';

const PREFERENCES: readonly RegExp[] = [
  /^workflow\.(mode|model|conventions|session|commit)$/,
  /^spec\.(mode|model|model-confirm|questions-\d|routing|slug-collision|session|conventions|next)$/,
];

export function isPersons({ id, non_negotiable }: Pick<Gate, 'id' | 'non_negotiable'>): boolean {
  return non_negotiable || !PREFERENCES.some((one) => one.test(kindOf(id)));
}

const AGENTS = [
  'CLAUDECODE',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'CODEX_CI',
  'GEMINI_CLI',
  'CURSOR_AGENT',
  'OPENCODE',
  'AI_AGENT',
  'HARNESS_HOST',
  'HARNESS_DEPTH',
];

/** The variable that says so; null: none does. */
export function agentAsking(env: Platform['env']): string | null {
  return AGENTS.find((name) => (env[name] ?? '') !== '' && env[name] !== '0') ?? null;
}
