/**
 * Everything that touches the machine, as one value.
 *
 * 1. No other room imports `node:fs`, `node:child_process`, `Date` or `Math.random` for effects; they get a `Platform`.
 * 2. Every durable change of a file goes through `Files`, so that a simulator can fail at each of them.
 * 3. Every process is started through `Processes`, in a process group of its own, with an explicit environment.
 */
import type { Files } from './files.ts';
import type { Processes } from './processes.ts';
import type { Random } from './random.ts';
import type { Sandbox } from './sandbox.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never run backwards. */
  monotonic(): number;
  /** Milliseconds since the machine started, by a clock that nobody can set, and which start that was; missing or null where nothing tells. */
  sinceBoot?(): { boot: string; ms: number } | null;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Platform {
  clock: Clock;
  random: Random;
  files: Files;
  processes: Processes;
  /** What this machine can make, tried once. */
  sandbox(): Promise<Sandbox>;
  /** The user's environment, read once. */
  env: Readonly<Record<string, string | undefined>>;
}

export function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
