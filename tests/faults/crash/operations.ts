/**
 * A platform whose durable operations pass through one hand: every change of a file through `Files`, and every git command that
 * changes objects, refs, index or files.
 *
 * 1. `torn` does what a cut in the middle leaves: half of the bytes at the path, half of a temporary where the operation is atomic, half of
 *    a removed tree, the lock of a git command.
 * 2. Files that were written without being forced to the disk are known with the length that is certain; so are journal lines whose
 *    writing was acknowledged.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { NewFile } from '../../../src/platform/create-all.ts';
import { TEMPORARY_PREFIX, type Files } from '../../../src/platform/files.ts';
import type { Platform } from '../../../src/platform/platform.ts';
import type { RunResult, RunSpec } from '../../../src/platform/processes.ts';

export interface Operation {
  kind: string;
  target: string;
  /** It reaches out: that a remote refuses is no fault of this disk, and is told as such. */
  remote?: boolean;
  torn(): void;
  /** What the operation gives where the system refuses it: an error, or git's own words. */
  refuse(code: string): unknown;
}

export interface Trace {
  /** Bytes of each file that a power cut cannot take. */
  certain: Map<string, number>;
  /** Lines of journals that were on the disk when the caller was told so. */
  acknowledged: { path: string; line: string }[];
}

export type Hand = <T>(operation: Operation, act: () => Promise<T>) => Promise<T>;

export function throughOneHand(real: Platform, hand: Hand, guard: () => void = () => {}): { platform: Platform; trace: Trace } {
  const trace: Trace = { certain: new Map(), acknowledged: [] };
  const files = { ...real.files };
  for (const name of Object.keys(real.files) as (keyof Files)[]) {
    const original = real.files[name] as (...args: unknown[]) => Promise<unknown>;
    (files as unknown as Record<string, unknown>)[name] = async (...args: unknown[]) => {
      guard();
      return await original(...args);
    };
  }
  Object.assign(files, durableFiles(real.files, hand, trace));
  const processes: Platform['processes'] = {
    ...real.processes,
    run: async (spec) => {
      guard();
      const command = spec.file === 'git' ? writerIn(spec.args) : null;
      if (command === null) return await real.processes.run(spec);
      return await hand(gitOperation(spec, command), () => real.processes.run(spec));
    },
    start: async (spec) => {
      guard();
      return await real.processes.start(spec);
    },
  };
  return { platform: { ...real, files, processes }, trace };
}

function durableFiles(real: Files, hand: Hand, trace: Trace): Partial<Files> {
  const pending = new Map<string, string[]>();
  const unforced = (path: string): void => void trace.certain.set(path, 0);
  return {
    writeAtomic: (path, data, mode) =>
      hand(
        operation('writeAtomic', path, () => half(temporaryOf(path), data)),
        () => real.writeAtomic(path, data, mode),
      ),
    write: (path, data, mode) =>
      hand(
        operation('write', path, () => half(path, data)),
        async () => {
          await real.write(path, data, mode);
          unforced(path);
        },
      ),
    writeNew: (path, data, mode) =>
      hand(
        operation('writeNew', path, () => half(path, data)),
        async () => {
          await real.writeNew(path, data, mode);
          unforced(path);
        },
      ),
    createAll: (entries) =>
      hand(
        operation('createAll', entries[0]?.path ?? '', () => createHalf(entries)),
        () => real.createAll(entries),
      ),
    append: (path, data, options) =>
      hand(
        operation('append', path, () => half(path, data, 'a')),
        async () => {
          const before = existsSync(path) ? statSync(path).size : 0;
          await real.append(path, data, options);
          const lines = [...(pending.get(path) ?? []), ...data.split('\n').filter((line) => line !== '')];
          if (options?.sync !== true) {
            pending.set(path, lines);
            if (!trace.certain.has(path)) trace.certain.set(path, before);
            return;
          }
          pending.delete(path);
          trace.certain.delete(path);
          trace.acknowledged.push(...lines.map((line) => ({ path, line })));
        },
      ),
    truncate: (path, length) => hand(operation('truncate', path), () => real.truncate(path, length)),
    rename: (from, to) =>
      hand(operation('rename', to), async () => {
        await real.rename(from, to);
        for (const path of trace.certain.keys()) if (path === from || path.startsWith(`${from}/`)) trace.certain.delete(path);
      }),
    createExclusive: (path, data) =>
      hand(
        operation('createExclusive', path, () => half(temporaryOf(path), data)),
        () => real.createExclusive(path, data),
      ),
    symlink: (target, path) => hand(operation('symlink', path), () => real.symlink(target, path)),
    copy: (from, to) =>
      hand(
        operation('copy', to, () => half(to, 'torn copy')),
        () => real.copy(from, to),
      ),
    remove: async (path) => {
      if (!isThere(path)) return;
      await hand(
        operation('remove', path, () => removeHalf(path)),
        () => real.remove(path),
      );
    },
  };
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function operation(kind: string, target: string, torn: () => void = () => {}): Operation {
  return {
    kind,
    target,
    torn,
    refuse: (code) => {
      throw Object.assign(new Error(`${code}: injected, ${kind} '${target}'`), { code });
    },
  };
}

function half(path: string, data: string | Uint8Array, flag: 'a' | 'w' = 'w'): void {
  const bytes = Buffer.from(data as Uint8Array);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes.subarray(0, bytes.length >> 1), { flag });
}

/** Some are there, the next one is half a temporary, the others are not. */
function createHalf(entries: readonly NewFile[]): void {
  const [middle, ...before] = entries.slice(0, (entries.length >> 1) + 1).toReversed();
  for (const { path, data } of before) {
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, data, { mode: 0o444 });
  }
  if (middle !== undefined) half(join(dirname(middle.path), 'tmp_obj_torn'), middle.data);
}

function temporaryOf(path: string): string {
  return join(dirname(path), `${TEMPORARY_PREFIX}${basename(path)}-p${process.pid}-torn`);
}

/** A tree is gone in part: the first entry of it only. */
function removeHalf(path: string): void {
  if (!existsSync(path) || !statSync(path).isDirectory()) return;
  const [first] = readdirSync(path);
  if (first !== undefined) rmSync(join(path, first), { recursive: true, force: true });
}

const WRITERS = new Set([
  'update-ref',
  'read-tree',
  'update-index',
  'commit-tree',
  'write-tree',
  'hash-object',
  'add',
  'stash',
  'init',
  'fetch',
  'push',
  'mktree',
]);
/** Those that leave a lock behind when they are cut off. */
const INDEX_WRITERS = new Set(['read-tree', 'update-index', 'add']);

function writerIn(args: readonly string[]): string | null {
  const command = args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c') ?? '';
  if (!WRITERS.has(command) || args.includes('list')) return null;
  return (command === 'hash-object' && !args.includes('-w')) || (command === 'read-tree' && args.includes('-n')) ? null : command;
}

function gitOperation(spec: RunSpec, command: string): Operation {
  const index = spec.env['GIT_INDEX_FILE'] ?? join(spec.env['GIT_DIR'] ?? join(spec.cwd, '.git'), 'index');
  return {
    kind: `git ${command}`,
    target: spec.args
      .slice(spec.args.indexOf(command) + 1)
      .join(' ')
      .slice(0, 100),
    torn: () => {
      if (INDEX_WRITERS.has(command) && existsSync(dirname(index))) writeFileSync(`${index}.lock`, 'half');
    },
    refuse: (code) => gitRefusal(code),
    remote: command === 'push' || spec.args.includes('origin'),
  };
}

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'fatal: write error: No space left on device',
  EROFS: 'fatal: Unable to create lock: Read-only file system',
  EIO: 'fatal: write error: Input/output error',
};

function gitRefusal(code: string): RunResult {
  return {
    code: 128,
    signal: null,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(`${WORDS[code] ?? code}\n`),
    extra: [],
    timedOut: false,
    aborted: false,
    truncated: false,
    durationMs: 0,
    sandboxed: false,
  };
}
