/** The real machine. */
import { setTimeout as delay } from 'node:timers/promises';
import { nodeFiles } from './files.ts';
import { nodeProcesses } from './processes.ts';
import type { Clock, Platform } from './platform.ts';
import type { Random } from './random.ts';

export function nodePlatform(env: Readonly<Record<string, string | undefined>> = process.env): Platform {
  const random: Random = { id: (bytes = 6) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex') };
  return { clock: nodeClock, random, files: nodeFiles(random), processes: nodeProcesses(), env: { ...env } };
}

const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
  },
};
