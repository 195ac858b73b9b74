/** `files[]`: what a task may change. Pure. */
import { matchesGlob } from '../../../domain/glob.ts';
import { validatePath } from '../../../domain/validate-path.ts';

/** Why an entry cannot be used; null: it can. */
export function objectionTo(path: string): string | null {
  if (path.startsWith('!')) return 'a list of what may change has no exceptions';
  const checked = validatePath(path, 'file_reference');
  if (checked.ok) return null;
  return checked.rule === 'private' && !/^(?:\.\/)*\.harness(?:\/|$)/i.test(path) ? null : checked.reason;
}

/** Paths outside of the entries. An entry is a file, a folder with everything below, or a glob. */
export function outside(paths: readonly string[], entries: readonly string[]): string[] {
  const allowed = entries.map(plainPath);
  return paths.filter((path) => !allowed.some((entry) => covers(entry, path)));
}

export function covers(entry: string, path: string): boolean {
  if (path === entry || path.startsWith(`${entry}/`)) return true;
  return /[*?[{]/.test(entry) && (matchesGlob(path, entry) || matchesGlob(path, `${entry}/**`));
}

export function plainPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
