/**
 * Policy about paths: pure. A safe relative path stays below its root whatever it is joined to: no absolute path, no `..`, no empty
 * part, no NUL.
 */
import { createHash } from 'node:crypto';
import { basename, isAbsolute, posix, relative, resolve } from 'node:path';

/** The path in its shortest form, or `null` when it could leave its root. */
export function safeRelativePath(path: string): string | null {
  if (path === '' || path.includes('\0') || isAbsolute(path)) return null;
  const parts = posix
    .normalize(path)
    .split('/')
    .filter((part) => part !== '');
  if (parts.length === 0 || parts.includes('..') || parts[0] === '.') return null;
  return parts.join('/');
}

/** Whether `path` is `folder` or lies below it; both absolute, no links resolved. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
}

/**
 * Whether a link at `path` (relative to the root) with this target can point outside the root. A `..` behind a name can: the name may be
 * another link.
 */
export function linkLeavesTree(path: string, target: string): boolean {
  if (isAbsolute(target) || /(?:^|\/)(?!\.{1,2}(?:\/|$))[^/]+\/(?:.*\/)?\.\.(?:\/|$)/.test(target)) return true;
  const landing = posix.normalize(posix.join(posix.dirname(path), target));
  return landing === '..' || landing.startsWith('../');
}

/** A short name for a project that no other directory on the machine shares: slug and hash of its real path. */
export function projectKey(realPath: string): string {
  const slug = basename(realPath)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${slug === '' ? 'project' : slug}-${createHash('sha256').update(realPath).digest('hex').slice(0, 12)}`;
}
