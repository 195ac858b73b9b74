/** Processes that do nothing but take a processor: a busy machine, for as long as this process lives. */
import { spawn } from 'node:child_process';

const LOOP = 'const parent = process.ppid; for (;;) { for (let at = 0; at < 1e8; at += 1); if (process.ppid !== parent) process.exit(); }';

/** Returns what ends them. */
export function startBusyLoops(count: number): () => void {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }));
  const end = (): void => loops.forEach((loop) => void loop.kill('SIGKILL'));
  process.once('exit', end);
  return () => {
    process.off('exit', end);
    end();
  };
}
