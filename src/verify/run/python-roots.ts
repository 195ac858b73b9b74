/**
 * Folders of a tree that Python imports its packages from, as the project's own configuration says: first of all in each run, so that
 * the tree is judged and not what is installed under the same name.
 *
 * 1. Settings of setuptools, Poetry, Hatch, PDM, uv, Maturin and pytest are read from the text; what names no folder of the tree is left out.
 * 2. Without such settings a `src` with packages inside is one, and the folder of a project that is meant to be installed.
 */
import { posix } from 'node:path';

const SETTINGS = /(?:^|\/)(?:pyproject\.toml|setup\.cfg|setup\.py|pytest\.ini|\.?pytest\.toml|tox\.ini)$/;
const MOST_SETTINGS = 60;

/** Relative to the tree, `.` for the tree itself. `read` gives the text of a file of the tree. */
export async function pythonRoots(paths: readonly string[], read: (path: string) => Promise<string>): Promise<string[]> {
  const modules = paths.filter((path) => path.endsWith('.py'));
  if (modules.length === 0) return [];
  const roots = new Set<string>();
  const folders = new Map<string, string[]>([['.', []]]);
  for (const path of paths
    .filter((one) => SETTINGS.test(one) && !/(?:^|\/)(?:tests?|fixtures|testdata)\//.test(one))
    .slice(0, MOST_SETTINGS))
    folders.set(posix.dirname(path), [...(folders.get(posix.dirname(path)) ?? []), path]);
  const tree = { files: new Set(paths), folders: new Set(modules.flatMap(foldersOf)) };
  for (const [folder, files] of folders) {
    const texts = new Map<string, string>();
    for (const path of files) texts.set(posix.basename(path), await read(path));
    for (const root of rootsOf(folder, texts, tree)) roots.add(root);
  }
  return [...roots];
}

interface Tree {
  files: ReadonlySet<string>;
  /** With modules somewhere below. */
  folders: ReadonlySet<string>;
}

function rootsOf(folder: string, texts: ReadonlyMap<string, string>, tree: Tree): string[] {
  const named = [...texts].flatMap(([name, text]) => namedIn(name, text)).flatMap((value) => rootAt(folder, value, tree));
  const source = posix.join(folder, 'src');
  if (tree.folders.has(source) && !tree.files.has(`${source}/__init__.py`)) named.push(source);
  return named.length === 0 && isInstalled(texts) ? [folder] : named;
}

function isInstalled(texts: ReadonlyMap<string, string>): boolean {
  return (
    texts.has('setup.py') ||
    /^\s*\[metadata\]/m.test(texts.get('setup.cfg') ?? '') ||
    /^\s*\[(?:project|build-system|tool\.poetry)\]/m.test(texts.get('pyproject.toml') ?? '')
  );
}

/** A package stands for the folder that it lies in. */
function rootAt(folder: string, value: string, tree: Tree): string[] {
  const path = posix.join(folder, value).replace(/\/$/, '');
  if (posix.isAbsolute(value) || path === '..' || path.startsWith('../')) return [];
  if (path !== '.' && !tree.folders.has(path)) return [];
  return [tree.files.has(`${path}/__init__.py`) ? posix.dirname(path) : path];
}

const TOML_KEYS =
  /(?:^|[{,.\s])(?:package-dir|where|from|module-root|python-source|pythonpath|sources|dev-mode-dirs|packages)\s*=\s*(\[[^\]]{0,2000}\]|\{[^}]{0,2000}\}|"[^"\n]*"|'[^'\n]*')/g;

function namedIn(name: string, text: string): string[] {
  const values = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map((match) => match[1]!);
  const quoted = (some: readonly string[]): string[] =>
    some.flatMap((one) => [...one.matchAll(/(["'])([^"'\n]*)\1/g)].map((match) => match[2]!)).filter((one) => one !== '');
  if (name.endsWith('.toml'))
    return [
      ...quoted(values(TOML_KEYS)),
      ...values(/^[ \t]*(?:""|'')[ \t]*=[ \t]*["']([^"'\n]+)["']/gm),
      ...values(/\bfrom\s*=\s*["']([^"'\n]+)["']/g),
    ];
  if (name === 'setup.py')
    return [
      ...quoted(values(/\bpackage_dir\s*=\s*(\{[^}]{0,2000}\})/g)),
      ...values(/\bfind_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?["']([^"'\n]+)["']/g),
    ];
  return [
    ...values(/^[ \t]*package_dir[ \t]*=[ \t]*\n?[ \t]*=[ \t]*(\S+)/gm),
    ...values(/^[ \t]*where[ \t]*=[ \t]*(\S+)/gm),
    ...values(/^[ \t]*pythonpath[ \t]*=[ \t]*([^\n]+)/gm).flatMap((line) => line.trim().split(/\s+/)),
  ];
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}
