/**
 * Limits that the kernel holds for each single process: memory of its own, size of a file, number of processes, no core dumps.
 *
 * They stand in front of a command; `null` where the machine has no `prlimit`. The sum over processes is not limited.
 */
import { access } from 'node:fs/promises';
import { totalmem } from 'node:os';

const PROGRAMS = ['/usr/bin/prlimit', '/bin/prlimit'];
const GIBIBYTE = 1024 ** 3;

let found: Promise<string[] | null> | undefined;

/** Program and arguments to put in front. Looked up once for each process. */
export function limitedPrefix(): Promise<string[] | null> {
  found ??= look();
  return found;
}

async function look(): Promise<string[] | null> {
  if (process.platform !== 'linux') return null;
  for (const program of PROGRAMS) {
    const there = await access(program).then(
      () => true,
      () => false,
    );
    if (there) return [program, `--data=${memoryLimit()}`, `--fsize=${8 * GIBIBYTE}`, '--nproc=16384', '--core=0', '--'];
  }
  return null;
}

/** Three quarters of the machine, and never so little that an ordinary test run could not start. */
function memoryLimit(): number {
  return Math.max(2 * GIBIBYTE, Math.floor(totalmem() * 0.75));
}
