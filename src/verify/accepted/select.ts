/**
 * Which versions of tests share a run. Pure.
 *
 * 1. Versions that want different contents of a path run apart: two versions of one file, or two of what they run with.
 * 2. The order is fixed by age and content. What does not fit into the runs of one verdict comes first in the next.
 */
import type { TreeEdit } from '../../domain/tree.ts';

export interface Laid {
  id: string;
  file: string;
  session: number;
  /** What has to be put into a tree for it, by path. */
  edits: ReadonlyMap<string, TreeEdit>;
}

export const MOST_GROUPS = 4;

export function groupVersions<One extends Laid>(
  versions: readonly One[],
  leftBefore: ReadonlySet<string>,
): { groups: One[][]; left: One[] } {
  const groups: { versions: One[]; contents: Map<string, string> }[] = [];
  const left: One[] = [];
  for (const one of versions.toSorted((a, b) => compare(a, b, leftBefore))) {
    const fitting = groups.find(({ contents }) =>
      [...one.edits].every(([path, edit]) => (contents.get(path) ?? keyOf(edit)) === keyOf(edit)),
    );
    const group = fitting ?? (groups.length < MOST_GROUPS ? { versions: [], contents: new Map<string, string>() } : null);
    if (group === null) {
      left.push(one);
      continue;
    }
    if (fitting === undefined) groups.push(group);
    group.versions.push(one);
    for (const [path, edit] of one.edits) group.contents.set(path, keyOf(edit));
  }
  return { groups: groups.map((group) => group.versions), left };
}

function compare(one: Laid, other: Laid, leftBefore: ReadonlySet<string>): number {
  const waited = Number(leftBefore.has(other.id)) - Number(leftBefore.has(one.id));
  return waited || one.session - other.session || (one.id < other.id ? -1 : 1);
}

function keyOf(edit: TreeEdit): string {
  if (edit.kind === 'delete') return 'deleted';
  return edit.kind === 'entry' ? `${edit.entry.mode} ${edit.entry.oid}` : `written ${edit.content.toString()}`;
}
