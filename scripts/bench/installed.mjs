// What an installation takes on the disk, without optional parts: the package has no dependencies, so it is what it unpacks to.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

const MOST_MEGABYTES = 15;

export async function measure() {
  const { dependencies = {} } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  if (Object.keys(dependencies).length > 0) throw new Error('the package has dependencies, and their sizes are not known here');
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack ended with ${status}: ${stderr.slice(-400)}`);
  const [{ unpackedSize, size }] = JSON.parse(stdout);
  const megabytes = unpackedSize / 1e6;
  return [
    {
      name: 'packed and installed, without optional parts',
      figure: `${megabytes.toFixed(1)} MB (${(size / 1e6).toFixed(1)} MB packed)`,
      target: `under ${MOST_MEGABYTES} MB`,
      met: megabytes < MOST_MEGABYTES,
    },
  ];
}
