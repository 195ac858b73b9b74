/** What one commit brings over its only parent, as objects: for a repository that has the parent already. */
import type { GitObjects } from '../platform/git-objects.ts';
import { FOLDER, parseTree, type TreeItem } from './tree-object.ts';
import type { NewObject } from './write-objects.ts';
import { beforeFirst } from '../domain/text-parts.ts';
import { firstItem } from '../domain/items.ts';

const MOST_OBJECTS = 1_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** `null` where `before` is not its only parent, or where it brings so much that git had better carry it itself. */
export async function objectsOfCommit(objects: GitObjects, before: string, commit: string): Promise<NewObject[] | null> {
  const [old, now] = await Promise.all([objects.read(`${before}^{tree}`), objects.read(commit)]);
  if (old === null || now?.type !== 'commit') return null;
  const head = beforeFirst(now.content.toString('latin1'), '\n\n').split('\n');
  const parents = head.filter((line) => line.startsWith('parent '));
  if (parents.length !== 1 || parents[0] !== `parent ${before}`) return null;
  const found: NewObject[] = [{ type: 'commit', content: now.content }];
  const complete = await collect(objects, parseTree(old.content, old.oid.length / 2), firstItem(head).slice('tree '.length), found);
  return complete ? found : null;
}

async function collect(objects: GitObjects, before: readonly TreeItem[], tree: string, found: NewObject[]): Promise<boolean> {
  const now = await objects.read(tree);
  if (now?.type !== 'tree') return false;
  found.push({ type: 'tree', content: now.content });
  const known = new Map(before.map((item) => [item.name, item]));
  for (const item of parseTree(now.content, tree.length / 2)) {
    const old = known.get(item.name);
    if (old?.oid === item.oid || item.mode === '160000') continue;
    if (found.length > MOST_OBJECTS || bytesOf(found) > MOST_BYTES) return false;
    if (item.mode === FOLDER) {
      const inside = old?.mode === FOLDER ? await objects.read(old.oid) : null;
      if (!(await collect(objects, inside === null ? [] : parseTree(inside.content, tree.length / 2), item.oid, found))) return false;
    } else {
      const blob = await objects.read(item.oid);
      if (blob?.type !== 'blob') return false;
      found.push({ type: 'blob', content: blob.content });
    }
  }
  return true;
}

function bytesOf(objects: readonly NewObject[]): number {
  return objects.reduce((sum, object) => sum + object.content.length, 0);
}
