/**
 * Any agent that speaks the Agent Client Protocol over stdio: `agent.command` starts it.
 *
 * What such an agent keeps on disk is known for the usual ones, by the words of the command; it is made writable in the sandbox.
 */
import { join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import type { AgentBackend } from '../contract.ts';
import { checkCommand } from '../shell-program.ts';
import { unstartable } from '../unstartable.ts';
import { AcpConversation } from './conversation.ts';

const HINT = 'set agent.command in .harness.yaml to the command that starts your agent in ACP mode, e.g. gemini --acp';

const STATE_FOLDERS: readonly [RegExp, readonly (readonly [folder: string, ...logins: string[]])[]][] = [
  [/\bclaude/, [['.claude', '.credentials.json']]],
  [/\bcodex/, [['.codex', 'auth.json']]],
  [/\bgemini/, [['.gemini', 'oauth_creds.json', 'google_accounts.json']]],
  [/\bopencode/, [['.config/opencode'], ['.local/share/opencode', 'auth.json'], ['.local/state/opencode'], ['.cache/opencode']]],
  [/\bgoose/, [['.config/goose'], ['.local/share/goose'], ['.local/state/goose']]],
  [/\bqwen/, [['.qwen', 'oauth_creds.json']]],
  [/\bcopilot/, [['.copilot']]],
];

export function acpBackend(options: { command: string | null }): AgentBackend {
  const command = options.command?.trim() ?? '';
  return {
    name: 'acp',
    usage: 'reported',
    servesModel: () => false,
    stateDirectories: (env) => {
      const home = env['HOME'];
      if (home === undefined) return [];
      const named = STATE_FOLDERS.flatMap(([words, folders]) => (words.test(command) ? folders : []));
      return named.map(([folder, ...logins]) => ({ path: join(home, folder), logins }));
    },
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
