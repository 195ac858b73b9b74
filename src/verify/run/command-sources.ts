/**
 * What a test command of a project leads to: scripts and packages of package.json, and the recipes of tools that run tests by another
 * name. All of it is protected, so that in a tree that is run it is the trusted version.
 */
import { matchesGlob } from '../../domain/glob.ts';
import type { TreeStore } from '../../domain/tree.ts';
import { ownValue } from '../../domain/items.ts';
import { posix } from 'node:path';
import { isTestProgram } from '../runners/plain-program.ts';
import { allGroups } from '../../domain/text-parts.ts';

export interface CommandSources {
  /** Of package.json. */
  scripts: Readonly<Record<string, string>>;
  /** Names of the packages that package.json asks for. */
  packages: ReadonlySet<string>;
  /** Texts of recipes by their path. */
  recipes: Readonly<Record<string, string>>;
  /** Test files that the commands start as programs and that run node's own tests, as they are written there. */
  nodeTests: ReadonlySet<string>;
}

export const NO_SOURCES: CommandSources = { scripts: {}, packages: new Set(), recipes: {}, nodeTests: new Set() };

const RECIPES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\btox\b/, ['tox.ini', 'setup.cfg', 'pyproject.toml', 'tox.toml']],
  [/\bnox\b/, ['noxfile.py']],
];

/** `tree` null: there is none yet. Recipes are read only where a command can lead to them. */
export async function commandSources(
  trees: Pick<TreeStore, 'read'>,
  tree: string | null,
  commands: readonly (string | null)[],
): Promise<CommandSources> {
  const read = async (path: string): Promise<string | null> =>
    tree === null ? null : ((await trees.read(tree, path))?.toString('utf8') ?? null);
  const manifest = await read('package.json');
  const recipes: Record<string, string> = {};
  for (const [program, paths] of RECIPES)
    for (const path of commands.some((command) => program.test(command ?? '')) ? paths : []) {
      const text = await read(path);
      if (text !== null) recipes[path] = text;
    }
  const sources = manifestSources(manifest);
  const texts = [...commands.flatMap((command) => command ?? []), ...reachedScripts(sources.scripts, commands)];
  return { ...sources, recipes, nodeTests: tree === null ? new Set() : await nodeTestPrograms(texts, read) };
}

export function manifestSources(packageJson: string | null): CommandSources {
  const value = parse(packageJson);
  const packages = new Set(['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) => Object.keys(recordAt(value, key))));
  return { scripts: textsOf(recordAt(value, 'scripts')), packages, recipes: {}, nodeTests: new Set() };
}

const LIFECYCLE = /^(?:(?:pre|post)?(?:install|prepare|test)|prepublish|dependencies)$/;

/** The scripts that these commands can lead to: named by a word, or run by the package manager around those and as it installs. */
export function reachedScripts(scripts: Readonly<Record<string, string>>, commands: readonly (string | null)[]): string[] {
  const names = Object.keys(scripts);
  const reached = new Set(names.filter((name) => LIFECYCLE.test(name)));
  const isNamedIn = (text: string, name: string): boolean =>
    text
      .split(/[\s'"`;|&<>(){},=]+/)
      .some((word) => word === name || (word.includes('*') && matchesGlob(name.replaceAll(':', '/'), word.replaceAll(':', '/'))));
  const textsOfAll = (some: ReadonlySet<string>): string[] => [...some].flatMap((name) => ownValue(scripts, name) ?? []);
  for (let texts = [...commands.flatMap((one) => one ?? []), ...textsOfAll(reached)]; texts.length > 0;) {
    const found = names.filter((name) => !reached.has(name) && texts.some((text) => isNamedIn(text, name)));
    const around = names.filter((name) => found.some((one) => name === `pre${one}` || name === `post${one}`) && !reached.has(name));
    for (const name of [...found, ...around]) reached.add(name);
    texts = textsOfAll(new Set([...found, ...around]));
  }
  return textsOfAll(reached);
}

/** Scripts of a package.json text; none where it cannot be read. */
export function scriptsOf(packageJson: string | null): Readonly<Record<string, string>> {
  return manifestSources(packageJson).scripts;
}

/** The script that the project keeps beside a check to repair what it reports, as one would call it: `pnpm lint:fix` for `pnpm lint`. */
export function repairScript(command: string, scripts: Readonly<Record<string, string>>): string | null {
  const [, how, check = ''] = /^((?:npm|pnpm|yarn|bun)(?: run)?) ([\w:.-]+)$/.exec(command.trim()) ?? [];
  const found =
    how === undefined ? undefined : [`${check}:fix`, `${check}-fix`, `${check}fix`, `fix:${check}`].find((name) => name in scripts);
  return found === undefined ? null : `${how} ${found}`;
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}

function recordAt(value: unknown, key: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return {};
  const found = (value as Record<string, unknown>)[key];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Record<string, unknown>) : {};
}

function textsOf(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/**
 * `node test/index.js`: whether a program that a command starts runs node's own tests cannot be told by its name, nor by the project's packages,
 * as node brings them along. Its text says so, or that of a file that it loads.
 */
const LIMIT = 60;
const LOADED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])([^'"\n]+)\1/g;
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '/index.js', '/index.mjs', '/index.cjs', '/index.ts'];

/** Words of these commands that name a program of node's own tests, as they stand there. */
export async function nodeTestPrograms(texts: readonly string[], read: (path: string) => Promise<string | null>): Promise<Set<string>> {
  const words = new Set(texts.filter((text) => STARTS.test(text)).flatMap((text) => text.split(/[\s'"`;|&<>(){},=]+/)));
  const found = new Set<string>();
  for (const word of words) if (isTestProgram(word) && (await loadsNodeTest(word, read))) found.add(word);
  return found;
}

const STARTS = /(?:^|[\s/'"])(?:node|tsx|ts-node(?:-[\w-]+)?)\s/;

async function loadsNodeTest(entry: string, read: (path: string) => Promise<string | null>): Promise<boolean> {
  const waiting = [posix.normalize(entry).replace(/\/$/, '')];
  const seen = new Set<string>();
  for (let path = waiting.shift(); path !== undefined && seen.size < LIMIT; path = waiting.shift()) {
    const names = allGroups(await textAt(path, read), LOADED, 2);
    if (names.includes('node:test')) return true;
    const folder = posix.dirname(path);
    for (const name of names.filter((one) => /^\.\.?\//.test(one))) {
      const next = posix.join(folder, name);
      // Only what lies beside it or below: the code that is tested says nothing about the tests.
      if (!seen.has(next) && !next.startsWith('..') && (folder === '.' ? isTestProgram(next) : next.startsWith(`${folder}/`))) {
        seen.add(next);
        waiting.push(next);
      }
    }
  }
  return false;
}

async function textAt(path: string, read: (path: string) => Promise<string | null>): Promise<string> {
  for (const ending of ENDINGS) {
    if (ending === '' && !/\.[cm]?[jt]sx?$/.test(path)) continue;
    const text = await read(`${path}${ending}`);
    if (text !== null) return text;
    if (ending === '') break;
  }
  return '';
}
