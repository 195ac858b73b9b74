/**
 * What keeps an agent from starting others, as far as its own makers provide for it. Pure.
 *
 * The protocol knows no such wish: what is not known here is refused when the agent asks, and seen when it does not.
 */
import { CLAUDE_AGENT_TOOLS, CLAUDE_NEEDLESS_TOOLS } from '../agent-tools.ts';
import type { AgentTask } from '../contract.ts';

/** For `session/new`; other agents leave out what they do not know of it. */
export function aloneFields({ alone }: Pick<AgentTask, 'alone'>): { _meta?: Record<string, unknown> } {
  return alone === true
    ? { _meta: { claudeCode: { options: { disallowedTools: [...CLAUDE_AGENT_TOOLS, ...CLAUDE_NEEDLESS_TOOLS] } } } }
    : {};
}

/** For the process of the agent. */
export function aloneVariables({ alone }: Pick<AgentTask, 'alone'>): Record<string, string> {
  return alone === true ? { OPENCODE_PERMISSION: '{"task":"deny"}' } : {};
}
