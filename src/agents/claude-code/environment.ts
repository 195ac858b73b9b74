/**
 * What Claude Code sees: the agent's environment, its own switches, and a private folder for its state.
 *
 * 1. On Linux the state lies in the session's temporary folder, with a copy of the user's login unless a key is given: settings, hooks and
 *    memory of the user's own Claude Code are neither used nor in reach. Elsewhere logins live in the system's keychain, bound to the usual folder.
 * 2. One conversation is one context window: it is never summarised into a second one behind the host's back.
 */
import { join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import { jsonObject, lendFiles } from '../borrowed-files.ts';
import type { AgentTask } from '../contract.ts';
import { agentEnvironment } from '../environment.ts';

export interface ClaudeEnvironment {
  variables: Record<string, string>;
  giveBack(): Promise<void>;
}

const FOLDER_VARIABLE = 'CLAUDE_CONFIG_DIR';
const LOGIN_FILE = '.credentials.json';
const KEY_VARIABLES = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];

export async function claudeEnvironment(platform: Platform, task: AgentTask): Promise<ClaudeEnvironment> {
  const limit = String(task.tools.shell.timeout_seconds * 1_000);
  const variables: Record<string, string> = {
    ...agentEnvironment(task),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_TMPDIR: task.temporary,
    DISABLE_AUTO_COMPACT: '1',
    DISABLE_AUTOUPDATER: '1',
    BASH_DEFAULT_TIMEOUT_MS: limit,
    BASH_MAX_TIMEOUT_MS: limit,
    IS_SANDBOX: '1',
  };
  if (process.platform !== 'linux') return { variables, giveBack: async () => {} };
  const to = join(task.temporary, 'claude-state');
  const from = loginFolder(task.env);
  const lent = from === null ? [] : [{ name: LOGIN_FILE, sound: isLogin }];
  const giveBack = await lendFiles(platform, { from: from ?? to, to, given: [], lent });
  return { variables: { ...variables, [FOLDER_VARIABLE]: to }, giveBack };
}

/** Where the user's login lies; null when a key makes it needless. */
export function loginFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  if (KEY_VARIABLES.some((name) => (env[name] ?? '') !== '')) return null;
  const home = env['HOME'];
  return env[FOLDER_VARIABLE] ?? (home === undefined ? null : join(home, '.claude'));
}

export function loginFile(folder: string): string {
  return join(folder, LOGIN_FILE);
}

function isLogin(text: string): boolean {
  const login = jsonObject(text)?.['claudeAiOauth'];
  if (typeof login !== 'object' || login === null) return false;
  const { accessToken, refreshToken, expiresAt } = login as Record<string, unknown>;
  return (
    typeof accessToken === 'string' &&
    accessToken !== '' &&
    typeof refreshToken === 'string' &&
    refreshToken !== '' &&
    typeof expiresAt === 'number'
  );
}
