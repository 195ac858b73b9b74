/**
 * Progress notes never collide: a merge sees the file as the base has it, and the entries of both sides are joined afterwards.
 */
import type { TreeStore } from '../domain/tree.ts';

import { lastItem } from '../domain/items.ts';
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

/**
 * Progress notes of two sides that both added entries to the same file: the entries of both, those of the branch first. Pure.
 * Nothing that the branch has is lost, and an entry that it has already is not added twice.
 */
const HEADING = /^[#*=\s]{0,8}SESSION\s+#?\d+\b/i;

/** `base`: what both began with; null: nothing. */
export function joinEntries(base: string | null, ours: string, theirs: string): string {
  const common = (base ?? '').trimEnd();
  const isAppended = theirs.startsWith(common);
  const added = isAppended ? [theirs.slice(common.length)] : entriesOf(theirs).filter((entry) => !(base ?? '').includes(entry));
  const fresh = added.flatMap((text) => entriesOf(text)).filter((entry) => entry !== '' && !ours.includes(entry));
  if (fresh.length === 0) return ours;
  const before = ours.trimEnd();
  return `${before === '' ? '' : `${before}\n\n`}${fresh.join('\n\n')}\n`;
}

function entriesOf(text: string): string[] {
  const entries: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (HEADING.test(line)) entries.push([]);
    lastItem(entries).push(line);
  }
  return entries.map((lines) => lines.join('\n').trim()).filter((entry) => entry !== '');
}
