/**
 * A short ASCII name for a task: part of directory and branch names.
 *
 * 1. At most 50 characters of `a-z`, `0-9`, `_` and `-`, at least one of them a letter or digit, no hyphen at either end.
 * 2. The same task always has the same slug; one whose text leaves nothing has a name made of its hash.
 */
import { createHash } from 'node:crypto';
import anyAscii from 'any-ascii';

const LONGEST = 50;
const LONGEST_BEFORE_TIMESTAMP = 35;
const MOST_TEXT = 2_000;
/** `memory` holds what the harness learned about a project and is nobody's output. */
const RESERVED = new Set(['memory']);

export function slugify(task: string): string {
  const words = anyAscii(task.slice(0, MOST_TEXT).normalize('NFC'))
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replace(/[\s-]+/g, '-');
  const slug = cut(words, LONGEST);
  return /[a-z0-9]/.test(slug) && !isReserved(slug) ? slug : `task-${shortHash(task)}`;
}

/** Whether a directory of this name is kept free of documents. */
export function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

/** Whether a path is no task's own folder: the one above all of them, or one of a reserved name. */
export function isSharedFolder(path: string): boolean {
  return path === 'docs/harness' || isReserved(path.split('/').at(-1) ?? '');
}

/** A slug that no earlier run has used: with the time in UTC, `<slug>-YYYYMMDDHHMMSS`. */
export function slugWithTimestamp(slug: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/\D/g, '').slice(0, 14);
  return `${cut(slug, LONGEST_BEFORE_TIMESTAMP)}-${stamp}`;
}

function cut(text: string, length: number): string {
  return text.replace(/^-+/, '').slice(0, length).replace(/-+$/, '');
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
