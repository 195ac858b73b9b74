/**
 * Folders of a tree that Python imports its packages from, as the project's own configuration says: first of all in each run, so that
 * the tree is judged and not what is installed under the same name.
 *
 * 1. Settings of setuptools, Poetry, Hatch, PDM, uv, Maturin and pytest are read from the text, each from a table of that tool; what names no
 *    folder of the tree is left out.
 * 2. A `src` with modules inside is one. The folder of a project that is meant to be installed is one as well, last of all, where packages lie
 *    in it or nothing says where else they lie: what pytest is told to look into says nothing about that.
 */
import { posix } from 'node:path';
import { allGroups } from '../../domain/text-parts.ts';
import { itemAt } from '../../domain/items.ts';

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
  const found = (of: 'build' | 'tests'): string[] =>
    [...texts].flatMap(([name, text]) => namedIn(name, text)[of]).flatMap((value) => rootAt(folder, value, tree));
  const source = posix.join(folder, 'src');
  const isSource = tree.folders.has(source) && !tree.files.has(`${source}/__init__.py`);
  const built = [...found('build'), ...(isSource ? [source] : [])];
  const isFlat = isInstalled(texts) && (built.length === 0 || holdsPackages(folder, tree));
  return [...new Set([...built, ...found('tests'), ...(isFlat ? [folder] : [])])];
}

/** Folders that lie beside packages in many projects, and are none of the installed ones. */
const BESIDE = /^(?:src|tests?|testing|docs?|examples?|scripts?|tools?|bench(?:marks?)?|build|dist|ci)$/;

function holdsPackages(folder: string, { files }: Tree): boolean {
  const prefix = folder === '.' ? '' : `${folder}/`;
  return [...files].some((path) => {
    const [name = '', last, ...more] = path.startsWith(prefix) ? path.slice(prefix.length).split('/') : [];
    return last === '__init__.py' && more.length === 0 && !BESIDE.test(name);
  });
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
  /(?:^|[{,.\s])(?:package-dir|where|from|module-root|python-source|sources|dev-mode-dirs|packages)\s*=\s*(\[[^\]]{0,2000}\]|\{[^}]{0,2000}\}|"[^"\n]*"|'[^'\n]*')/g;
const TOML_PATH = /(?:^|[{,.\s])pythonpath\s*=\s*(\[[^\]]{0,2000}\]|"[^"\n]*"|'[^'\n]*')/g;
/** Checkers have keys of the same names, with other meanings. */
const BUILD_TABLES = /^(?:|tool\.(?:setuptools|poetry|hatch|pdm|uv|maturin|flit|scikit-build)(?:\..*)?)$/;
const TEST_TABLES = /^(?:|pytest(?:\..*)?|tool\.pytest(?:\..*)?)$/;

interface Named {
  /** Where packages are built from. */
  build: string[];
  /** Where tests look beside that. */
  tests: string[];
}

function namedIn(name: string, text: string): Named {
  const values = (pattern: RegExp, within = text): string[] => allGroups(within, pattern, 1);
  const quoted = (some: readonly string[]): string[] =>
    some.flatMap((one) => allGroups(one, /(["'])([^"'\n]*)\1/g, 2)).filter((one) => one !== '');
  if (name.endsWith('.toml')) {
    const build = tablesIn(text, BUILD_TABLES);
    return {
      build: [
        ...quoted(values(TOML_KEYS, build)),
        ...values(/^[ \t]*(?:""|'')[ \t]*=[ \t]*["']([^"'\n]+)["']/gm, build),
        ...values(/\bfrom\s*=\s*["']([^"'\n]+)["']/g, build),
      ],
      tests: quoted(values(TOML_PATH, tablesIn(text, TEST_TABLES))),
    };
  }
  if (name === 'setup.py')
    return {
      build: [
        ...quoted(values(/\bpackage_dir\s*=\s*(\{[^}]{0,2000}\})/g)),
        ...values(/\bfind_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?["']([^"'\n]+)["']/g),
      ],
      tests: [],
    };
  return {
    build: [...values(/^[ \t]*package_dir[ \t]*=[ \t]*\n?[ \t]*=[ \t]*(\S+)/gm), ...values(/^[ \t]*where[ \t]*=[ \t]*(\S+)/gm)],
    tests: values(/^[ \t]*pythonpath[ \t]*=[ \t]*([^\n]+)/gm).flatMap((line) => line.trim().split(/\s+/)),
  };
}

/** What stands before the first table is in the table without a name. */
function tablesIn(text: string, wanted: RegExp): string {
  const parts = text.split(/^[ \t]*\[{1,2}[ \t]*([^[\]\n"']+?)[ \t]*\]{1,2}[ \t]*(?:#.*)?$/m);
  return parts.filter((_part, index) => index % 2 === 0 && wanted.test(index === 0 ? '' : itemAt(parts, index - 1))).join('\n');
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
}
