import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';

/**
 * The names under which the harness keeps things in a repository.
 *
 * 1. A name is either a thing or a folder of things, never both: git cannot keep `a` and `a/b` at once.
 * 2. Names that earlier versions used stay taken: `start` (a thing in some repositories, a folder in others) is never used again.
 */
const ROOT = 'refs/harness';

/** Each holds one thing. */
export const HARNESS_REFS = {
  /** Files of the versions in which tests were accepted. */
  accepted: `${ROOT}/accepted`,
  /** A commit whose files are still on their way into the working tree. */
  pending: `${ROOT}/pending`,
  /** What a folder outside git held when the harness last looked. */
  folder: `${ROOT}/folder`,
  /** What a remote branch held when the harness last fetched it. */
  upstream: `${ROOT}/upstream`,
  /** What the project's hooks made of a tree. */
  hooks: `${ROOT}/hooks`,
  /** The commit below an agent's copy, in the repository that copies are made from. */
  base: `${ROOT}/base`,
} as const;

/** Each holds things by name. */
export const HARNESS_REF_FOLDERS = {
  candidates: `${ROOT}/candidates`,
  checkpoints: `${ROOT}/checkpoints`,
  /** Commits that a state names and that are not on their branch yet; only where home is published. */
  landing: `${ROOT}/landing`,
  /** Who may move the refs of a published home, by project. */
  leases: `${ROOT}/leases`,
  /** Working trees that agents work in themselves. */
  loans: `${ROOT}/loans`,
  saved: `${ROOT}/saved`,
  starts: `${ROOT}/starts`,
  wip: `${ROOT}/wip`,
  worker: `${ROOT}/worker`,
  workflow: `${ROOT}/workflow`,
} as const;

export function harnessRef(folder: keyof typeof HARNESS_REF_FOLDERS, name: string | number): string {
  const text = String(name);
  if (text === '' || text.includes('/')) throw new Error(`"${text}" is not a valid name for a ref`);
  return `${HARNESS_REF_FOLDERS[folder]}/${text}`;
}

/** Whether there is any ref below a folder of the harness's own, told by git's files; true where only git itself can tell. */
export async function mayHaveRefs({ files }: Platform, { commonDir }: Home, folder: string): Promise<boolean> {
  if (await files.exists(join(commonDir, 'reftable'))) return true;
  const loose = await files.list(join(commonDir, folder)).catch(() => []);
  const packed = await files.readTextIfExists(join(commonDir, 'packed-refs')).catch(() => ` ${folder}/`);
  return loose.length > 0 || (packed ?? '').includes(` ${folder}/`);
}
