/**
 * Folders that are laid out for a run, and serve the next one where the run left everything in them as it was.
 *
 * 1. As it was: the same entries with the same inodes, rights, sizes and change times, the folder itself among them. Nobody can set a change
 *    time back, so nothing that a run wrote, marked or took away is met by a later one.
 * 2. What was changed is taken away, and laid out anew for the next run.
 */
import { dirname, join } from 'node:path';
import { ownName } from '../../platform/own-name.ts';
import type { Platform } from '../../platform/platform.ts';

export interface Furnishing {
  folders: readonly string[];
  files: readonly (readonly [path: string, content: string | Uint8Array])[];
}

export interface Spares {
  /** Lays one out for whoever needs it later, where nobody else can reach it meanwhile. */
  layAhead(kind: string, furnishing: Furnishing): Promise<void>;
  /** Lays a folder out at a path where nothing is. `done`: nothing runs there any more. */
  place(kind: string, path: string, make: () => Furnishing): Promise<{ done: () => Promise<void> }>;
  dispose(): Promise<void>;
}

interface Spare {
  path: string;
  furnishing: Furnishing;
}

export function createSpares(platform: Platform, scratch: string): Spares {
  const { files } = platform;
  const waiting = new Map<string, Spare[]>();
  const aside = (): string => join(scratch, ownName('run', platform.random.id(8)));

  /** A note of everything in it; null where something else is there, or something is missing. */
  const noteOf = async (path: string, furnishing: Furnishing): Promise<string | null> => {
    const notes: string[] = [];
    for (const [folder, names] of entriesOf(furnishing)) {
      const found = await files.list(join(path, folder)).catch(() => null);
      if (found === null || found.length !== names.size || !found.every((entry) => names.has(entry.name))) return null;
      for (const name of folder === '' ? ['', ...names] : names) {
        const stat = await files.lstat(join(path, folder, name)).catch(() => null);
        if (stat === null) return null;
        notes.push([folder, name, stat.ino, stat.mode, stat.nlink, stat.size, stat.ctimeNs].join(' '));
      }
    }
    return notes.join('\n');
  };
  const layOut = async (path: string, { folders, files: contents }: Furnishing): Promise<void> => {
    await files.mkdir(path);
    for (const folder of folders) await files.mkdir(join(path, folder));
    for (const [name, content] of contents) await files.write(join(path, name), content);
  };
  const takeSpare = async (kind: string, path: string): Promise<Furnishing | null> => {
    const spare = waiting.get(kind)?.pop();
    if (spare === undefined) return null;
    const moved = await files.rename(spare.path, path).then(
      () => true,
      () => false,
    );
    return moved ? spare.furnishing : null;
  };

  const keep = (kind: string, spare: Spare): void => void waiting.set(kind, [...(waiting.get(kind) ?? []), spare]);

  return {
    layAhead: async (kind, furnishing) => {
      const path = aside();
      await layOut(path, furnishing);
      keep(kind, { path, furnishing });
    },
    place: async (kind, path, make) => {
      let furnishing = await takeSpare(kind, path);
      if (furnishing === null) await layOut(path, (furnishing = make()));
      const note = await noteOf(path, furnishing);
      return {
        done: async () => {
          const other = aside();
          if (note === null || (await noteOf(path, furnishing)) !== note) return await files.putAway(path, other);
          await files.rename(path, other);
          keep(kind, { path: other, furnishing });
        },
      };
    },
    dispose: async () => {
      const all = [...waiting.values()].flat();
      waiting.clear();
      for (const { path } of all) await files.putAway(path, aside());
    },
  };
}

/** The names in each folder, the outermost first. */
function entriesOf({ folders, files }: Furnishing): Map<string, Set<string>> {
  const entries = new Map<string, Set<string>>([['', new Set()]]);
  const add = (path: string): void => {
    const folder = dirname(path) === '.' ? '' : dirname(path);
    if (!entries.has(folder)) add(folder);
    entries.set(folder, (entries.get(folder) ?? new Set<string>()).add(path.slice(folder === '' ? 0 : folder.length + 1)));
  };
  for (const folder of folders) {
    add(folder);
    if (!entries.has(folder)) entries.set(folder, new Set());
  }
  for (const [path] of files) add(path);
  return entries;
}
