/**
 * Claude Code through the Claude Agent SDK, which is loaded when it is used and is never installed with this package.
 *
 * A sandbox without network would cut the agent off from its model, so it is refused in words instead of failing request by request.
 */
import type { AgentBackend, BackendReport } from '../contract.ts';
import type { Platform } from '../../platform/platform.ts';
import { unstartable } from '../unstartable.ts';
import { ClaudeConversation } from './conversation.ts';
import { loginFile, loginFolder } from './environment.ts';
import { findSdk, INSTALL_COMMAND, loadSdk } from './find-sdk.ts';

export function claudeCodeBackend(): AgentBackend {
  return {
    name: 'claude-code',
    usage: 'exact',
    start: async (task, host) => {
      const search = await findSdk(host.platform);
      if (!search.found) return unstartable('start', `Claude Code cannot start: ${search.missing}. To get it: ${INSTALL_COMMAND}`);
      if (task.sandbox?.network === 'none') {
        return unstartable(
          'start',
          'Claude Code reaches its model from inside the sandbox, and sandbox.network is false. Set it to true, or use agent.backend: anthropic, whose requests are sent from outside.',
        );
      }
      return new ClaudeConversation(await loadSdk(search.sdk), search.sdk.executable, task, host);
    },
    check,
  };
}

async function check(platform: Platform): Promise<BackendReport> {
  const search = await findSdk(platform);
  if (!search.found)
    return {
      name: 'claude-code',
      found: false,
      version: search.version,
      can_start: false,
      detail: search.missing,
      install: INSTALL_COMMAND,
    };
  const { version, executable } = search.sdk;
  const program = executable === null ? 'comes with its own program' : `starts ${executable}`;
  const folder = loginFolder(platform.env);
  const loggedIn = folder === null || process.platform !== 'linux' || (await platform.files.exists(loginFile(folder)));
  return {
    name: 'claude-code',
    found: true,
    version,
    can_start: loggedIn,
    detail: loggedIn ? `Claude Agent SDK, ${program}` : `Claude Agent SDK, ${program}; it is not logged in`,
    install: loggedIn ? null : 'run claude and log in, or set ANTHROPIC_API_KEY',
  };
}
