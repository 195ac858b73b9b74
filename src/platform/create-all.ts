/** Many small files that never change, as git stores its objects: see `Files.createAll`. */
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { forced, isMissing, turn } from './at-once.ts';
import type { Random } from './random.ts';

export interface NewFile {
  path: string;
  data: Uint8Array;
}

/** As git names them: its own housekeeping removes what a crash leaves. */
const TEMPORARY = 'tmp_obj_';
const AT_ONCE = 8;

export async function createAll(random: Random, entries: readonly NewFile[]): Promise<void> {
  const rights = new Map<string, number>();
  const folders = new Set<string>();
  const queue = [...new Map(entries.map((entry) => [entry.path, entry])).values()];
  const work = async (): Promise<void> => {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
      await turn();
      if (touch(entry.path)) continue;
      const folder = dirname(entry.path);
      const above = dirname(folder);
      const mode = rights.get(above) ?? lstatSync(above).mode & 0o7777;
      rights.set(above, mode);
      if (!folders.has(folder)) makeFolder(folder, mode);
      folders.add(folder);
      await createOne(join(folder, `${TEMPORARY}${random.id(6)}`), entry, mode & 0o444);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, work));
}

/** Whether it is there: touched, so that nobody who clears away old files takes it for one. */
function touch(path: string): boolean {
  if (isMissing(path)) return false;
  const now = new Date();
  try {
    utimesSync(path, now, now);
    return true;
  } catch (error) {
    return !MISSING.has((error as NodeJS.ErrnoException).code ?? '');
  }
}

const MISSING = new Set(['ENOENT', 'ENOTDIR']);

function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return;
  }
  chmodSync(folder, mode);
}

async function createOne(temporary: string, { path, data }: NewFile, mode: number): Promise<void> {
  const descriptor = openSync(temporary, 'wx', mode);
  try {
    try {
      writeFileSync(descriptor, data);
      await forced(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
