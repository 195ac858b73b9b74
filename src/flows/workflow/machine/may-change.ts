/**
 * Tests that a spec lets change, each in a line of its own: `- May change: test/a.test.js (the format is another now)`. A person has approved them with the
 * spec. Paths and globs; the words before the colon stay English in every language.
 */
import { beforeFirst } from '../../../domain/text-parts.ts';

export function mayChangeIn(spec: string): string[] {
  const lines = [...spec.matchAll(/^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?May change(?:\*\*)?:(?:\*\*)?[ \t]+(\S[^\n]{0,500})$/gim)];
  return [...new Set(lines.map(([, rest = '']) => (/^`([^`]+)`/.exec(rest)?.[1] ?? beforeFirst(rest, /[\s,;:]/)).trim()))].filter(isNarrow);
}

/** One that would let every file change lets none. */
function isNarrow(glob: string): boolean {
  return glob !== '' && !glob.startsWith('/') && !glob.split('/').includes('..') && /[^*?/.[\]{}]/.test(glob);
}
