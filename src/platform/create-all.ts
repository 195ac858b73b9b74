/** Many small files that never change, as git stores its objects: see `Files.createAll`. */
import { chmod, lstat, mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from './random.ts';

export interface NewFile {
  path: string;
  data: Uint8Array;
}

/** As git names them: its own housekeeping removes what a crash leaves. */
const TEMPORARY = 'tmp_obj_';
const AT_ONCE = 8;

export async function createAll(random: Random, entries: readonly NewFile[]): Promise<void> {
  const rights = new Map<string, Promise<number>>();
  const folders = new Map<string, Promise<void>>();
  const rightsOf = (folder: string): Promise<number> => once(rights, folder, async () => (await lstat(folder)).mode & 0o7777);
  const queue = [...new Map(entries.map((entry) => [entry.path, entry])).values()];
  const work = async (): Promise<void> => {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
      if (await isThere(entry.path)) continue;
      const folder = dirname(entry.path);
      const mode = await rightsOf(dirname(folder));
      await once(folders, folder, () => makeFolder(folder, mode));
      await createOne(join(folder, `${TEMPORARY}${random.id(6)}`), entry, mode & 0o444);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, work));
}

/** One attempt for each key, shared by all who ask. */
function once<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/** Touched, so that nobody who clears away old files takes it for one. */
async function isThere(path: string): Promise<boolean> {
  const now = new Date();
  return await utimes(path, now, now).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  const isNew = await mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
  if (isNew) await chmod(folder, mode);
}

async function createOne(temporary: string, { path, data }: NewFile, mode: number): Promise<void> {
  const handle = await open(temporary, 'wx', mode);
  try {
    await handle.writeFile(data);
    await handle.sync();
    await handle.close();
    await rename(temporary, path);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
}
