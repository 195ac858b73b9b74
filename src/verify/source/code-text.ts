/**
 * What changed code says in its text, beside what it does.
 *
 * 1. Code that names a file of the tests may be taking its answers from there: a question, never a refusal.
 * 2. Comments that switch a tool off are told, because the tool itself will say nothing.
 * 3. What the file said before the session is not news.
 */
import { posix } from 'node:path';
import { javascriptImports, pythonImports } from './imports.ts';
import { languageOf } from './source.ts';
import { isTestFile, isTestPath } from '../checks/protected-paths.ts';
import { allGroups } from '../../domain/text-parts.ts';

export interface CodeChange {
  path: string;
  before: string | null;
  after: string;
}

/** Files of the tests that the code imports or names by their path, and did not name before. */
export function testsNamedBy(change: CodeChange, paths: ReadonlySet<string>): string[] {
  if (languageOf(change.path) === null || isTestPath(change.path)) return [];
  const before = new Set(change.before === null ? [] : namedIn(change.before, change.path, paths));
  return namedIn(change.after, change.path, paths).filter((path) => !before.has(path));
}

function namedIn(text: string, path: string, paths: ReadonlySet<string>): string[] {
  const imported = path.endsWith('.py') ? pythonImports(text, path, paths) : javascriptImports(text, path, paths);
  const named = literalsOf(text).flatMap((literal) => [posix.normalize(literal), posix.join(posix.dirname(path), literal)]);
  return [...new Set([...imported, ...named])].filter((one) => isTestPath(one) && paths.has(one));
}

function literalsOf(text: string): string[] {
  return allGroups(text, /(['"`])((?:(?!\1)[^\\\n])+)\1/g, 2).filter((literal) => literal.includes('/') || literal.includes('.'));
}

const SUPPRESSION =
  /\b(?:eslint|oxlint)-disable(?:-next-line|-line)?\b|\bbiome-ignore\b|@ts-(?:ignore|nocheck|expect-error)\b|\bprettier-ignore\b|\b(?:istanbul|c8|v8) ignore\b|#\s*noqa\b|#\s*type:\s*ignore\b|#\s*pylint:\s*disable\b|#\s*pragma:\s*no cover\b|#\s*nosec\b|\/\/\s*nolint\b/g;

/** Comments that switch a tool off, as far as there are more of them than before. */
export function addedSuppressions(change: CodeChange): string[] {
  if (isTestFile(change.path) || languageOf(change.path) === null) return [];
  return newSuppressions(change.before ?? '', change.after);
}

export function newSuppressions(before: string, after: string): string[] {
  const old = countMarks(before);
  return [...countMarks(after)].filter(([mark, count]) => count > (old.get(mark) ?? 0)).map(([mark]) => mark);
}

function countMarks(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [mark] of text.matchAll(SUPPRESSION)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}
