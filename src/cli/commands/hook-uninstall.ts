/** `harness hook uninstall`: takes back what `harness hook install` wrote. */
import { EXIT } from '../../domain/reasons.ts';
import { prePushHook } from '../pre-push.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, cwd, output }) => {
  const hook = await prePushHook(platform, cwd);
  if (hook.isOwn) await platform.files.remove(hook.path);
  const removed = hook.isOwn ? hook.path : null;
  output.object({ removed }, removed === null ? 'No pre-push hook of the harness is installed here.' : `Removed ${removed}.`);
  return { exitCode: EXIT.done };
};
