/**
 * Codex, without its terminal: `codex exec --json`.
 *
 * A sandbox without network would cut the agent off from its model, so it is refused in words.
 */
import type { Platform } from '../../platform/platform.ts';
import type { AgentBackend, BackendReport } from '../contract.ts';
import { unstartable } from '../unstartable.ts';
import { isForeignModel } from './arguments.ts';
import { CodexConversation } from './conversation.ts';
import { codexVersion, findCodex, INSTALL_COMMAND } from './find-codex.ts';
import { hasLogin } from './state.ts';

export function codexBackend(): AgentBackend {
  return {
    name: 'codex',
    usage: 'reported',
    servesModel: (model) => !isForeignModel(model),
    start: async (task, host) => {
      const found = await findCodex(host.platform);
      if (found === null) return unstartable('start', `Codex cannot start: it is not installed. To get it: ${INSTALL_COMMAND}`);
      if (task.sandbox?.network === 'none')
        return unstartable(
          'start',
          'Codex reaches its model from inside the sandbox, and sandbox.network is false. Set it to true in .harness.yaml.',
        );
      return new CodexConversation(found, task, host);
    },
    check,
  };
}

async function check(platform: Platform): Promise<BackendReport> {
  const found = await findCodex(platform);
  if (found === null)
    return { name: 'codex', found: false, version: null, can_start: false, detail: 'Codex is not installed', install: INSTALL_COMMAND };
  const version = await codexVersion(platform, found);
  const loggedIn = await hasLogin(platform);
  return {
    name: 'codex',
    found: true,
    version,
    can_start: version !== null && loggedIn,
    detail:
      version === null
        ? `${found.file} does not say its version`
        : loggedIn
          ? `starts ${found.args[0] ?? found.file}`
          : 'installed, but not logged in',
    install: version === null ? INSTALL_COMMAND : loggedIn ? null : 'codex login, or set CODEX_API_KEY',
  };
}
