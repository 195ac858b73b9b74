/**
 * Documents as files of a folder, with the guarantees of `platform/files.ts`.
 *
 * 1. No link below the folder of a store is followed (`platform/guarded-files.ts`).
 * 2. The lock is loaded with the first command that holds it: looking is quick.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { hasCode, TEMPORARY_PREFIX } from '../platform/files.ts';
import type { Platform } from '../platform/platform.ts';
import { sealFor } from './seal.ts';
import { asideName, type DocumentStore, type Shelf } from './shelf.ts';

const LOCK = 'lock';

/** Folders whose documents lie elsewhere. */
const served = new Map<string, DocumentStore>();

/** From now on this folder opens as this store: for commands that look at a project whose documents are not on this machine. */
export function serveFolder(folder: string, store: DocumentStore): void {
  served.set(folder, store);
}

export function folderStore(platform: Platform, folder: string): DocumentStore {
  const elsewhere = served.get(folder);
  if (elsewhere !== undefined) return elsewhere;
  platform.files.guard(folder);
  return {
    ...folderShelf(platform, folder, '', sealFor(platform, folder)),
    hold: async (command, work) => (await import('./lock.ts')).withLock(platform, join(folder, LOCK), command, work),
    holder: async () => (await import('./lock.ts')).readHolder(platform, join(folder, LOCK)),
  };
}

/** `prefix`: the folders below the first one. */
export function folderShelf(platform: Platform, root: string, prefix = '', seal = sealFor(platform, root)): Shelf {
  const { files } = platform;
  const folder = join(root, prefix);
  const where = (name?: string): string => (name === undefined ? folder : join(folder, name));
  return {
    where,
    read: (name) => files.readTextIfExists(where(name)),
    readBytes: async (name) => ((await files.exists(where(name))) ? await files.read(where(name)) : null),
    has: (name) => files.exists(where(name)),
    write: async (name, content) => {
      if (!where(name).startsWith(join(root, '/'))) throw usageError(`${where(name)} leads out of ${root}.`, 'Nothing was written there.');
      await files.mkdir(dirname(where(name)));
      await files.writeAtomic(where(name), content);
    },
    remove: (name) => files.remove(where(name)),
    move: async (name, to) => {
      if (!(await files.exists(where(name)))) return;
      await files.mkdir(dirname(where(to)));
      await files.remove(where(to));
      await files.rename(where(name), where(to));
    },
    make: () => files.mkdir(folder),
    list: async () => (await namesIn(platform, folder)).filter((name) => prefix !== '' || name !== '.gitignore'),
    setAside: async (name, why) => {
      const first = where(asideName(name, platform.clock.now(), why));
      const aside = (await files.exists(first)) ? `${first}-${platform.random.id(2)}` : first;
      await files.rename(where(name), aside);
      return aside;
    },
    seal,
    in: (name) => folderShelf(platform, root, prefix === '' ? name : `${prefix}/${name}`, seal),
  };
}

async function namesIn(platform: Platform, folder: string): Promise<string[]> {
  try {
    const names = (await platform.files.list(folder)).map((entry) => entry.name);
    // What another process is writing is no document yet.
    return names.filter((name) => !name.startsWith(TEMPORARY_PREFIX)).toSorted();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
