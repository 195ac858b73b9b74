/**
 * Files an agent will probably want to open: what the feature names and its test imports, what the tests of features import that it depends on,
 * then what recent features touched. Pure.
 */
import { groupOf } from '../domain/text-parts.ts';

export interface KeyFileFacts {
  paths: ReadonlySet<string>;
  /** The feature's test files; `text` null: not there yet. */
  tests: readonly { path: string; text: string | null }[];
  /** The feature's interface. */
  interface?: string | undefined;
  /** Test files of the features that it depends on. */
  dependencies?: readonly { feature: number; file: string; text: string }[];
  /** Newest first: commits with their session trailer and the files they touched. */
  history: readonly { session: number | null; files: readonly string[] }[];
}

const MAX_FILES = 8;
/** A commit that touches more tells nothing about a feature. */
const MOST_TOUCHED = 60;
const UNINTERESTING =
  /(^|\/)(features\.json|claude-progress\.txt|package-lock\.json|pnpm-lock\.yaml|yarn\.lock|poetry\.lock|\.harness\.yaml|\.gitignore|init\.sh|reset\.sh)$/;

export function keyFiles(facts: KeyFileFacts): { path: string; note: string }[] {
  const found = new Map<string, string>();
  const add = (path: string, note: string): void => {
    if (facts.paths.has(path) && !UNINTERESTING.test(path) && !found.has(path) && found.size < MAX_FILES) found.set(path, note);
  };
  const lastTouched = new Map<string, number | null>();
  const telling = facts.history.filter((commit) => commit.files.length <= MOST_TOUCHED);
  const ofFeatures = telling.filter((commit) => commit.session !== null);
  for (const commit of [...ofFeatures, ...telling, ...facts.history])
    for (const file of commit.files) if (!lastTouched.has(file)) lastTouched.set(file, commit.session);
  const when = (path: string): string => {
    const session = lastTouched.get(path);
    return session === undefined || session === null ? 'in the project' : `last modified in session ${session}`;
  };
  for (const test of facts.tests) add(test.path, facts.tests.length > 1 ? 'a test file of the feature' : 'the test file');
  for (const { path: file, text } of facts.tests)
    for (const path of text === null ? [] : importedPaths(file, text, facts.paths)) add(path, `imported by the test; ${when(path)}`);
  for (const word of (facts.interface ?? '').split(/[\s,;:()'"`]+/)) add(word, `named by the feature; ${when(word)}`);
  for (const { feature, file, text } of facts.dependencies ?? [])
    for (const path of importedPaths(file, text, facts.paths)) add(path, `imported by the tests of #${feature}; ${when(path)}`);
  for (const path of lastTouched.keys()) {
    if (found.size === MAX_FILES) break;
    if (!/(^|\/)(tests?|__tests__)\/|\.(test|spec)\./.test(path)) add(path, when(path));
  }
  return [...found].map(([path, note]) => ({ path, note }));
}

/** Relative imports of JavaScript and TypeScript, and module imports of Python that name a file of the project. */
export function importedPaths(file: string, text: string, paths: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
  for (const match of text.matchAll(/(?:from\s+|import(?:\s*\(\s*|\s*)|require\s*\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g)) {
    const base = normalise(`${folder}/${groupOf(match, 1)}`);
    const candidates = [
      base,
      ...['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '/index.ts', '/index.js'].map((end) => base + end),
      base.replace(/\.js$/, '.ts'),
    ];
    const hit = candidates.find((candidate) => paths.has(candidate));
    if (hit !== undefined) found.add(hit);
  }
  for (const match of text.matchAll(/^[ \t]*(?:from\s+([\w.]+)\s+import|import\s+([\w.]+))/gm)) {
    const module = (match[1] ?? groupOf(match, 2)).replace(/^\.+/, '').replaceAll('.', '/');
    const hit = [`${module}.py`, `${module}/__init__.py`, `src/${module}.py`, `src/${module}/__init__.py`].find((candidate) =>
      paths.has(candidate),
    );
    if (hit !== undefined) found.add(hit);
  }
  return [...found];
}

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
