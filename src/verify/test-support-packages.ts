/** For tests of this room alone: packages of npm that are no part of this project, installed once for each machine and version. Needs the network. */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodePlatform } from '../platform/node-platform.ts';

/** A folder of packages; `wanted` as npm takes them, with exact versions. */
export async function installedPackages(wanted: readonly string[]): Promise<string> {
  const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
  const folder = join(tmpdir(), `harness-packages-${createHash('sha256').update(wanted.join(' ')).digest('hex').slice(0, 12)}`);
  const done = join(folder, 'done');
  if (!(await platform.files.exists(done))) {
    await platform.files.mkdir(folder);
    await platform.files.write(join(folder, 'package.json'), '{"private":true}\n');
    const result = await platform.processes.run({
      file: 'npm',
      args: ['install', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', ...wanted],
      cwd: folder,
      env: { ...process.env } as Record<string, string>,
      timeoutMs: 300_000,
    });
    if (result.code !== 0) throw new Error(`npm cannot install ${wanted.join(' ')}: ${result.stderr.toString('utf8').slice(-2_000)}`);
    await platform.files.write(done, '');
  }
  return join(folder, 'node_modules');
}
