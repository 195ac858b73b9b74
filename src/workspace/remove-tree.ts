/** Removes what an agent left, whatever its names are made of: bytes that are no UTF-8 defeat removal by name, but not `rm`. */
import { dirname } from 'node:path';
import type { Platform } from '../platform/platform.ts';

export async function removeTree(platform: Platform, path: string): Promise<void> {
  try {
    await platform.files.remove(path);
  } catch {
    const run = await platform.processes.run({
      file: 'rm',
      args: ['-rf', '--', path],
      cwd: dirname(path),
      env: { PATH: platform.env['PATH'] ?? '/usr/bin:/bin' },
    });
    if (run.code !== 0) throw new Error(`${path} could not be removed: ${run.stderr.toString('utf8').trim()}`);
  }
}
