/**
 * What of an agent's copy is to be captured: every path that the base tracks, and an untracked one when no trusted rule ignores it.
 * Of a large copy only what changed since it was handed over is looked at one by one.
 */
import { entriesByPath, foldersOf, pathSetOf } from '../domain/tree-index.ts';
import { join } from 'node:path';
import type { CaptureFinding, TreeEntry } from '../domain/tree.ts';
import { looksLikeGitDirectory, mayLookLikeGit } from '../domain/file-names.ts';
import type { Platform } from '../platform/platform.ts';
import { LEFT_BY_RUNNERS } from '../verify/runners/registry.ts';
import { boundFindings, outOfBounds } from './capture-bounds.ts';
import { concurrently } from './concurrently.ts';
import { BESIDE_TREE, canBeLookedAt } from './held-copy.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { differencesFrom, type HeldTree } from './large-room.ts';
import { isRealDirectory } from './materialise.ts';
import type { HomeTreeStore } from './tree-store.ts';
import { walkDirectory, type Walk, type WalkedEntry, type WalkOptions } from './walk.ts';

export interface Walked extends Walk {
  /** Files that certainly are as they were handed over: not among `files`. */
  unchanged: readonly CapturedFile[];
}

export interface WalkedCopy {
  path: string;
  tracked: readonly TreeEntry[];
  /** What it was when it was handed over; `null`: everything is looked at. */
  since: ChangedSince | null;
}

export interface ChangedSince {
  unchanged: readonly CapturedFile[];
  /** What may have changed, and the folders on the way to it. */
  paths: ReadonlySet<string>;
}

/** Directories that installing and running leave behind: no part of the work, whether a rule ignores them or not. */
const MADE_BY_RUNS: ReadonlySet<string> = new Set(['node_modules', '__pycache__', ...LEFT_BY_RUNNERS, '.mypy_cache', '.ruff_cache']);

export async function walkWorkspace(
  platform: Platform,
  { path: workspace, tracked, since }: WalkedCopy,
  rules: IgnoreRules,
  findings: CaptureFinding[],
): Promise<Walked> {
  const trackedPaths = pathSetOf(tracked);
  const isState = (path: string): boolean => platform.files.guards(join(workspace, path));
  const gitlinks = new Set(tracked.filter((entry) => entry.mode === '160000').map((entry) => entry.path));
  const trackedFolders = foldersOf(tracked);
  const beyond: string[] = [];
  const leaveOut = async (level: readonly WalkedEntry[]): Promise<ReadonlySet<string>> => {
    const out = new Set<string>();
    const undecided: { path: string; directory: boolean }[] = [];
    for (const entry of level) {
      const directory = entry.stat.isDirectory();
      const untracked = directory ? !trackedFolders.has(entry.path) : !trackedPaths.has(entry.path);
      if (entry.name === '.git') {
        out.add(entry.path);
        if (entry.path !== '.git')
          findings.push({
            kind: 'nested_git',
            path: entry.path,
            detail: 'a git directory inside the project; its neighbours are captured as plain files',
          });
      } else if (!untracked || (directory && gitlinks.has(entry.path))) {
        continue;
      } else if (entry.path === '.harness' || (directory && (MADE_BY_RUNS.has(entry.name) || isState(entry.path)))) {
        out.add(entry.path);
      } else if (outOfBounds(entry.path) !== null) {
        out.add(entry.path);
        beyond.push(entry.path);
      } else {
        undecided.push({ path: entry.path, directory });
      }
    }
    for (const path of await rules.ignored(undecided)) out.add(path);
    return out;
  };
  const walk = await walkDirectory(platform, workspace, { leaveOut, ...(since === null ? {} : { list: listerOf(since.paths) }) });
  findings.push(...boundFindings(beyond));
  return { ...walk, unchanged: since?.unchanged ?? [] };
}

/** `null` where looks cannot tell: then everything has to be looked at. */
export async function changedSince(
  platform: Platform,
  store: HomeTreeStore,
  { path, tracked, held }: { path: string; tracked: readonly TreeEntry[]; held: HeldTree },
): Promise<ChangedSince | null> {
  const handed = await store.list(held.tree).catch(() => null);
  if (handed === null || ![handed, tracked].every((list) => canBeLookedAt(list, BESIDE_TREE))) return null;
  if (!(await isRealDirectory(platform, path))) return null;
  const differences = await differencesFrom(platform, path, held, BESIDE_TREE);
  if (differences === null) return null;
  const touched = new Set([...differences.gone, ...differences.come].map((one) => one.path));
  const base = entriesByPath(tracked);
  const [unchanged, paths] = [new Array<CapturedFile>(), new Set(differences.come.map((one) => one.path))];
  for (const entry of handed) {
    if (touched.has(entry.path)) continue;
    if (isCertain(entry, base.get(entry.path))) unchanged.push(entry);
    else paths.add(entry.path);
  }
  for (const one of Array.from(paths)) addFolders(one, paths);
  return { unchanged, paths };
}

/** What the base does not have is up to the rules; a link that it does not have like this, and a name that may be taken for another, are findings. */
function isCertain(handed: TreeEntry, base: TreeEntry | undefined): boolean {
  if (base === undefined || (handed.mode === '120000' && handed.oid !== base.oid)) return false;
  return !mayLookLikeGit(handed.path) || !handed.path.split('/').some(looksLikeGitDirectory);
}

/** The entries of a folder that are among these paths. */
function listerOf(paths: ReadonlySet<string>): NonNullable<WalkOptions['list']> {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const cut = path.lastIndexOf('/');
    const folder = cut === -1 ? '' : path.slice(0, cut);
    const inside = names.get(folder);
    if (inside === undefined) names.set(folder, [path.slice(cut + 1)]);
    else inside.push(path.slice(cut + 1));
  }
  return async (platform, root, folder, unreadable) => {
    const entries = await concurrently(names.get(folder) ?? [], 8, async (name): Promise<WalkedEntry | null> => {
      const path = folder === '' ? name : `${folder}/${name}`;
      const stat = await platform.files.lstat(join(root, path)).catch(() => null);
      if (stat === null) unreadable.push(path);
      return stat === null ? null : { path, name, stat };
    });
    return entries.filter((entry) => entry !== null);
  };
}

function addFolders(path: string, folders: Set<string>): void {
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) folders.add(path.slice(0, cut));
}

/** What one entry of the workspace is worth in a tree: pure. */
export interface CapturedFile {
  path: string;
  mode: string;
  oid: string;
}

const LARGEST_FILE = 100 * 1024 * 1024;

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
