/**
 * Which test files reach what was changed, read from the text.
 *
 * 1. In JavaScript every literal that leads to a file of the project is a way to it, whoever takes it: an import, a URL, a child process.
 * 2. A name that is no path is looked up in the package file, else among the files of that name: that meets the aliases of any tool.
 * 3. A module that is chosen only as the code runs may be any. Such a test file counts as reaching everything, after those that surely do.
 */
import { entriesByPath } from '../../domain/tree-index.ts';
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import type { TreeEntry, TreeStore } from '../../domain/tree.ts';
import { pythonImports, resolveModule } from '../source/imports.ts';
import { maskSource } from '../source/mask.ts';
import { ofAllRunners } from '../runners/registry.ts';
import { isRecord } from '../runners/results.ts';
import { parseStrictJson } from '../strict-json.ts';
import { isTestFile } from './protected-paths.ts';
import { allGroups, beforeFirst } from '../../domain/text-parts.ts';
import { firstItem } from '../../domain/items.ts';
import { mustHave } from '../../domain/must-have.ts';

/** Files read at most; beyond them a test file counts as reaching everything. */
const MAX_FILES = 2_000;
const MOST_MANIFESTS = 50;
/** With so many that surely reach it, the others are left out. */
const ENOUGH = 10;

interface Ways {
  files: readonly string[];
  isOpen: boolean;
}

interface Project {
  trees: TreeStore;
  entries: ReadonlyMap<string, TreeEntry>;
  /** Code by the last part of its name, without endings. */
  byName: ReadonlyMap<string, string[]>;
  manifest: Record<string, unknown>;
  /** Packages that do not lie in the project. */
  dependencies: ReadonlySet<string>;
  /** By name. */
  known: Map<string, readonly string[] | null>;
}

/** Those of `from` that reach one of `targets`, directly or through others. */
export async function filesReaching(
  trees: TreeStore,
  tree: string,
  from: readonly string[],
  targets: ReadonlySet<string>,
): Promise<string[]> {
  if (targets.size === 0) return [];
  const project = await openProject(trees, await trees.list(tree));
  const known = new Map<string, Promise<Ways>>();
  const waysFrom = (path: string): Promise<Ways> => {
    const found = known.get(path) ?? readWays(project, path);
    known.set(path, found);
    return found;
  };
  const sure: string[] = [];
  const open: string[] = [];
  for (const file of from) {
    if (!project.entries.has(file)) continue;
    const reached = known.size > MAX_FILES ? 'open' : await reach(file, targets, waysFrom);
    if (reached !== null) (reached === 'sure' ? sure : open).push(file);
  }
  return sure.length >= ENOUGH ? sure : [...sure, ...open];
}

/** Every file that one of these leads to, themselves included. */
export async function filesReachedFrom(trees: TreeStore, tree: string, from: readonly string[]): Promise<string[]> {
  const project = await openProject(trees, await trees.list(tree));
  const seen = new Set(from);
  for (const path of seen) {
    if (seen.size > MAX_FILES) break;
    for (const next of (await readWays(project, path)).files) seen.add(next);
  }
  return [...seen];
}

/** Files that a file leads to directly; each is read once. */
export async function directWays(trees: TreeStore, tree: string): Promise<(path: string) => Promise<readonly string[]>> {
  const project = await openProject(trees, await trees.list(tree));
  const known = new Map<string, Promise<Ways>>();
  return async (path) => {
    const ways = known.get(path) ?? readWays(project, path);
    known.set(path, ways);
    return (await ways).files;
  };
}

async function reach(
  file: string,
  targets: ReadonlySet<string>,
  waysFrom: (path: string) => Promise<Ways>,
): Promise<'sure' | 'open' | null> {
  const seen = new Set([file]);
  let isOpen = false;
  for (const path of seen) {
    const ways = await waysFrom(path);
    isOpen ||= ways.isOpen;
    for (const next of ways.files) {
      if (targets.has(next)) return 'sure';
      seen.add(next);
    }
  }
  return isOpen ? 'open' : null;
}

/** Kept with the listing that it is worked out of. */
const opened = new WeakMap<readonly TreeEntry[], Promise<Project>>();

function openProject(trees: TreeStore, list: readonly TreeEntry[]): Promise<Project> {
  const known = opened.get(list) ?? readProject(trees, entriesByPath(list));
  opened.set(list, known);
  return known;
}

async function readProject(trees: TreeStore, entries: ReadonlyMap<string, TreeEntry>): Promise<Project> {
  const byName = new Map<string, string[]>();
  for (const path of entries.keys()) {
    if (!CODE.test(path)) continue;
    const stem = stemOf(path);
    const name = stem.slice(stem.lastIndexOf('/') + 1);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  const manifests: Record<string, unknown>[] = [];
  const packages = [...entries.keys()].filter((one) => one === 'package.json' || one.endsWith('/package.json'));
  for (const path of packages.slice(0, MOST_MANIFESTS)) {
    const parsed = parseStrictJson(
      (await trees.readBlob(mustHave(entries.get(path), 'its path is that of an entry').oid)).toString('utf8'),
    );
    if ('value' in parsed && isRecord(parsed.value))
      manifests.push(path === 'package.json' ? { ...parsed.value, isRoot: true } : parsed.value);
  }
  const dependencies = manifests.flatMap((one) =>
    ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((key) =>
      isRecord(one[key]) ? Object.keys(one[key]) : [],
    ),
  );
  return {
    trees,
    entries,
    byName,
    manifest: manifests.find((one) => one['isRoot'] === true) ?? {},
    dependencies: new Set(dependencies.filter((name) => !manifests.some((one) => one['name'] === name))),
    known: new Map(),
  };
}

const CODE = /\.[cm]?[jt]sx?$/;

function stemOf(path: string): string {
  return path.replace(CODE, '').replace(/\/index$/, '');
}

async function readWays(project: Project, path: string): Promise<Ways> {
  const entry = project.entries.get(path);
  if (entry === undefined || entry.mode === '120000' || !(CODE.test(path) || path.endsWith('.py'))) return { files: [], isOpen: false };
  const text = (await project.trees.readBlob(entry.oid)).toString('utf8');
  if (path.endsWith('.py'))
    return {
      files: [...pythonImports(text, path, project.entries), ...pythonPrograms(text, path, project.entries), ...fixturesFor(path, project)],
      isOpen: false,
    };
  return javascriptWays(project, text, path);
}

/** Files and modules that texts of the file name: programs that tests start. */
function pythonPrograms(text: string, path: string, entries: Project['entries']): string[] {
  const named = allGroups(text, /(['"])([\w./-]{3,200})\1/g, 2);
  return named.flatMap((word) => {
    const places = word.endsWith('.py')
      ? [posix.normalize(word), posix.join(posix.dirname(path), word)]
      : /^[\w.]+$/.test(word)
        ? [`${word.replaceAll('.', '/')}.py`, `${word.replaceAll('.', '/')}/__main__.py`, `src/${word.replaceAll('.', '/')}.py`]
        : [];
    return places.filter((place) => entries.has(place));
  });
}

/** Pytest hands tests what the conftest files above them define. */
function fixturesFor(path: string, { entries }: Project): string[] {
  if (!isTestFile(path)) return [];
  const folders = posix.dirname(path).split('/');
  return folders
    .map((_folder, at) => posix.join(...folders.slice(0, at + 1), 'conftest.py'))
    .concat('conftest.py')
    .filter((one) => entries.has(one));
}

const NAMED =
  /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve|Actual)?\s*\(\s*|\bmock\s*\(\s*|\bimportActual\s*\(\s*)(['"`])([^'"`\n.][^'"`\n]*)\1/g;
const CHOSEN_LATER = /\b(?:import|require)\s*\(\s*(?!['"`)]|new\s+URL\s*\(\s*['"`])/;
const WORKED_OUT = /\b(?:import|require)\s*\(\s*(?:new\s+URL\s*\(\s*)?`[^`\n]*\$\{/;

function javascriptWays(project: Project, text: string, path: string): Ways {
  const files = new Set<string>();
  for (const [, , literal = ''] of text.matchAll(/(['"`])((?:(?!\1)[^\\\n])+)\1/g)) {
    const isBeside = literal.startsWith('./') || literal.startsWith('../') || literal === '.' || literal === '..';
    if (!isBeside && !literal.includes('/') && !CODE.test(literal)) continue;
    for (const place of isBeside ? [posix.join(posix.dirname(path), literal), posix.normalize(literal)] : [posix.normalize(literal)]) {
      const resolved = resolveModule(beforeFirst(place, '?'), project.entries);
      if (resolved !== null) files.add(resolved);
    }
    if (!literal.includes('/')) for (const file of partsOfPaths(project, literal)) files.add(file);
  }
  let isOpen = CHOSEN_LATER.test(maskSource(text, 'javascript')) || WORKED_OUT.test(text);
  for (const [, , name = ''] of text.matchAll(NAMED)) {
    const known = project.known.get(name);
    const found = known === undefined ? lookUp(project, name) : known;
    project.known.set(name, found);
    if (found === null) isOpen = true;
    for (const file of found ?? []) files.add(file);
  }
  return { files: [...files], isOpen };
}

const MOST_OF_A_NAME = 5;

/** Files of this name: a path may be put together of its parts. */
function partsOfPaths({ byName }: Project, name: string): string[] {
  return (byName.get(posix.basename(stemOf(name))) ?? []).filter((file) => posix.basename(file) === name).slice(0, MOST_OF_A_NAME);
}

/** Files that a name which is no path may stand for; null: nobody can tell. */
const RUNNER_MODULE = new RegExp(`^@?(?:${ofAllRunners((runner) => runner.single?.installedAs ?? []).join('|')})(?:/|$)`);

function lookUp(project: Project, name: string): readonly string[] | null {
  const { manifest, entries, dependencies } = project;
  const own = typeof manifest['name'] === 'string' ? manifest['name'] : '';
  const isOwn = own !== '' && (name === own || name.startsWith(`${own}/`));
  const targets = name.startsWith('#')
    ? targetsIn(manifest['imports'], name)
    : isOwn
      ? [...targetsIn(manifest['exports'], `.${name.slice(own.length)}`), ...(name === own ? leaves(manifest['main']) : [])]
      : [];
  const files = targets.flatMap((target) => resolveModule(posix.normalize(target), entries) ?? []);
  if (files.length > 0) return files;
  const parts = name.split('/');
  const packageName = name.startsWith('@') ? parts.slice(0, 2).join('/') : firstItem(parts);
  if (name.startsWith('node:') || RUNNER_MODULE.test(name) || builtinModules.includes(packageName) || dependencies.has(packageName))
    return [];
  const tail = name
    .replace(/^[@#~$]+\/?/, '')
    .replace(CODE, '')
    .split('/');
  for (let from = 0; from < tail.length; from += 1) {
    const found = filesNamed(project, tail.slice(from).join('/'));
    if (found.length > 0) return found;
  }
  return null;
}

function filesNamed({ byName, entries }: Project, tail: string): string[] {
  const isIt = (path: string): boolean => stemOf(path) === tail || stemOf(path).endsWith(`/${tail}`);
  const files = (byName.get(posix.basename(tail)) ?? []).filter(isIt);
  return files.length > 0 ? files : [...entries.keys()].filter((path) => CODE.test(path) && `/${path}`.includes(`/${tail}/`));
}

/** What a map of `imports` or `exports` gives for a name, under whatever condition. */
function targetsIn(map: unknown, name: string): string[] {
  const entries =
    isRecord(map) && Object.keys(map).some((key) => key.startsWith('#') || key.startsWith('.'))
      ? Object.entries(map)
      : [['.', map] as const];
  return entries.flatMap(([key, target]) => {
    const [before = '', after] = key.split('*');
    if (after === undefined) return key === name ? leaves(target) : [];
    if (!name.startsWith(before) || !name.endsWith(after)) return [];
    return leaves(target).map((one) => one.replaceAll('*', name.slice(before.length, name.length - after.length)));
  });
}

function leaves(target: unknown): string[] {
  if (typeof target === 'string') return [target];
  return isRecord(target) || Array.isArray(target) ? Object.values(target).flatMap(leaves) : [];
}
