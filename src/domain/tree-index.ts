/** What lists of files are asked for again and again, made once for each list: the list of a tree never changes. Pure. */
import type { TreeEntry } from './tree.ts';

const maps = new WeakMap<readonly TreeEntry[], ReadonlyMap<string, TreeEntry>>();
const lists = new WeakMap<readonly { path: string }[], readonly string[]>();
const sets = new WeakMap<readonly { path: string }[], ReadonlySet<string>>();
const folderSets = new WeakMap<readonly { path: string }[], ReadonlySet<string>>();

export function entriesByPath(list: readonly TreeEntry[]): ReadonlyMap<string, TreeEntry> {
  return once(maps, list, () => new Map(list.map((entry) => [entry.path, entry])));
}

export function pathsOf(list: readonly { path: string }[]): readonly string[] {
  return once(lists, list, () => list.map((entry) => entry.path));
}

export function pathSetOf(list: readonly { path: string }[]): ReadonlySet<string> {
  return once(sets, list, () => new Set(pathsOf(list)));
}

/** Every folder that something lies in. */
export function foldersOf(list: readonly { path: string }[]): ReadonlySet<string> {
  return once(folderSets, list, () => {
    const folders = new Set<string>();
    let last = '/';
    for (const { path } of list) {
      if (path.startsWith(last) && path.lastIndexOf('/') === last.length - 1) continue;
      last = path.slice(0, path.lastIndexOf('/') + 1);
      for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
        const folder = path.slice(0, cut);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    return folders;
  });
}

function once<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}
