/**
 * The last answer of `harness status` for a project, good for as long as nothing it was read from has changed.
 *
 * 1. It exists because reading settings and state properly takes longer than starting Node; this file must stay free of schemas.
 * 2. Inputs are marked before they are read, by inode, size and times, so that a change during the reading voids the memo.
 * 3. While a lock stands nothing is recalled: whether its holder lives cannot be told from a mark.
 * 4. It lies with the user's caches, never in the project, and losing it costs time only.
 */
import { join } from 'node:path';
import { HARNESS_VERSION } from '../domain/version.ts';
import { markFiles, type Marks } from '../platform/mark-files.ts';
import type { Platform } from '../platform/platform.ts';

export interface StatusAnswer {
  report: unknown;
  text: string;
}

/** All that looking for a memo needs. */
interface Looking {
  files: Pick<Platform['files'], 'exists' | 'lstat' | 'readTextIfExists'>;
  env: Platform['env'];
}

interface Memo extends StatusAnswer {
  harness_version: string;
  root: string;
  lock: string;
  marks: Marks;
}

export async function recallStatus(platform: Looking, root: string): Promise<StatusAnswer | null> {
  const file = memoFile(platform, root);
  if (file === null) return null;
  try {
    const memo: unknown = JSON.parse((await platform.files.readTextIfExists(file)) ?? 'null');
    if (!isMemo(memo) || memo.harness_version !== HARNESS_VERSION || memo.root !== root || (await platform.files.exists(memo.lock)))
      return null;
    const now = await markFiles(platform, Object.keys(memo.marks));
    return Object.entries(memo.marks).every(([path, mark]) => now[path] === mark) ? { report: memo.report, text: memo.text } : null;
  } catch {
    return null;
  }
}

export async function rememberStatus(
  platform: Platform,
  { root, lock, marks }: { root: string; lock: string; marks: Marks },
  answer: StatusAnswer,
): Promise<void> {
  const file = memoFile(platform, root);
  if (file === null || (await platform.files.exists(lock))) return;
  const memo: Memo = { harness_version: HARNESS_VERSION, root, lock, marks, ...answer };
  try {
    await platform.files.mkdir(join(file, '..'));
    await platform.files.writeAtomic(file, JSON.stringify(memo));
  } catch {
    // A status that cannot be remembered is still a status.
  }
}

function memoFile(platform: Pick<Platform, 'env'>, root: string): string | null {
  const home = platform.env['HARNESS_HOME'] || (platform.env['HOME'] === undefined ? null : join(platform.env['HOME'], '.harness'));
  return home === null ? null : join(home, 'cache', 'status', `${shortHash(root)}.json`);
}

/** FNV-1a, 64 bits: names a file; the path inside it decides. */
function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16);
}

function isMemo(value: unknown): value is Memo {
  if (typeof value !== 'object' || value === null || !('marks' in value) || !('text' in value) || !('lock' in value)) return false;
  return typeof value.text === 'string' && typeof value.lock === 'string' && typeof value.marks === 'object' && value.marks !== null;
}
