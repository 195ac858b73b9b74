/** What one entry of the workspace is worth in a tree: pure. */
import { looksLikeGitDirectory } from '../domain/file-names.ts';
import type { CaptureFinding } from '../domain/tree.ts';
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
