/** What differs between two trees, by path; folders with the same id are not looked into. */
import type { TreeChange, TreeEntry } from '../domain/tree.ts';
import { compareItems, FOLDER, type TreeItem } from './tree-object.ts';
import { mustHave } from '../domain/must-have.ts';

type Read = (oid: string) => Promise<readonly TreeItem[]>;

export async function diffTrees(read: Read, from: string | null, to: string | null, prefix = ''): Promise<TreeChange[]> {
  if (from === to) return [];
  const [before, after] = await Promise.all([from === null ? [] : read(from), to === null ? [] : read(to)]);
  const changes: TreeChange[] = [];
  for (const [old, now] of pairs(before, after)) {
    if (old?.oid === now?.oid && old?.mode === now?.mode) continue;
    const { name, mode } = mustHave(old ?? now, 'one side of each pair is there');
    const path = `${prefix}${name}`;
    if (mode === FOLDER) changes.push(...(await diffTrees(read, old?.oid ?? null, now?.oid ?? null, `${path}/`)));
    else changes.push(changeAt(path, old, now));
  }
  return changes;
}

/** Items of the same name and kind side by side, in the order of git. A file and a folder of one name are two. */
function* pairs(before: readonly TreeItem[], after: readonly TreeItem[]): Generator<[TreeItem | null, TreeItem | null]> {
  for (let [left, right] = [0, 0]; left < before.length || right < after.length;) {
    const [old = null, now = null] = [before[left], after[right]];
    const order =
      old === null ? 1 : now === null ? -1 : old.oid === now.oid && old.name === now.name ? sameKind(old, now) : compareItems(old, now);
    yield [order <= 0 ? old : null, order >= 0 ? now : null];
    if (order <= 0) left++;
    if (order >= 0) right++;
  }
}

function sameKind(old: TreeItem, now: TreeItem): number {
  return (old.mode === FOLDER) === (now.mode === FOLDER) ? 0 : compareItems(old, now);
}

function changeAt(path: string, old: TreeItem | null, now: TreeItem | null): TreeChange {
  const entry = (item: TreeItem | null): TreeEntry | null => (item === null ? null : { path, mode: item.mode, oid: item.oid });
  return { path, status: old === null ? 'added' : now === null ? 'deleted' : 'modified', from: entry(old), to: entry(now) };
}
