/**
 * Any agent that speaks the Agent Client Protocol over stdio: `agent.command` starts it.
 *
 * What such an agent keeps on disk is known for the usual ones, by the words of the command; it works on copies of it.
 */
import { usageError } from '../../domain/errors.ts';
import { programState } from '../../platform/agent-state.ts';
import type { AgentBackend } from '../contract.ts';
import { checkCommand } from '../shell-program.ts';
import { unstartable } from '../unstartable.ts';
import { AcpConversation } from './conversation.ts';

const HINT = 'set agent.command in .harness.yaml to the command that starts your agent in ACP mode, e.g. gemini --acp';

export function acpBackend(options: { command: string | null }): AgentBackend {
  const command = options.command?.trim() ?? '';
  return {
    name: 'acp',
    usage: 'reported',
    servesModel: () => false,
    stateDirectories: (env) => programState(command, env['HOME']),
    start: async (task, host) => {
      if (command === '')
        throw usageError('The acp backend has no command to start.', 'file: .harness.yaml', 'field: agent.command', `fix: ${HINT}`);
      if (task.sandbox?.network === 'none')
        return unstartable(
          'start',
          'The agent reaches its model from inside the sandbox, and sandbox.network is false. Set it to true in .harness.yaml.',
        );
      return new AcpConversation(command, task, host);
    },
    check: (platform) => checkCommand(platform, 'acp', command, HINT),
  };
}
