/**
 * A platform that fails at one chosen durable operation.
 *
 * 1. Durable operations are counted: every change of a file through `Files`, and every git command that changes refs, index or files.
 * 2. A crash is an exception after which every further operation throws as well, so that no `finally` can repair anything.
 * 3. `torn` leaves half of the bytes at the final path, or half of a temporary where the operation is atomic; a torn git command leaves its lock.
 * 4. `unsynced` crashes after the operation and takes away everything that was not yet forced to the disk.
 */
import { readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TEMPORARY_PREFIX, type Files } from '../../../src/platform/files.ts';
import type { Platform } from '../../../src/platform/platform.ts';
import type { RunSpec } from '../../../src/platform/processes.ts';

export const FAULTS = ['before', 'after', 'torn', 'unsynced', 'ENOSPC', 'EIO', 'EROFS'] as const;
export type Fault = (typeof FAULTS)[number];

export interface Operation {
  kind: string;
  target: string;
}

export interface FaultyPlatform {
  platform: Platform;
  operations: Operation[];
  /** Lines of journals that were on the disk when the caller was told so. */
  acknowledged: { path: string; lines: string[] }[];
  /** Waits until what was under way has ended, and takes away what was not synced if the fault says so. */
  settle(): Promise<void>;
}

export class Crash extends Error {
  constructor() {
    super('the machine went down here');
    this.name = 'Crash';
  }
}

const GIT_WRITERS = new Set([
  'update-ref',
  'read-tree',
  'update-index',
  'commit-tree',
  'write-tree',
  'hash-object',
  'add',
  'stash',
  'init',
  'unpack-objects',
  'mktree',
]);
/** Those that leave a lock behind when they are cut off. */
const INDEX_WRITERS = new Set(['read-tree', 'update-index']);

export function faultyPlatform(real: Platform, plan: { point: number; fault: Fault } | null): FaultyPlatform {
  const operations: Operation[] = [];
  const acknowledged: FaultyPlatform['acknowledged'] = [];
  const written = new Map<string, { synced: number; pending: string[] }>();
  const running = new Set<Promise<unknown>>();
  let down = false;

  const alive = (): void => {
    if (down) throw new Crash();
  };
  const crash = (): never => {
    down = true;
    throw new Crash();
  };
  const track = async <T>(work: Promise<T>): Promise<T> => {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  };

  const durable = async <T>(operation: Operation, act: () => Promise<T>, torn: () => Promise<void>): Promise<T> => {
    alive();
    const point = operations.push(operation) - 1;
    if (plan === null || point !== plan.point) return await track(act());
    switch (plan.fault) {
      case 'before':
        return crash();
      case 'after':
      case 'unsynced':
        await track(act());
        return crash();
      case 'torn':
        await torn();
        return crash();
      default:
        throw Object.assign(new Error(`${plan.fault}: injected at ${operation.kind} ${operation.target}`), { code: plan.fault });
    }
  };

  const half = async (path: string, data: string | Uint8Array): Promise<void> => {
    const bytes = Buffer.from(data as Uint8Array);
    await writeFile(path, bytes.subarray(0, bytes.length >> 1), { flag: 'a' });
  };
  const temporaryOf = (path: string): string => join(dirname(path), `${TEMPORARY_PREFIX}${basename(path)}-p${process.pid}-torn`);
  const nothing = async (): Promise<void> => {};

  const files: Files = { ...real.files };
  for (const name of Object.keys(real.files) as (keyof Files)[]) {
    const original = real.files[name] as (...args: unknown[]) => Promise<unknown>;
    (files as unknown as Record<string, unknown>)[name] = async (...args: unknown[]) => {
      alive();
      return await track(original(...args));
    };
  }
  Object.assign(files, {
    writeAtomic: (path, data, mode) =>
      durable(
        { kind: 'writeAtomic', target: path },
        () => real.files.writeAtomic(path, data, mode),
        () => half(temporaryOf(path), data),
      ),
    write: (path, data, mode) =>
      durable(
        { kind: 'write', target: path },
        async () => {
          await real.files.write(path, data, mode);
          written.set(path, { synced: 0, pending: [] });
        },
        async () => {
          await real.files.write(path, '', mode);
          await half(path, data);
        },
      ),
    writeNew: (path, data, mode) =>
      durable(
        { kind: 'writeNew', target: path },
        async () => {
          await real.files.writeNew(path, data, mode);
          written.set(path, { synced: 0, pending: [] });
        },
        () => half(path, data),
      ),
    append: (path, data, options) =>
      durable(
        { kind: 'append', target: path },
        async () => {
          const before = await stat(path).then(
            (info) => info.size,
            () => 0,
          );
          await real.files.append(path, data, options);
          const known = written.get(path) ?? { synced: before, pending: [] };
          known.pending.push(...data.split('\n').filter((line) => line !== ''));
          if (options?.sync === true) {
            acknowledged.push({ path, lines: known.pending });
            written.set(path, { synced: before + Buffer.byteLength(data), pending: [] });
          } else written.set(path, known);
        },
        () => half(path, data),
      ),
    truncate: (path, length) => durable({ kind: 'truncate', target: path }, () => real.files.truncate(path, length), nothing),
    rename: (from, to) =>
      durable(
        { kind: 'rename', target: to },
        async () => {
          await real.files.rename(from, to);
          for (const path of written.keys()) if (path === from || path.startsWith(`${from}/`)) written.delete(path);
        },
        nothing,
      ),
    createExclusive: (path, data) =>
      durable(
        { kind: 'createExclusive', target: path },
        () => real.files.createExclusive(path, data),
        () => half(temporaryOf(path), data),
      ),
    symlink: (target, path) => durable({ kind: 'symlink', target: path }, () => real.files.symlink(target, path), nothing),
    copy: (from, to) =>
      durable(
        { kind: 'copy', target: to },
        () => real.files.copy(from, to),
        () => half(to, 'torn copy'),
      ),
    remove: (path) =>
      durable(
        { kind: 'remove', target: path },
        () => real.files.remove(path),
        () => removeHalf(real, path),
      ),
  } satisfies Partial<Files>);

  const run = async (spec: RunSpec): ReturnType<Platform['processes']['run']> => {
    alive();
    const command = spec.file === 'git' ? gitCommand(spec.args) : null;
    if (
      command === null ||
      !GIT_WRITERS.has(command) ||
      spec.args.includes('list') ||
      (command === 'hash-object' && !spec.args.includes('-w'))
    )
      return await track(real.processes.run(spec));
    const fails = plan !== null && operations.length === plan.point && !['before', 'after', 'torn', 'unsynced'].includes(plan.fault);
    if (fails) {
      operations.push({ kind: `git ${command}`, target: spec.cwd });
      const text =
        plan.fault === 'ENOSPC'
          ? 'fatal: write error: No space left on device'
          : plan.fault === 'EROFS'
            ? 'fatal: Unable to create lock: Read-only file system'
            : 'fatal: write error: Input/output error';
      return {
        code: 128,
        signal: null,
        stdout: Buffer.alloc(0),
        stderr: Buffer.from(`${text}\n`),
        extra: [],
        timedOut: false,
        aborted: false,
        truncated: false,
        durationMs: 0,
        sandboxed: false,
      };
    }
    return await durable(
      { kind: `git ${command}`, target: spec.args.slice(14).join(' ').slice(0, 80) },
      () => real.processes.run(spec),
      async () => {
        if (INDEX_WRITERS.has(command)) await writeFile(`${spec.env['GIT_INDEX_FILE'] ?? join(spec.cwd, '.git', 'index')}.lock`, 'half');
      },
    );
  };
  const processes: Platform['processes'] = {
    ...real.processes,
    run,
    start: async (spec) => {
      alive();
      return await real.processes.start(spec);
    },
  };
  const clock: Platform['clock'] = {
    ...real.clock,
    sleep: async (ms, signal) => {
      alive();
      await real.clock.sleep(ms, signal);
      alive();
    },
  };

  return {
    platform: { ...real, files, processes, clock },
    operations,
    acknowledged,
    settle: async () => {
      const crashed = down;
      // The process is gone now: what it had under way in the background does nothing any more.
      down = true;
      await Promise.allSettled(running);
      if (plan?.fault !== 'unsynced' || !crashed) return;
      for (const [path, { synced }] of written) await truncate(path, synced).catch(() => {});
    },
  };
}

function gitCommand(args: readonly string[]): string | null {
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '-c') at++;
    else if (!args[at]!.startsWith('-')) return args[at]!;
  }
  return null;
}

/** A tree is gone in part: the first entry of it only. */
async function removeHalf(real: Platform, path: string): Promise<void> {
  const [first] = await readdir(path).catch(() => []);
  if (first !== undefined) await real.files.remove(join(path, first));
}
