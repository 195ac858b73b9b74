/**
 * Which files a module imports, read from the text.
 *
 * 1. Relative imports and requires, re-exports, dynamic imports with a literal, and Python's absolute and relative imports.
 * 2. It is a cheap reading: a way in that the text does not show is not found.
 */
import { posix } from 'node:path';
import { groupOf, matched } from '../../domain/text-parts.ts';

/** Paths of the tree that a module's text imports. */
export function javascriptImports(text: string, path: string, paths: { has(path: string): boolean }): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(
    /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\s*\(\s*|\bmock\s*\(\s*)(['"`])(\.{1,2}\/[^'"`\n]*|\.{1,2})\1/g,
  )) {
    const resolved = resolveModule(posix.join(posix.dirname(path), groupOf(match, 2)), paths);
    if (resolved !== null) found.push(resolved);
  }
  return found;
}

const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.json',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
  '/index.cjs',
  '/index.mts',
  '/index.cts',
  '/index.jsx',
];

export function resolveModule(path: string, paths: { has(path: string): boolean }): string | null {
  return moduleCandidates(path).find((candidate) => paths.has(candidate)) ?? null;
}

/** Every file that a path without or with an ending can mean; the first is the path itself. `.` is the root. */
export function moduleCandidates(given: string): string[] {
  const path = given.replace(/\/+$/, '');
  if (path === '' || path === '.') return ENDINGS.filter((ending) => ending.startsWith('/')).map((ending) => ending.slice(1));
  const plain = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
  return [...new Set([...ENDINGS.map((ending) => `${path}${ending}`), plain, `${plain}x`])];
}

/** For each module that a Python import names, every file that it can mean. */
export function pythonCandidates(one: { specifier: string; names: readonly string[] }, path: string): string[][] {
  const dots = matched(/^\.*/, one.specifier).length;
  if (dots > 0) return [];
  const folders = posix.dirname(path).split('/');
  const roots = ['.', 'src', 'lib', ...folders.map((_name, index) => folders.slice(0, index + 1).join('/'))];
  const modules = [one.specifier, ...one.names.map((name) => `${one.specifier}.${name}`)];
  return modules.flatMap((module) => {
    const parts = module.split('.').filter((part) => /^\w+$/.test(part));
    return parts.map((_part, index) => {
      const tail = parts.slice(0, index + 1).join('/');
      return ['', ...new Set(roots.flatMap((root) => [posix.join(root, `${tail}.py`), posix.join(root, tail, '__init__.py')]))];
    });
  });
}

export function pythonImports(text: string, path: string, paths: { has(path: string): boolean }): string[] {
  const found = new Set<string>();
  const add = (module: string, roots: readonly string[]): void => {
    for (const root of roots) {
      const parts = module.split('.').filter(Boolean);
      for (let count = 1; count <= parts.length; count += 1) {
        const base = posix.join(root, ...parts.slice(0, count));
        for (const candidate of [`${base}.py`, `${base}/__init__.py`]) if (paths.has(candidate)) found.add(candidate);
      }
    }
  };
  const folder = posix.dirname(path);
  const roots = ['.', 'src', 'lib', folder];
  for (const match of text.matchAll(/^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([^\n)]*(?:\n[^\n)]*)*?)(?:\)|$)/gm)) {
    const [, dots = '', module = '', names = ''] = match;
    const from = dots === '' ? roots : [posix.join(folder, ...Array.from({ length: dots.length - 1 }, () => '..'))];
    add(module, from);
    for (const name of names.split(/[,\s()]+/)) if (/^\w+$/.test(name)) add(module === '' ? name : `${module}.${name}`, from);
  }
  for (const match of text.matchAll(/^[ \t]*import[ \t]+([^\n#]+)/gm))
    for (const name of groupOf(match, 1).split(',')) add(name.trim().split(/\s+/)[0] ?? '', roots);
  for (const match of text.matchAll(/import_module\(\s*['"]([\w.]+)['"]/g)) add(groupOf(match, 1), roots);
  return [...found];
}
