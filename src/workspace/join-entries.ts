/**
 * Progress notes of two sides that both added entries to the same file: the entries of both, those of the branch first. Pure.
 * Nothing that the branch has is lost, and an entry that it has already is not added twice.
 */
import { lastItem } from '../domain/items.ts';

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
