/**
 * Files that git does not track and an agent needs all the same, such as `.env`: copied into its workspace, and never captured.
 *
 * 1. Only what the project asks for and the user's own settings allow, and only files: no link is followed, on neither side.
 * 2. Which they were lies beside the copy, out of the agent's reach: a capture after a crash leaves them out as well. Their content is not kept.
 */
import { dirname, join } from 'node:path';
import { anyGlob } from '../domain/glob.ts';
import type { Platform } from '../platform/platform.ts';
import { containedPath } from '../platform/contained-path.ts';

export interface IncludeWish {
  /** The user's directory. */
  root: string;
  /** The agent's copy, and the lane's folder around it. */
  path: string;
  folder: string;
  include: readonly string[];
  allowed: readonly string[];
  tracked: ReadonlySet<string>;
}

export interface Included {
  copied: string[];
  /** Asked for, and not allowed. */
  refused: string[];
}

const RECORD = 'included.json';
const LARGEST_FILE = 1024 * 1024;
const MOST_FILES = 100;
const MOST_LOOKED_AT = 50_000;
const NEVER_ENTERED = new Set(['.git', '.harness', 'node_modules', '.venv', '__pycache__']);

export async function includeFiles(platform: Platform, wish: IncludeWish): Promise<Included> {
  const { root, path, folder, include, allowed, tracked } = wish;
  const isAllowed = anyGlob(allowed);
  const wanted = (await filesNamed(platform, root, include)).filter((file) => !tracked.has(file));
  const refused = wanted.filter((file) => !isAllowed(file));
  const chosen = wanted.filter(isAllowed).slice(0, MOST_FILES);
  await platform.files.writeAtomic(join(folder, RECORD), JSON.stringify(chosen));
  const copied: string[] = [];
  for (const file of chosen) if (await copyOne(platform, join(root, file), path, file)) copied.push(file);
  return { copied, refused };
}

/** Those of the session that used this folder last. */
export async function includedPaths(platform: Platform, folder: string): Promise<string[]> {
  const text = await platform.files.readTextIfExists(join(folder, RECORD)).catch(() => null);
  try {
    const paths: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

async function copyOne(platform: Platform, from: string, root: string, file: string): Promise<boolean> {
  const stat = await platform.files.lstat(from).catch(() => null);
  if (stat === null || !stat.isFile() || Number(stat.size) > LARGEST_FILE) return false;
  const place = await containedPath(platform, root, file);
  if (!place.inside || place.link !== null || place.exists) return false;
  await platform.files.mkdir(dirname(join(root, file)));
  await platform.files.writeAtomic(join(root, file), await platform.files.read(from));
  return true;
}

/** The user's files that these globs name. */
export async function filesNamed(platform: Platform, root: string, globs: readonly string[]): Promise<string[]> {
  return globs.length === 0 ? [] : await filesMatching(platform, root, anyGlob(globs));
}

async function filesMatching(platform: Platform, root: string, isWanted: (path: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  let looked = 0;
  for (let folder = folders.shift(); folder !== undefined && looked < MOST_LOOKED_AT; folder = folders.shift()) {
    for (const entry of await platform.files.list(join(root, folder)).catch(() => [])) {
      looked += 1;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !NEVER_ENTERED.has(entry.name)) folders.push(path);
      else if (entry.isFile() && isWanted(path)) found.push(path);
    }
  }
  return found.toSorted();
}
