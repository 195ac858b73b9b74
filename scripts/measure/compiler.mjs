// What the compiler says to a copy: each line with an error once, as `path:line`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './copy.mjs';

export function compilerErrors(copy) {
  const program = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(
    process.execPath,
    [program, '-p', copy, '--noEmit', '--pretty', 'false', '--tsBuildInfoFile', join(copy, 'types.tsbuildinfo')],
    { cwd: copy, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  return [...new Set([...stdout.matchAll(/^(\S+?)\((\d+),\d+\): error/gm)].map((match) => `${match[1]}:${match[2]}`))];
}
