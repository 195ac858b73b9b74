/** Starts what a sandbox has wrapped: the file that it wants open comes after the pipes, and is open in no other process. */
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Started } from './sandbox.ts';

/** The descriptor of the first pipe beside the standard streams. */
export const FIRST_EXTRA = 3;

export async function spawnStarted(
  { file, args, open }: Pick<Started, 'file' | 'open'> & { args: readonly string[] },
  options: SpawnOptions & { stdio: ('pipe' | 'ignore')[] },
): Promise<ChildProcess> {
  // Loaded when first needed: a command that only looks starts faster without it.
  const { spawn } = await import('node:child_process');
  const opened = open === undefined ? null : openSync(open, 'r');
  try {
    return spawn(file, [...args], { ...options, stdio: [...options.stdio, ...(opened === null ? [] : [opened])] });
  } finally {
    if (opened !== null) closeSync(opened);
  }
}
