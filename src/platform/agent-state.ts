/** What agent programs keep in the home directory: by words of a command that start them, folders with the login files in them. */
import { join } from 'node:path';

export interface StateFolder {
  /** The user's. */
  path: string;
  /** Files directly in it that hold a login, as JSON. */
  logins: readonly string[];
}

const STATE_FOLDERS: readonly [RegExp, readonly (readonly [folder: string, ...logins: string[]])[]][] = [
  [/\bclaude/, [['.claude', '.credentials.json']]],
  [/\bcodex/, [['.codex', 'auth.json']]],
  [/\bgemini/, [['.gemini', 'oauth_creds.json', 'google_accounts.json']]],
  [/\bopencode/, [['.config/opencode'], ['.local/share/opencode', 'auth.json'], ['.local/state/opencode'], ['.cache/opencode']]],
  [/\bgoose/, [['.config/goose', 'secrets.yaml'], ['.local/share/goose'], ['.local/state/goose']]],
  [/\bqwen/, [['.qwen', 'oauth_creds.json']]],
  [/\bcopilot/, [['.copilot']]],
];

/** Of the programs that a command names. */
export function programState(command: string, home: string | undefined): StateFolder[] {
  return foldersIn(home, (words) => words.test(command));
}

/** Of every agent program that is known. */
export function agentLogins(home: string | undefined): string[] {
  return foldersIn(home, () => true).flatMap(({ path, logins }) => logins.map((name) => join(path, name)));
}

function foldersIn(home: string | undefined, isWanted: (words: RegExp) => boolean): StateFolder[] {
  if (home === undefined) return [];
  const folders = STATE_FOLDERS.flatMap(([words, rows]) => (isWanted(words) ? rows : []));
  return folders.map(([folder, ...logins]) => ({ path: join(home, folder), logins }));
}
