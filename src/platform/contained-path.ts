/**
 * Where a path below a root really leads.
 *
 * 1. Links are looked for below the root only; the root itself may be reached through one.
 * 2. A path with `..`, or one that leaves the root, is outside, whatever is on the disk. So is one that goes through a link that leads nowhere.
 * 3. What does not exist yet is inside when the part that exists is: a file made there would be.
 */
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { hasCode } from './files.ts';
import type { Platform } from './platform.ts';

export interface Containment {
  inside: boolean;
  /** Absolute path with all links resolved; null when a link on the way leads nowhere. */
  real: string | null;
  exists: boolean;
  /** The first link on the way: the last part of the path (`leaf`) or a directory before it (`intermediate`). */
  link: 'leaf' | 'intermediate' | null;
}

/** `path` is relative to `root`, or absolute. */
export async function containedPath(platform: Pick<Platform, 'files'>, root: string, path: string): Promise<Containment> {
  const whole = resolve(root, path);
  const way = relative(resolve(root), whole);
  if (path.split(/[\\/]/).includes('..') || leaves(way)) return { inside: false, real: null, exists: false, link: null };
  const realRoot = await platform.files.realpath(root);
  const parts = way === '' ? [] : way.split(sep);
  let link: Containment['link'] = null;
  for (const [index, part] of parts.entries()) {
    const here = join(realRoot, ...parts.slice(0, index), part);
    const kind = await kindOf(platform, here);
    if (kind === 'missing') return settle(platform, realRoot, { there: parts.slice(0, index), rest: parts.slice(index), link });
    if (kind === 'link') link ??= index === parts.length - 1 ? 'leaf' : 'intermediate';
  }
  return settle(platform, realRoot, { there: parts, rest: [], link });
}

async function settle(
  platform: Pick<Platform, 'files'>,
  realRoot: string,
  { there, rest, link }: { there: readonly string[]; rest: readonly string[]; link: Containment['link'] },
): Promise<Containment> {
  try {
    const real = join(await platform.files.realpath(join(realRoot, ...there)), ...rest);
    return { inside: !leaves(relative(realRoot, real)), real, exists: rest.length === 0, link };
  } catch (error) {
    if (!['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES'].some((code) => hasCode(error, code))) throw error;
    return { inside: false, real: null, exists: false, link };
  }
}

async function kindOf(platform: Pick<Platform, 'files'>, path: string): Promise<'missing' | 'link' | 'other'> {
  try {
    return (await platform.files.lstat(path)).isSymbolicLink() ? 'link' : 'other';
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP') || hasCode(error, 'EACCES')) return 'missing';
    throw error;
  }
}

/** Whether a folder on the way to a path below the root is a link: what is done at that path would be done somewhere else. */
export async function isThroughLink(platform: Pick<Platform, 'files'>, root: string, path: string): Promise<boolean> {
  return (await containedPath(platform, root, path)).link === 'intermediate';
}

function leaves(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
