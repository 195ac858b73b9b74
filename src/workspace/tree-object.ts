/** A tree as git stores it: mode, name and id of each entry, in the order of git. Pure. */
import { usageError } from '../domain/errors.ts';

export interface TreeItem {
  name: string;
  mode: string;
  oid: string;
}

export const FOLDER = '40000';

/** A name that is not UTF-8 cannot be carried safely and is refused. */
export function parseTree(content: Buffer, oidBytes: number): TreeItem[] {
  const items: TreeItem[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const name = content.toString('utf8', space + 1, end);
    if (name.includes('\ufffd') && !Buffer.from(name, 'utf8').equals(content.subarray(space + 1, end)))
      throw usageError(
        `A tracked file has a name that is not valid UTF-8: ${name}`,
        'Rename the file; the harness works with UTF-8 names only.',
      );
    items.push({
      mode: content.toString('latin1', at, space),
      name,
      oid: content.toString('hex', end + 1, end + 1 + oidBytes),
    });
    at = end + 1 + oidBytes;
  }
  return items;
}

export function formatTree(items: readonly TreeItem[]): Buffer {
  const sorted = items.map((item) => ({ item, key: sortName(item) })).sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(sorted.flatMap(({ item: { mode, name, oid } }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]));
}

/** Byte by byte, a folder as if its name ended with a slash. */
export function compareItems(a: TreeItem, b: TreeItem): number {
  return Buffer.compare(sortName(a), sortName(b));
}

function sortName({ name, mode }: TreeItem): Buffer {
  return Buffer.from(mode === FOLDER ? `${name}/` : name);
}
