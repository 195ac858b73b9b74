/**
 * Progress notes never collide: a merge sees the file as the base has it, and the entries of both sides are joined afterwards.
 */
import type { TreeStore } from '../domain/tree.ts';
import { joinEntries } from './join-entries.ts';

/** The file that sessions append their notes to. */
export interface ProgressNotes {
  trees: TreeStore;
  path: string;
}

interface Sides {
  base: string | null;
  ours: string;
  theirs: string;
}

/** `theirs`: their tree to merge in its place; `rejoin`: the merged tree with the entries of both. All are trees. */
export async function setNotesAside(
  { trees, path }: ProgressNotes,
  { base, ours, theirs }: Sides,
): Promise<{ theirs: string; rejoin(merged: string): Promise<string> }> {
  const read = async (tree: string): Promise<string | null> => (await trees.read(tree, path))?.toString('utf8') ?? null;
  const [before, here, there] = [base === null ? null : await read(base), await read(ours), await read(theirs)];
  if (there === null || there === before) return { theirs, rejoin: (merged) => Promise.resolve(merged) };
  return {
    theirs: await trees.compose(theirs, [before === null ? { path, kind: 'delete' } : { path, kind: 'write', content: before }]),
    rejoin: (merged) => trees.compose(merged, [{ path, kind: 'write', content: joinEntries(before, here ?? '', there) }]),
  };
}
