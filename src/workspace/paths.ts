/**
 * Policy about paths: pure.
 *
 * 1. A safe relative path stays below its root whatever it is joined to: no absolute path, no `..`, no empty part, no NUL.
 * 2. Two names collide when some file system takes them for the same: equal after Unicode composition and case folding.
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

/** Whether a link at `path` (relative to the root) with this target can point outside the root. */
export function linkLeavesTree(path: string, target: string): boolean {
  if (isAbsolute(target)) return true;
  const landing = posix.normalize(posix.join(posix.dirname(path), target));
  return landing === '..' || landing.startsWith('../');
}

/** One spelling for all names that a case-insensitive or Unicode-composing file system takes for the same. */
export function foldName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Names that some file system takes for `.git`; git refuses to hold them. */
export function looksLikeGitDirectory(name: string): boolean {
  const plain = name
    .replace(IGNORED_BY_HFS, '')
    .toLowerCase()
    .split(/[\\:]/, 1)[0]!
    .replace(/[. ]+$/, '');
  return plain === '.git' || plain === 'git~1';
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
