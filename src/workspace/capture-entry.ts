/** What one entry of the workspace is worth in a tree: pure. */
import { foldName, looksLikeGitDirectory } from '../domain/file-names.ts';
import type { CaptureFinding, TreeEntry } from '../domain/tree.ts';
import type { WalkedEntry } from './walk.ts';

export interface CapturedFile {
  path: string;
  mode: string;
  oid: string;
}

export const LARGEST_FILE = 100 * 1024 * 1024;

/** The mode the entry gets, or `null` with the finding that says why it has no place in a tree. */
export function sortEntry(entry: WalkedEntry): { mode: string | null; finding: CaptureFinding | null } {
  const { path, stat } = entry;
  const refuse = (kind: CaptureFinding['kind'], detail: string): { mode: null; finding: CaptureFinding } => ({
    mode: null,
    finding: { kind, path, detail },
  });
  if (path.split('/').some(looksLikeGitDirectory)) return refuse('invalid_name', 'some file systems take this name for .git');
  if (stat.isSymbolicLink()) return { mode: '120000', finding: null };
  if (!stat.isFile()) return refuse('special_file', stat.isFIFO() ? 'a named pipe' : stat.isSocket() ? 'a socket' : 'a device');
  if (stat.size > BigInt(LARGEST_FILE))
    return refuse('too_large', `${Math.round(Number(stat.size) / 1_000_000)} MB; the limit is ${Math.round(LARGEST_FILE / 1_000_000)} MB`);
  if ((stat.mode & 0o400n) === 0n) return refuse('unreadable', 'its owner may not read it');
  return { mode: (stat.mode & 0o100n) === 0n ? '100644' : '100755', finding: null };
}

/** Names, also of directories, that differ only by case or Unicode form, where at least one of them is new: one finding for each group. */
export function findCollisions(files: readonly CapturedFile[], tracked: readonly TreeEntry[]): CaptureFinding[] {
  const known = allNames(tracked);
  const groups = new Map<string, string[]>();
  for (const name of allNames(files)) {
    const fold = foldName(name);
    const group = groups.get(fold);
    if (group === undefined) groups.set(fold, [name]);
    else group.push(name);
  }
  const findings: CaptureFinding[] = [];
  for (const group of groups.values()) {
    const fresh = group.find((name) => !known.has(name));
    if (group.length === 1 || fresh === undefined) continue;
    const others = group.filter((name) => name !== fresh).map((name) => JSON.stringify(name));
    findings.push({ kind: 'name_collision', path: fresh, detail: `the same name as ${others.join(', ')} on some file systems` });
  }
  return findings;
}

function allNames(entries: readonly { path: string }[]): Set<string> {
  const names = new Set<string>();
  for (const { path } of entries) {
    names.add(path);
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folder = path.slice(0, cut);
      if (names.has(folder)) break;
      names.add(folder);
    }
  }
  return names;
}
