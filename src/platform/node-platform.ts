/** The real machine. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { bubblewrapHere } from './bubblewrap.ts';
import { nodeFiles } from './files.ts';
import { guardedFiles } from './guarded-files.ts';
import { nodeProcesses } from './processes.ts';
import type { Clock, Platform } from './platform.ts';
import type { Random } from './random.ts';

export function nodePlatform(env: Readonly<Record<string, string | undefined>> = process.env): Platform {
  const random: Random = { id: (bytes = 6) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString('hex') };
  return {
    clock: clockFor(env),
    random,
    files: guardedFiles(nodeFiles(random)),
    processes: nodeProcesses(bubblewrapHere),
    sandbox: bubblewrapHere,
    env: { ...env },
  };
}

let boot: string | null = null;

function readBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

const nodeClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sinceBoot: () => {
    boot ??= readBoot();
    return boot === '' ? null : { boot, ms: Number(process.hrtime.bigint() / 1_000n) / 1_000 };
  },
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    });
  },
};

/** Only for tests from outside, where hours of waiting have to pass in seconds. */
const SPEED_VARIABLE = 'HARNESS_TEST_CLOCK_SPEED';

function clockFor(env: Readonly<Record<string, string | undefined>>): Clock {
  const speed = Number(env[SPEED_VARIABLE] ?? '1');
  if (!(speed > 1)) return nodeClock;
  const [now, monotonic] = [nodeClock.now(), nodeClock.monotonic()];
  return {
    now: () => Math.round(now + (nodeClock.now() - now) * speed),
    monotonic: () => monotonic + (nodeClock.monotonic() - monotonic) * speed,
    sinceBoot: () => null,
    sleep: (ms, signal) => nodeClock.sleep(ms / speed, signal),
  };
}
