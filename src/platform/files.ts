/**
 * Files, with the durable operations spelled out.
 *
 * 1. `writeAtomic` leaves the old content or the new one: temporary file, fsync, rename, directory fsync.
 * 2. `append` reaches the disk before it returns when `sync` is set.
 * 3. Names of temporaries start with TEMPORARY_PREFIX, so that a sweep can find them.
 */
import {
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  type BigIntStats,
  type Dirent,
  statSync,
} from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { forced, forceFolder, isMissing, isThere, removeFolder, turn, writePlain } from './at-once.ts';
import { readPlain } from './plain-file.ts';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { createAll, type NewFile } from './create-all.ts';
import { ownName } from './own-name.ts';
import type { Random } from './random.ts';

export const TEMPORARY_PREFIX = '.harness-tmp-';

export interface Files {
  /** From now on no link is followed in this folder, whatever is done there (`guarded-files.ts`). */
  guard(folder: string): void;
  guards(folder: string): boolean;
  read(path: string): Promise<Buffer>;
  readText(path: string): Promise<string>;
  /** `null` when there is no such file. */
  readTextIfExists(path: string): Promise<string | null>;
  /** Up to `length` bytes from `position` on; fewer at the end of the file. */
  readSlice(path: string, position: number, length: number): Promise<Buffer>;
  exists(path: string): Promise<boolean>;
  lstat(path: string): Promise<BigIntStats>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  list(path: string): Promise<Dirent[]>;
  /** Names with what lstat says, for walks over many files; `null` for a name that cannot be looked at. */
  listStats(path: string): Promise<{ name: string; stat: BigIntStats | null }[]>;
  mkdir(path: string): Promise<void>;
  /** The same for a folder that only this user may enter; one of theirs that others may enter is closed to them. */
  mkdirPrivate(path: string): Promise<void>;
  writeAtomic(path: string, data: string | Uint8Array, mode?: number): Promise<void>;
  /** Plain write for files that can be made again (workspace, clean room, caches). */
  write(path: string, data: string | Uint8Array, mode?: number): Promise<void>;
  /** A file where nothing is yet: fails if something is, a link included. The mode is cut by the umask, as git does it. */
  writeNew(path: string, data: Uint8Array, mode: number): Promise<void>;
  /**
   * Files that never change once they are there: each appears whole or not at all, and all are on the disk when this returns. One that is there
   * already is left as it is, but counts as new from now on. Rights are those of the folder above the files' own, without writing.
   */
  createAll(entries: readonly NewFile[]): Promise<void>;
  append(path: string, data: string, options?: { sync?: boolean }): Promise<void>;
  truncate(path: string, length: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Creates `path` with `data` only if nothing is there; false when something is. */
  createExclusive(path: string, data: string | Uint8Array, mode?: number): Promise<boolean>;
  symlink(target: string, path: string): Promise<void>;
  chmod(path: string, mode: number): Promise<void>;
  copy(from: string, to: string): Promise<void>;
  /** Removes a file or a whole tree; missing is fine. */
  remove(path: string): Promise<void>;
  /** The same, but only out of the way when this returns: it lies as `aside` until it is removed, and whoever finds it there later may remove it. */
  putAway(path: string, aside: string): Promise<void>;
}

/** Without guards: `guardedFiles` adds them. */
export function nodeFiles(random: Random): Files {
  return {
    guard: () => {},
    guards: () => false,
    read: inTurn(read),
    readText: inTurn(async (path) => (await read(path)).toString('utf8')),
    readTextIfExists: inTurn(readTextIfExists),
    readSlice: (path, position, length) => readSlice(path, position, length),
    exists: inTurn(isThere),
    lstat: inTurn((path) => lstatSync(path, { bigint: true })),
    readlink: inTurn((path) => readlinkSync(path)),
    realpath: inTurn((path) => realpathSync.native(path)),
    list: inTurn((path) => readdirSync(path, { withFileTypes: true })),
    listStats: inTurn(listStats),
    mkdir: inTurn((path) => void mkdirSync(path, { recursive: true })),
    mkdirPrivate: inTurn(makePrivateFolder),
    writeAtomic: (path, data, mode) => writeAtomic(random, path, data, mode),
    write: inTurn((path, data, mode) => {
      writePlain(path, data, mode);
      if (mode !== undefined) chmodSync(path, mode);
    }),
    writeNew: inTurn((path, data, mode) => writeFileSync(path, data, { flag: 'wx', mode })),
    createAll: (entries) => createAll(random, entries),
    append: (path, data, options) => append(path, data, options?.sync ?? false),
    truncate: (path, length) => fs.truncate(path, length),
    rename: inTurn((from, to) => renameSync(from, to)),
    createExclusive: (path, data, mode) => createExclusive(random, path, data, mode),
    symlink: inTurn((target, path) => symlinkSync(target, path)),
    chmod: inTurn((path, mode) => chmodSync(path, mode)),
    copy: (from, to) => fs.copyFile(from, to, constants.COPYFILE_FICLONE),
    remove: (path) => remove(path),
    putAway: inTurn(putAway),
  };
}

/** What is done at once, after everything else had its turn. */
function inTurn<Args extends unknown[], Result>(work: (...args: Args) => Result | Promise<Result>): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const due = turn();
    if (due !== undefined) await due;
    return await work(...args);
  };
}

function read(path: string): Buffer | Promise<Buffer> {
  return readPlain(path) ?? readOther(path);
}

/** A pipe is read to its end. A device may have none: a link in a repository can lead to one. */
async function readOther(path: string): Promise<Buffer> {
  const stat = statSync(path);
  if (!stat.isCharacterDevice() && !stat.isBlockDevice()) return await fs.readFile(path);
  if (stat.rdev === statSync(NO_CONTENT).rdev) return Buffer.alloc(0);
  throw new HarnessError(`${path} leads to a device, not to a file.`, {
    exitCode: EXIT.usage,
    details: ['Nothing was read. Replace it with a file, then run the command again.'],
  });
}

const NO_CONTENT = '/dev/null';

async function readTextIfExists(path: string): Promise<string | null> {
  if (isMissing(path)) return null;
  try {
    return (await read(path)).toString('utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return null;
    throw error;
  }
}

function listStats(path: string): { name: string; stat: BigIntStats | null }[] {
  return readdirSync(path).map((name) => {
    try {
      return { name, stat: lstatSync(join(path, name), { bigint: true }) };
    } catch {
      return { name, stat: null };
    }
  });
}

async function writeAtomic(random: Random, path: string, data: string | Uint8Array, mode = 0o644): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, ownName(`${TEMPORARY_PREFIX}${basename(path)}`, random.id(4)));
  await writeForced(temporary, data, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await forceFolder(folder);
}

/** A new file, on the disk when this returns; nothing is left of one that could not be written. */
async function writeForced(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  const descriptor = openSync(path, 'wx', mode);
  try {
    writeFileSync(descriptor, data);
    await forced(descriptor);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

async function readSlice(path: string, position: number, length: number): Promise<Buffer> {
  const handle = await fs.open(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

async function append(path: string, data: string, sync: boolean): Promise<void> {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK, 0o644);
  try {
    writeFileSync(descriptor, data);
    if (sync) await forced(descriptor, true);
  } finally {
    closeSync(descriptor);
  }
}

/** The file appears with its whole content or not at all, so that no reader meets a half-written one. */
async function createExclusive(random: Random, path: string, data: string | Uint8Array, mode = 0o644): Promise<boolean> {
  const temporary = join(dirname(path), ownName(`${TEMPORARY_PREFIX}${basename(path)}`, random.id(4)));
  try {
    await writeForced(temporary, data, mode);
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!NO_HARD_LINKS.some((code) => hasCode(error, code))) throw error;
    return await writeForced(path, data, mode).then(
      () => true,
      (failure: unknown) => {
        if (hasCode(failure, 'EEXIST')) return false;
        throw failure;
      },
    );
  } finally {
    rmSync(temporary, { force: true });
  }
}

const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Also removes what an agent made hard to remove: directories without permissions, names that are no UTF-8, trees deeper than a path is long. */
async function remove(path: string): Promise<void> {
  if (removeFile(path)) return;
  try {
    await removeFolder(path);
  } catch {
    await fs.rm(path, { recursive: true, force: true }).catch(() => removeByPrograms(path));
  }
}

/** Removing waits for the disk, which nobody else has to. */
async function putAway(path: string, aside: string): Promise<void> {
  try {
    renameSync(path, aside);
  } catch {
    return await remove(path);
  }
  void remove(aside).catch(() => {});
}

/** They go down one directory at a time, with bytes for names; neither follows a link that it meets. */
async function removeByPrograms(path: string): Promise<void> {
  // Loaded when first needed: a command that only looks starts faster without them.
  const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')]);
  const options = { cwd: dirname(path), env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' }, maxBuffer: Infinity };
  // By name: the path of an opened folder means nothing to another process.
  await promisify(execFile)('chmod', ['-R', 'u+rwx', '--', basename(path)], options).catch(() => {});
  await promisify(execFile)('rm', ['-rf', '--', basename(path)], options);
}

/** Most of what is removed is a file, and one call is enough for it; false for everything that needs more. */
function removeFile(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return hasCode(error, 'ENOENT');
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** A folder that only its owner can enter: made so, and made so where it is this user's and others could enter it. */
const [OWNER, OTHERS] = [0o700, 0o077];

function makePrivateFolder(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  mkdirSync(path, { recursive: true, mode: OWNER });
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(path, OWNER);
}
