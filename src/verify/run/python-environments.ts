/**
 * The Python environments that a person keeps for a project, in the order in which they are tried. Found by reading files alone: no tool is
 * asked, because a repository can bring plugins for it.
 *
 * 1. An environment below the project counts only while git tracks nothing in it, neither now nor in the tree that is run.
 * 2. Its interpreter is a file of the environment or lies outside the project: a link that leads to a program of the project is not followed.
 * 3. The tool that the test command names comes first, then folders of the project, then other tools, then the activated environment.
 */
import { createHash } from 'node:crypto';
import { basename, isAbsolute, join, relative } from 'node:path';
import { escapePattern } from '../../domain/text-parts.ts';
import { tryGit } from '../../platform/git.ts';
import type { Platform } from '../../platform/platform.ts';
import { itemAt } from '../../domain/items.ts';

export interface PythonEnvironment {
  folder: string;
  python: string;
  /** The folder as people name it: `.venv`, or its whole path. */
  name: string;
}

export interface EnvironmentWish {
  /** The user's own checkout, as a real path. */
  checkout: string;
  /** The tool that the command is started with, `poetry` of `poetry run`. */
  tool: string | null;
  /** Files of the tree that is run. */
  paths: readonly string[];
}

export async function pythonEnvironments(platform: Platform, wish: EnvironmentWish): Promise<PythonEnvironment[]> {
  const { checkout, tool } = wish;
  const byTool = await toolFolders(platform, checkout);
  const named = tool === null ? [] : (byTool[tool] ?? []);
  const { UV_PROJECT_ENVIRONMENT: uv, VIRTUAL_ENV: activated } = platform.env;
  const folders = [
    ...named,
    ...(uv === undefined || uv === '' ? [] : [join(isAbsolute(uv) ? '/' : checkout, uv)]),
    ...IN_PROJECT.map((name) => join(checkout, name)),
    ...Object.values(byTool).flat(),
    ...(activated !== undefined && isAbsolute(activated) ? [activated] : []),
  ];
  const found: PythonEnvironment[] = [];
  for (const folder of new Set(folders)) {
    const environment = await environmentAt(platform, folder, wish);
    if (environment !== null) found.push(environment);
  }
  return found;
}

const IN_PROJECT = ['.venv', 'venv', 'env'] as const;

/** `folder` with its interpreter; null: it is none, or what git tracks has a part in it. */
export async function environmentAt(
  platform: Platform,
  folder: string,
  { checkout, paths }: Pick<EnvironmentWish, 'checkout' | 'paths'>,
): Promise<PythonEnvironment | null> {
  const exists = (name: string): Promise<boolean> => platform.files.exists(join(folder, name));
  if (!(await exists('pyvenv.cfg')) && !(await exists('conda-meta'))) return null;
  const python = join(folder, 'bin', 'python');
  const [real, program] = await Promise.all([folder, python].map((path) => platform.files.realpath(path).catch(() => null)));
  if (real === null || real === undefined || program === null || program === undefined) return null;
  const inside = insideOf(checkout, folder);
  if (inside === '' || (insideOf(checkout, real) !== null && real !== folder)) return null;
  if (insideOf(checkout, program) !== null && insideOf(real, program) === null) return null;
  if (inside !== null && (isOfTree(inside, paths) || (await isTracked(platform, checkout, inside)))) return null;
  return { folder, python, name: inside ?? folder };
}

/** Relative path; null: it lies elsewhere. */
export function insideOf(folder: string, path: string): string | null {
  const inside = relative(folder, path);
  return inside === '..' || inside.startsWith('../') || isAbsolute(inside) ? null : inside;
}

export function isOfTree(place: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === place || path.startsWith(`${place}/`) || place.startsWith(`${path}/`));
}

const untracked = new WeakMap<Platform, Set<string>>();

/** In the index or in the newest commit. What a later commit brings is in the tree that is run. */
async function isTracked(platform: Platform, checkout: string, place: string): Promise<boolean> {
  const known = untracked.get(platform) ?? new Set<string>();
  untracked.set(platform, known);
  if (known.has(`${checkout}\0${place}`)) return false;
  const asked = await Promise.all([
    tryGit(platform, ['ls-files', '-z', '--', `:(literal)${place}`], { cwd: checkout }),
    tryGit(platform, ['ls-tree', '-z', '--name-only', 'HEAD', '--', place], { cwd: checkout }),
  ]);
  const is = asked.some(({ code, stdout }) => code === 0 && stdout.length > 0);
  if (!is) known.add(`${checkout}\0${place}`);
  return is;
}

/** Where each tool keeps the environments of this project. */
async function toolFolders(platform: Platform, checkout: string): Promise<Record<string, string[]>> {
  const home = platform.env['HOME'] ?? '/';
  const name = await projectName(platform, checkout);
  return {
    poetry: await poetryFolders(platform, { checkout, home, name }),
    pipenv: await pipenvFolders(platform, checkout, home),
    pdm: await pdmFolders(platform, checkout),
    hatch: await hatchFolders(platform, { checkout, home, name }),
    tox: await foldersBelow(platform, join(checkout, '.tox')),
    nox: await foldersBelow(platform, join(checkout, '.nox')),
  };
}

interface NamedProject {
  checkout: string;
  home: string;
  name: string | null;
}

/** `name` of `[project]` or `[tool.poetry]`. */
async function projectName(platform: Platform, checkout: string): Promise<string | null> {
  const text = (await platform.files.readTextIfExists(join(checkout, 'pyproject.toml')).catch(() => null)) ?? '';
  return tomlString(text, /^(?:project|tool\.poetry)$/, 'name');
}

/** A value of one line, in a table whose name fits. */
function tomlString(text: string, table: RegExp, key: string): string | null {
  const parts = text.split(/^[ \t]*\[{1,2}[ \t]*["']?([^[\]\n"']+?)["']?[ \t]*\]{1,2}[ \t]*(?:#.*)?$/m);
  const line = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*["']([^"'\\n]+)["']`, 'm');
  const values = parts.flatMap((part, index) =>
    index > 0 && index % 2 === 0 && table.test(itemAt(parts, index - 1)) ? [line.exec(part)?.[1]] : [],
  );
  return values.find((value) => value !== undefined) ?? null;
}

/** As poetry names them: the project, a hash of its folder, the version of Python. */
async function poetryFolders(platform: Platform, { checkout, home, name }: NamedProject): Promise<string[]> {
  if (name === null) return [];
  const { POETRY_VIRTUALENVS_PATH: chosen, POETRY_CACHE_DIR: cache, XDG_CACHE_HOME: caches } = platform.env;
  const settings = (await platform.files.readTextIfExists(join(home, '.config/pypoetry/config.toml')).catch(() => null)) ?? '';
  const set = tomlString(settings, /^virtualenvs$/, 'path')?.replace('{cache-dir}', cache ?? join(home, '.cache/pypoetry'));
  const folder = chosen ?? set ?? join(cache ?? join(caches ?? join(home, '.cache'), 'pypoetry'), 'virtualenvs');
  if (!isAbsolute(folder)) return [];
  const start = `${name
    .toLowerCase()
    .replace(/[ $`!*@"\\\r\n\t]/g, '_')
    .slice(0, 42)}-${hashOf(checkout)}`;
  const found = (await foldersBelow(platform, folder)).filter((path) => basename(path).startsWith(`${start}-py`));
  const active = (await platform.files.readTextIfExists(join(folder, 'envs.toml')).catch(() => null)) ?? '';
  const version = tomlString(active, new RegExp(`^${escapePattern(start)}$`), 'minor') ?? '';
  return found.toSorted((one, other) => Number(other.endsWith(`-py${version}`)) - Number(one.endsWith(`-py${version}`)));
}

async function pipenvFolders(platform: Platform, checkout: string, home: string): Promise<string[]> {
  const pipfile = join(checkout, 'Pipfile');
  if (!(await platform.files.exists(pipfile))) return [];
  const { WORKON_HOME: chosen, XDG_DATA_HOME: data } = platform.env;
  const name = basename(checkout)
    .replace(/[ &$`!*@"()[\]\\\r\n\t]/g, '_')
    .slice(0, 42);
  const hash = createHash('sha256').update(pipfile).digest().subarray(0, 6).toString('base64url').slice(0, 8);
  const folder = chosen ?? join(data ?? join(home, '.local/share'), 'virtualenvs');
  return isAbsolute(folder) ? [join(folder, `${name}-${hash}`)] : [];
}

/** pdm keeps the path of the interpreter in a file that git ignores. */
async function pdmFolders(platform: Platform, checkout: string): Promise<string[]> {
  const path = ((await platform.files.readTextIfExists(join(checkout, '.pdm-python')).catch(() => null)) ?? '').trim();
  return isAbsolute(path) && /\/bin\/python[0-9.]*$/.test(path) ? [join(path, '../..')] : [];
}

async function hatchFolders(platform: Platform, { checkout, home, name }: NamedProject): Promise<string[]> {
  const { HATCH_DATA_DIR: chosen, XDG_DATA_HOME: data } = platform.env;
  const project = (name ?? basename(checkout)).toLowerCase().replace(/[-_.]+/g, '-');
  const folder = join(chosen ?? join(data ?? join(home, '.local/share'), 'hatch'), 'env/virtual', project, hashOf(checkout));
  const isForTests = (path: string): number => Number(/^(?:hatch-)?test/.test(basename(path)));
  return isAbsolute(folder) ? (await foldersBelow(platform, folder)).toSorted((a, b) => isForTests(b) - isForTests(a)) : [];
}

function hashOf(checkout: string): string {
  return createHash('sha256').update(checkout).digest('base64url').slice(0, 8);
}

async function foldersBelow(platform: Platform, folder: string): Promise<string[]> {
  const entries = await platform.files.list(folder).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => join(folder, entry.name))
    .toSorted();
}

/** What an environment holds, as far as the times of its folders show it: installing or removing a package changes them. */
export async function environmentMarks(platform: Platform, folder: string): Promise<string[]> {
  const packages = (await foldersBelow(platform, join(folder, 'lib'))).map((path) => join(path, 'site-packages'));
  const marks: string[] = [folder];
  for (const path of [join(folder, 'pyvenv.cfg'), ...packages]) {
    const info = await platform.files.lstat(path).catch(() => null);
    marks.push(String(info?.mtimeMs ?? 0));
  }
  return marks;
}
