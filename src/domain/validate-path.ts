/**
 * Whether a path that came from outside may be used, and in which spelling: pure. What links do to it is asked of the file system
 * (`platform/contained-path.ts`).
 *
 * 1. The checks come in steps, and the first one that fails answers: 0 empty, 1 spelling, 2 absolute, 3 `..`, 4 places by kind.
 * 2. A path that passes is relative, with forward slashes and without empty or `.` parts, and stays below whatever it is joined to.
 * 3. Names are compared as the most forgiving file system would: without case, ignored characters and stream names.
 */
import { looksLikeGitDirectory, plainName } from './file-names.ts';
import { mustHave } from './must-have.ts';

/**
 * `output_dir`: where documents are written. `file_reference`: a file of the project that is read. `diff_target`: a file that a patch
 * changes.
 */
export type PathKind = 'output_dir' | 'file_reference' | 'diff_target';

export type PathCheck = { ok: true; path: string } | { ok: false; step: PathStep; rule: PathRule; reason: string };
export type PathStep = 0 | 1 | 2 | 3 | 4;
export type PathRule = keyof typeof PATH_RULES;

/** Every rule with its step and what it says, for messages that begin with the name of the setting and the path. */
export const PATH_RULES = {
  empty: { step: 0, reason: 'the path is empty' },
  unc: { step: 1, reason: 'network (UNC) paths are not allowed' },
  control: { step: 1, reason: 'the path holds control or invisible characters' },
  trailing: { step: 1, reason: 'a part of the path begins or ends with a space or ends with a dot' },
  option: { step: 1, reason: 'a path must not begin with "-"' },
  tilde: { step: 1, reason: 'a path must not begin with "~"' },
  long: { step: 1, reason: 'the path is too long' },
  absolute: { step: 2, reason: 'the path must be relative' },
  parent: { step: 3, reason: 'the path must not contain ".."' },
  git: { step: 4, reason: 'the path leads into a .git directory' },
  reserved: { step: 4, reason: 'the path begins with a reserved directory name' },
  docs: { step: 4, reason: 'below docs/ only docs/harness/ may be used' },
  private: { step: 4, reason: 'the path is in .harness/, docs/harness/ or memory/' },
  scope: { step: 4, reason: 'the path lies outside the scope of the task' },
} as const satisfies Record<string, { step: PathStep; reason: string }>;

export function validatePath(path: string, kind: 'output_dir' | 'file_reference'): PathCheck;
export function validatePath(path: string, kind: 'diff_target', options: { inScope(path: string): boolean }): PathCheck;
export function validatePath(given: string, kind: PathKind, options?: { inScope(path: string): boolean }): PathCheck {
  if (given.trim() === '') return broken('empty');
  const slashed = given.replaceAll('\\', '/').replace(/^(?:\.\/+)+/, '');
  const spelling = spellingRule(slashed);
  if (spelling !== null) return broken(spelling);
  if (/^(?:\/|[A-Za-z]:)/.test(slashed)) return broken('absolute');
  const parts = slashed.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return broken('parent');
  if (parts.length === 0) return broken('empty');
  const path = parts.join('/');
  const rule =
    placeRule(parts, kind) ?? (kind === 'diff_target' && !mustHave(options, 'a changed path has a scope').inScope(path) ? 'scope' : null);
  return rule === null ? { ok: true, path } : broken(rule);
}

function broken(rule: PathRule): PathCheck {
  return { ok: false, rule, ...PATH_RULES[rule] };
}

const LONGEST_PATH = 1024;
const LONGEST_NAME = 255;
/** Control characters, bidirectional marks, line separators, the byte order mark, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

function spellingRule(path: string): PathRule | null {
  if (UNSEEN.test(path)) return 'control';
  if (path.startsWith('//')) return 'unc';
  if (path.startsWith('-')) return 'option';
  if (path.startsWith('~')) return 'tilde';
  const parts = path.split('/');
  if (parts.some(hasLooseEnd)) return 'trailing';
  return Buffer.byteLength(path) > LONGEST_PATH || parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME) ? 'long' : null;
}

function hasLooseEnd(part: string): boolean {
  return part !== '.' && part !== '..' && /^\s|[\s.]$/.test(part);
}

const RESERVED = new Set(['memory', 'spec', 'planner', 'generator', 'evaluator', 'verify', 'harness', '.harness']);

function placeRule(parts: readonly string[], kind: PathKind): PathRule | null {
  if (parts.some(looksLikeGitDirectory)) return 'git';
  const [first = '', second = ''] = parts.map(plainName);
  if (kind === 'output_dir') {
    if (RESERVED.has(first)) return 'reserved';
    return first === 'docs' && (parts[0] !== 'docs' || parts[1] !== 'harness') ? 'docs' : null;
  }
  return first === '.harness' || first === 'memory' || (first === 'docs' && second === 'harness') ? 'private' : null;
}
