/** What a task is limited to: a path, a glob, or several with commas between them; without one, everything. Pure. */
import { matchesGlob } from '../../domain/glob.ts';

/** How a session without a limit is written down. */
export const NO_SCOPE = '(no limit)';

export function scopeFilter(scope: string | null): (path: string) => boolean {
  const patterns = patternsOf(scope ?? NO_SCOPE);
  if (patterns.length === 0) return () => true;
  return (path) => patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern.replace(/\/+$/, '')}/**`));
}

function patternsOf(scope: string): string[] {
  if (scope.trim() === NO_SCOPE) return [];
  return splitOutsideBraces(scope)
    .map((pattern) => pattern.trim().replace(/^(?:\.\/)+/, ''))
    .filter((pattern) => pattern !== '' && pattern !== '.');
}

function splitOutsideBraces(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth += 1;
    if (char === '}' && depth > 0) depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}
