/** A conversation that could not begin: every turn ends with the same failure. */
import type { AgentConversation, AgentErrorClass } from './contract.ts';

export function unstartable(errorClass: AgentErrorClass, message: string): AgentConversation {
  let stopped = false;
  return {
    manyTurns: false,
    stop: async () => {
      stopped = true;
    },
    turn: async function* () {
      yield { type: 'end', end: stopped ? { kind: 'stopped' } : { kind: 'failed', class: errorClass, message, retryAt: null } };
    },
  };
}
