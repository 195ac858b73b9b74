/**
 * Processes.
 *
 * 1. Each runs in a process group of its own; ending it ends the group: SIGTERM, and SIGKILL after the grace time.
 * 2. The environment is given whole; nothing is inherited.
 * 3. Output is bounded: beyond `maxOutputBytes` the middle is dropped and `truncated` says so.
 */
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { listenerOn, listeningPorts, type Listener } from './listening.ts';
import {
  belowLeader,
  descendantsOf,
  hasLivingMember,
  identify,
  orphansIn,
  processNumbers,
  readProcessFile,
  runningIn,
  stillRunning,
  type KnownProcess,
} from './process-tree.ts';
import type { Sandbox, SandboxSpec } from './sandbox.ts';
import { FIRST_EXTRA, spawnStarted } from './spawn-started.ts';
import { whenDrained } from './when-drained.ts';
import { firstItem, itemAt } from '../domain/items.ts';
import { mustHave } from '../domain/must-have.ts';

export interface ProcessSpec {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Absent: run as it is, in a process group only. */
  sandbox?: SandboxSpec | null;
  /** More file descriptors, from 3 on; each is a pipe that the parent reads. */
  extraPipes?: number;
  /** A file that it finds open for reading, on the descriptor after its pipes. */
  open?: string;
}

export interface RunSpec extends ProcessSpec {
  stdin?: string | Uint8Array;
  timeoutMs?: number;
  graceMs?: number;
  maxOutputBytes?: number;
  signal?: AbortSignal;
}

export interface RunResult {
  code: number | null;
  signal: string | null;
  stdout: Buffer;
  stderr: Buffer;
  /** What came out of the extra pipes, in order. */
  extra: Buffer[];
  timedOut: boolean;
  aborted: boolean;
  truncated: boolean;
  durationMs: number;
  sandboxed: boolean;
}

/** A program that outlives this process: it writes to files. */
export interface LaunchSpec extends Pick<ProcessSpec, 'file' | 'args' | 'cwd' | 'env'> {
  stdout: string;
  stderr: string;
}

export interface RunningProcess {
  pid: number;
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  extra: Readable[];
  sandboxed: boolean;
  /** Resolves once the process and its streams are closed. */
  exited: Promise<{ code: number | null; signal: string | null }>;
  /** Ends the whole group; resolves when it is gone. Holds this process until then: a caller may be waiting. */
  stop(graceMs?: number): Promise<void>;
  /** Whether it keeps this process from ending; at first it does. Never await `exited` of one that was let go: hold it again first. */
  hold?(on: boolean): void;
}

export interface Processes {
  run(spec: RunSpec): Promise<RunResult>;
  start(spec: ProcessSpec): Promise<RunningProcess>;
  /** Starts a program that goes on when this process ends; `endAll` leaves it alone. */
  launch(spec: LaunchSpec): Promise<{ pid: number; exited: Promise<number | null> }>;
  /** Living processes whose environment holds `NAME=value`, by any of the names; for finding what escaped its group. */
  findByEnvironment(name: string | readonly string[], value: string): Promise<number[]>;
  /** Sends SIGKILL to the group of every process that was started here and still runs; nothing is waited for. */
  endAll(): void;
  /** Sends SIGKILL to single processes; missing ones are fine. */
  kill(pids: readonly number[]): void;
  /** Asks one process to end; false when it is gone or not ours to ask. */
  terminate(pid: number): boolean;
  /** Everything that came from this process or from `others` and still hangs below them; `except` is left out with what is below it. */
  descendants(others?: readonly number[], except?: ReadonlySet<number>): Promise<KnownProcess[]>;
  /** These processes with the time they started; those that are gone are left out. */
  identify(pids: readonly number[]): Promise<KnownProcess[]>;
  /** Everything below these processes, the processes themselves left out. */
  below(roots: readonly number[]): Promise<KnownProcess[]>;
  /** Those of them that still run. */
  stillRunning(processes: readonly KnownProcess[]): Promise<KnownProcess[]>;
  /** Processes without parent and terminal that stand in this folder or below it. */
  orphansIn(folder: string): Promise<KnownProcess[]>;
  /** Processes of a program that stand in this folder or below it. */
  runningIn(folder: string, program: string): Promise<KnownProcess[]>;
  /** The process that listens on a TCP port of this machine; null where none does, or nobody may say. */
  listenerOn(port: number): Promise<Listener | null>;
  listeningPorts(): Promise<ReadonlySet<number>>;
}

const DEFAULT_GRACE_MS = 5_000;
const DEFAULT_MAX_OUTPUT = 8 * 1024 * 1024;

/** `sandbox`: what a spec with one is started in. */
export function nodeProcesses(sandbox: () => Promise<Sandbox>): Processes {
  const running = new Set<number>();
  const start: Processes['start'] = async (spec) => {
    const started = await startIn(spec.sandbox ? await sandbox() : null, spec);
    running.add(started.pid);
    void started.exited.then(() => running.delete(started.pid));
    return started;
  };
  const descendants: Processes['descendants'] = (others = [], except) => descendantsOf([process.pid, ...others], except);
  const below: Processes['below'] = (roots) => descendantsOf(roots);
  return {
    run: (spec) => run(spec, start),
    start,
    launch,
    findByEnvironment,
    endAll: () => {
      for (const pid of running) killGroup(pid, 'SIGKILL');
    },
    kill,
    terminate,
    descendants,
    identify,
    below,
    stillRunning,
    orphansIn,
    runningIn,
    listenerOn,
    listeningPorts,
  };
}

async function run(spec: RunSpec, start: Processes['start']): Promise<RunResult> {
  const begin = performance.now();
  const limit = spec.maxOutputBytes ?? DEFAULT_MAX_OUTPUT;
  const child = await start(spec);
  const outputs = [child.stdout, child.stderr, ...child.extra].map((stream) => collect(stream, limit));
  let timedOut = false;
  let aborted = false;
  const end = (): void => void child.stop(spec.graceMs ?? DEFAULT_GRACE_MS);
  const timer = spec.timeoutMs === undefined ? undefined : setTimeout(() => ((timedOut = true), end()), spec.timeoutMs);
  const onAbort = (): void => ((aborted = true), end());
  if (spec.signal?.aborted) onAbort();
  else spec.signal?.addEventListener('abort', onAbort, { once: true });
  child.stdin.on('error', () => {});
  child.stdin.end(spec.stdin ?? '');
  try {
    const { code, signal } = await child.exited;
    const done = outputs.map((output) => output.finish());
    return {
      code,
      signal,
      stdout: firstItem(done).data,
      stderr: itemAt(done, 1).data,
      extra: done.slice(2).map((output) => output.data),
      timedOut,
      aborted,
      truncated: done.some((output) => output.truncated),
      durationMs: performance.now() - begin,
      sandboxed: child.sandboxed,
    };
  } finally {
    clearTimeout(timer);
    spec.signal?.removeEventListener('abort', onAbort);
    // What the process left behind in its group goes with it.
    killGroup(child.pid, 'SIGKILL');
  }
}

async function launch({ file, args, cwd, env, stdout, stderr }: LaunchSpec): Promise<{ pid: number; exited: Promise<number | null> }> {
  const { spawn } = await import('node:child_process');
  const files = [stdout, stderr].map((path) => openSync(path, 'a', 0o600));
  try {
    const child = spawn(file, [...args], { cwd, env: { ...env }, detached: true, stdio: ['ignore', ...files] });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    return { pid: child.pid ?? 0, exited };
  } finally {
    for (const descriptor of files) closeSync(descriptor);
  }
}

async function startIn(sandbox: Sandbox | null, spec: ProcessSpec): Promise<RunningProcess> {
  const wrapped = sandbox !== null && spec.sandbox ? await sandbox.wrap(spec.sandbox, spec) : spec;
  const pipes = Array.from({ length: spec.extraPipes ?? 0 }, () => 'pipe' as const);
  const child = await spawnStarted(wrapped, {
    cwd: spec.cwd,
    env: { ...(wrapped.env ?? spec.env) },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...pipes],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const pid = mustHave(child.pid, 'a process that was started has an id');
  let stopping = false;
  const hold = (on: boolean): void => {
    for (const handle of [child, ...child.stdio] as { ref?(): void; unref?(): void }[]) handle?.[on ? 'ref' : 'unref']?.();
  };
  const exited = whenDrained(child, { endGroup: () => void killGroup(pid, 'SIGKILL'), abandoned: () => stopping });
  return {
    pid,
    stdin: mustHave(child.stdin, 'its input is a pipe'),
    stdout: mustHave(child.stdout, 'its output is a pipe'),
    stderr: mustHave(child.stderr, 'its errors go to a pipe'),
    extra: child.stdio.slice(FIRST_EXTRA, FIRST_EXTRA + pipes.length) as Readable[],
    sandboxed: sandbox !== null,
    exited,
    stop: async (graceMs = DEFAULT_GRACE_MS) => {
      stopping = true;
      hold(true);
      if (!askToEnd(pid, sandbox?.diesTogether === true)) return;
      const timer = setTimeout(() => killGroup(pid, 'SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
      if (killGroup(pid, 'SIGKILL')) await groupGone(pid);
    },
    hold,
  };
}

/** The sandbox's own process takes everything with it when it ends: the ones inside are asked, and it follows them. */
function askToEnd(pid: number, diesTogether: boolean): boolean {
  const inside = diesTogether ? belowLeader(pid) : [];
  if (inside.length === 0) return killGroup(pid, 'SIGTERM');
  for (const member of inside) terminate(member);
  return true;
}

function killGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

const MOST_LOOKS = 20;

/** A killed process takes a moment to go; one that nobody reaps stays in its group as a shell, which is not waited for. */
async function groupGone(pid: number): Promise<void> {
  for (let look = 0; look < MOST_LOOKS && groupLives(pid) && hasLivingMember(pid); look++)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

function groupLives(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

/** Keeps the first quarter and the last three quarters of the allowance. */
function collect(stream: Readable, limit: number): { finish(): { data: Buffer; truncated: boolean } } {
  const headLimit = Math.floor(limit / 4);
  const head: Buffer[] = [];
  let headSize = 0;
  const tail: Buffer[] = [];
  let tailSize = 0;
  let dropped = 0;
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk;
    if (headSize < headLimit) {
      const part = rest.subarray(0, headLimit - headSize);
      head.push(part);
      headSize += part.length;
      rest = rest.subarray(part.length);
    }
    if (rest.length === 0) return;
    tail.push(rest);
    tailSize += rest.length;
    while (tailSize > limit - headLimit && tail.length > 1) {
      const { length } = firstItem(tail.splice(0, 1));
      tailSize -= length;
      dropped += length;
    }
  });
  return {
    finish: () => {
      const note = dropped > 0 ? [Buffer.from(`\n[... ${dropped} bytes dropped ...]\n`)] : [];
      return { data: Buffer.concat([...head, ...note, ...tail]), truncated: dropped > 0 };
    },
  };
}

async function findByEnvironment(name: string | readonly string[], value: string): Promise<number[]> {
  const wanted = [name].flat().map((one) => Buffer.from(`\0${one}=${value}\0`));
  return processNumbers().filter((pid) => {
    if (pid === process.pid) return false;
    const environ = readProcessFile(pid, 'environ');
    if (environ === null || environ.length === 0) return false;
    const whole = Buffer.concat([NUL, environ, NUL]);
    return wanted.some((one) => whole.includes(one));
  });
}

const NUL = Buffer.from([0]);

function kill(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

function terminate(pid: number): boolean {
  try {
    process.kill(pid, 'SIGTERM');
    return true;
  } catch {
    return false;
  }
}
