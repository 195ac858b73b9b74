/**
 * Files without waiting: synchronous inside, because handing a small question to another thread and back takes ten times as long as the kernel
 * takes to answer it.
 *
 * 1. Whoever asks many of them calls `turn` between: nothing else of this process waits for longer than a moment.
 * 2. Nothing here waits for a reader or a writer: a pipe in the place of a file does not hold the process up.
 * 3. What is forced to the disk is waited for in another thread, because a disk may take its time.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fsync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdir,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers';

const MOMENT_MS = 20;
let begun: number | null = null;

/** Lets everything else have its turn, where it is due; undefined where it is not. */
export function turn(): Promise<void> | undefined {
  const now = performance.now();
  if (begun === null) {
    begun = now;
    setImmediate(() => (begun = null));
    return undefined;
  }
  return now - begun < MOMENT_MS ? undefined : new Promise((resolve) => void setImmediate(() => resolve()));
}

/** Whether something is certainly not there. */
export function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** A link that leads nowhere is there as well. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** `null` where nothing is there, or nobody may say. */
export function realPath(path: string): string | null {
  if (!isThere(path)) return null;
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** A pipe that nobody reads is no place to write to. */
export function writePlain(path: string, data: string | Uint8Array, mode: number | undefined): void {
  const flag = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;
  const descriptor = openSync(path, flag, mode);
  try {
    writeFileSync(descriptor, data);
  } finally {
    closeSync(descriptor);
  }
}

/** Resolves when what was written is on the disk; `dataOnly`: times and the like may follow later. */
export function forced(descriptor: number, dataOnly = false): Promise<void> {
  return new Promise((resolve, reject) => {
    (dataOnly ? fdatasync : fsync)(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });
}

export async function forceFolder(folder: string): Promise<void> {
  const descriptor = openSync(folder, constants.O_RDONLY);
  try {
    await forced(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const FOLDERS_AT_ONCE = 8;

/**
 * A folder with everything in it; links are taken away and never followed. Fails where a part of it cannot be removed. Folders go in other
 * threads, because a disk that is told at once what is free takes milliseconds for each.
 */
export async function removeFolder(path: string): Promise<void> {
  await turn();
  const folders: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name);
    if (entry.isDirectory()) folders.push(below);
    else unlinkSync(below);
  }
  const work = async (): Promise<void> => {
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) await removeFolder(folder);
  };
  await Promise.all(Array.from({ length: Math.min(FOLDERS_AT_ONCE, folders.length) }, work));
  await new Promise<void>((resolve, reject) => rmdir(path, (error) => (error === null ? resolve() : reject(error))));
}
