/**
 * A tree with edits applied. Only the folders on the way to an edit are read and made anew.
 *
 * 1. What is deleted goes first, so that a file may take the place of a folder and the other way round.
 * 2. A folder without entries is none.
 * 3. A path that could not stand in a tree is an error.
 */
import { looksLikeGitDirectory } from '../domain/file-names.ts';
import type { TreeEdit } from '../domain/tree.ts';
import { safeRelativePath } from './paths.ts';
import { FOLDER, formatTree, type TreeItem } from './tree-object.ts';
import { objectId, type NewObject, type ObjectFormat } from './write-objects.ts';
import { lastItem } from '../domain/items.ts';

/** A folder that was opened, by name; an item stands for what was left as it is. */
type Folder = Map<string, TreeItem | Folder>;

export interface Composed {
  tree: string;
  /** Everything new, the tree itself included. */
  objects: NewObject[];
}

export async function composeTree(
  read: (oid: string) => Promise<readonly TreeItem[]>,
  tree: string,
  edits: readonly TreeEdit[],
  format: ObjectFormat,
): Promise<Composed> {
  const objects: NewObject[] = [];
  const open = async (oid: string): Promise<Folder> => new Map((await read(oid)).map((item) => [item.name, item]));
  const root = await open(tree);
  for (const edit of edits) if (edit.kind === 'delete') await remove(root, edit.path.split('/'), open);
  for (const edit of edits) {
    if (edit.kind === 'delete') continue;
    checkPath(edit.path);
    const name = edit.path.slice(edit.path.lastIndexOf('/') + 1);
    if (edit.kind === 'entry') await put(root, edit.path.split('/'), { name, mode: edit.entry.mode, oid: edit.entry.oid }, open);
    else {
      const blob: NewObject = { type: 'blob', content: Buffer.from(edit.content as Uint8Array) };
      objects.push(blob);
      await put(root, edit.path.split('/'), { name, mode: edit.mode ?? '100644', oid: objectId(blob, format) }, open);
    }
  }
  return { tree: close(root, objects, format) ?? emptyTree(objects, format), objects };
}

function checkPath(path: string): void {
  if (safeRelativePath(path) !== path || path.split('/').some(looksLikeGitDirectory))
    throw new Error(`${JSON.stringify(path)} cannot be in a tree`);
}

type Open = (oid: string) => Promise<Folder>;

async function put(root: Folder, parts: string[], item: TreeItem, open: Open): Promise<void> {
  let folder = root;
  for (const part of parts.slice(0, -1)) {
    const next = (await enter(folder, part, open)) ?? new Map<string, TreeItem | Folder>();
    folder.set(part, next);
    folder = next;
  }
  folder.set(item.name, item);
}

/** A file by exactly this path; a folder of that name is left. */
async function remove(root: Folder, parts: string[], open: Open): Promise<void> {
  let folder = root;
  for (const part of parts.slice(0, -1)) {
    const next = await enter(folder, part, open);
    if (next === null) return;
    folder.set(part, next);
    folder = next;
  }
  const name = lastItem(parts);
  const there = folder.get(name);
  if (there !== undefined && !(there instanceof Map) && there.mode !== FOLDER) folder.delete(name);
}

async function enter(folder: Folder, name: string, open: Open): Promise<Folder | null> {
  const there = folder.get(name);
  if (there instanceof Map) return there;
  return there?.mode === FOLDER ? await open(there.oid) : null;
}

/** The folder's id with what had to be made for it; `null` when nothing is in it. */
function close(folder: Folder, objects: NewObject[], format: ObjectFormat): string | null {
  const items: TreeItem[] = [];
  for (const [name, there] of folder) {
    const oid = there instanceof Map ? close(there, objects, format) : there.oid;
    if (oid !== null) items.push({ name, mode: there instanceof Map ? FOLDER : there.mode, oid });
  }
  if (items.length === 0) return null;
  const tree: NewObject = { type: 'tree', content: formatTree(items) };
  objects.push(tree);
  return objectId(tree, format);
}

function emptyTree(objects: NewObject[], format: ObjectFormat): string {
  const tree: NewObject = { type: 'tree', content: Buffer.alloc(0) };
  objects.push(tree);
  return objectId(tree, format);
}
