/** Where git looks for the pre-push hook of a repository, and whose it is. */
import { dirname, join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { openRepository } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';

export const OWN_LINE = '# Written by harness hook install; harness hook uninstall removes it.';

export interface PrePushHook {
  path: string;
  folder: string;
  /** Null: there is none. */
  text: string | null;
  isOwn: boolean;
}

/** The user's own `core.hooksPath` counts, so git is asked as the user would ask it. */
export async function prePushHook(platform: Platform, cwd: string): Promise<PrePushHook> {
  const open = await openRepository(platform, cwd);
  if (open !== null) throw usageError(`${open} is laid out as a git directory itself.`);
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(platform.env)) if (value !== undefined) env[name] = value;
  const asked = await platform.processes.run({
    file: 'git',
    args: ['rev-parse', '--path-format=absolute', '--git-path', 'hooks/pre-push'],
    cwd,
    env,
  });
  if (asked.code !== 0) throw usageError(`${cwd} is not in a git repository.`);
  const path = asked.stdout.toString('utf8').trimEnd();
  const text = await platform.files.readTextIfExists(path);
  return { path: join(dirname(path), 'pre-push'), folder: dirname(path), text, isOwn: text?.includes(OWN_LINE) === true };
}
