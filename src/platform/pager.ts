/**
 * A text in the pager of the person at this terminal, until they leave it.
 *
 * 1. `$PAGER` says which, else `less`; `cat` and an empty `$PAGER` are none. It has the terminal and the person's own environment.
 * 2. False: there is none, or it could not be started; nothing was shown then.
 */
import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

export async function showInPager(text: string, env: Environment, signal: AbortSignal): Promise<boolean> {
  const command = pagerOf(env);
  if (command === null || signal.aborted) return false;
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'inherit', 'inherit'], env: { LESS: 'R', LV: '-c', ...env } });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  try {
    return await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code !== NOT_STARTED && code !== NOT_FOUND));
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const [NOT_STARTED, NOT_FOUND] = [126, 127];

/** Pure. */
export function pagerOf(env: Environment): string | null {
  const command = (env['PAGER'] ?? 'less').trim();
  return command === '' || /^cat(?:\s|$)/.test(command) || env['TERM'] === 'dumb' ? null : command;
}
