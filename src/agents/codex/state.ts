/**
 * What Codex keeps on disk, in a private folder for each session: a copy of the user's login and settings, and its own records.
 *
 * 1. The user's own folder stays out of reach: what an agent wrote there (a notifier, a tool server) would run outside the sandbox later.
 * 2. Codex puts helper programs there, which it refuses below TMPDIR: so TMPDIR is a folder beside it.
 */
import { join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import { jsonObject, lendFiles } from '../borrowed-files.ts';
import type { AgentTask } from '../contract.ts';
import { agentEnvironment } from '../environment.ts';

export interface CodexState {
  folder: string;
  variables: Record<string, string>;
  giveBack(): Promise<void>;
}

const FOLDER_VARIABLE = 'CODEX_HOME';
const LOGIN_FILE = 'auth.json';

export async function codexState(platform: Platform, task: AgentTask): Promise<CodexState> {
  const folder = join(task.temporary, 'codex-state');
  const from = userFolder(task.env);
  const loan = { from: from ?? folder, to: folder, given: ['config.toml'], lent: [{ name: LOGIN_FILE, sound: isLogin }] };
  const giveBack = await lendFiles(platform, from === null ? { ...loan, given: [], lent: [] } : loan);
  const temporary = join(task.temporary, 'tmp');
  await platform.files.mkdir(temporary);
  const key = task.env['CODEX_API_KEY'] ?? task.env['OPENAI_API_KEY'];
  return {
    folder,
    variables: {
      ...agentEnvironment(task),
      TMPDIR: temporary,
      ...(key === undefined ? {} : { CODEX_API_KEY: key }),
      [FOLDER_VARIABLE]: folder,
    },
    giveBack,
  };
}

export async function hasLogin(platform: Platform): Promise<boolean> {
  const folder = userFolder(platform.env);
  const keyed = ['CODEX_API_KEY', 'OPENAI_API_KEY'].some((name) => (platform.env[name] ?? '') !== '');
  return (
    keyed ||
    (folder !== null &&
      ((await platform.files.exists(join(folder, LOGIN_FILE))) || (await platform.files.exists(join(folder, 'config.toml')))))
  );
}

function userFolder(env: Readonly<Record<string, string | undefined>>): string | null {
  const home = env['HOME'];
  return env[FOLDER_VARIABLE] ?? (home === undefined ? null : join(home, '.codex'));
}

function isLogin(text: string): boolean {
  const login = jsonObject(text);
  if (login === null) return false;
  const { tokens } = login;
  const hasToken = typeof tokens === 'object' && tokens !== null && typeof (tokens as Record<string, unknown>)['access_token'] === 'string';
  return hasToken || typeof login['OPENAI_API_KEY'] === 'string';
}
