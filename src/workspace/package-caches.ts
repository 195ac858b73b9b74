/**
 * Caches of package managers and linters for one agent: each begins with what the user's holds, can be written, and is thrown away.
 *
 * 1. A private folder stands at the path of the user's cache; the user's is seen read-only beside it, and links lead there.
 * 2. Only the caches of what the workspace is made of are filled, up to a bound; others that the user has begin empty.
 * 3. Files that a package manager changes in place are copied, never linked.
 */
import { basename, dirname, join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { seedSteps, type Seeding, type SeedPlan, type SeedStep } from '../platform/seed-folder.ts';
import { fillCaches, type Filling } from './fill-caches.ts';

export interface PrivateCaches {
  /** [outside, inside] pairs. */
  writableAt: [string, string][];
  readOnlyAt: [string, string][];
  filling: Filling;
}

interface Cache {
  /** Relative to the home directory. */
  path: string;
  /** One of these in the workspace: the cache is filled. */
  markers: readonly string[];
  decide(path: string, isFolder: boolean): Seeding;
  /** The tool cannot work without it, and makes it when it is first used. */
  isNeeded?: true;
}

const MOST_ENTRIES = 10_000;
const NODE = ['package.json'] as const;
const PYTHON = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile'] as const;

const CACHES: readonly Cache[] = [
  { path: '.npm', markers: NODE, decide: npmCache, isNeeded: true },
  { path: '.cache/yarn', markers: NODE, decide: (path, isFolder) => packagesAt(2, path, isFolder) },
  // yarn takes no link for an archive, and copies would be large.
  { path: '.yarn/berry', markers: NODE, decide: () => 'skip' },
  { path: '.local/share/pnpm/store', markers: NODE, decide: linkFiles },
  { path: '.cache/pnpm', markers: NODE, decide: () => 'skip' },
  { path: '.cache/node-gyp', markers: NODE, decide: (path, isFolder) => packagesAt(1, path, isFolder) },
  { path: '.bun/install/cache', markers: NODE, decide: (path, isFolder) => packagesAt(1, path, isFolder) },
  { path: '.cache/standard', markers: ['node_modules/standard'], decide: () => 'skip', isNeeded: true },
  { path: '.cache/pip', markers: PYTHON, decide: linkFiles },
  { path: '.cache/uv', markers: PYTHON, decide: () => 'skip' },
  { path: '.cache/pypoetry', markers: PYTHON, decide: () => 'skip' },
  { path: '.cargo/registry', markers: ['Cargo.toml'], decide: cargoRegistry },
  { path: 'go/pkg/mod', markers: ['go.mod'], decide: goModules },
  { path: '.cache/go-build', markers: ['go.mod'], decide: () => 'skip' },
];

export async function privateCaches(
  platform: Platform,
  options: { folder: string; workspace: string; home: string | undefined },
): Promise<PrivateCaches> {
  const [writableAt, readOnlyAt, plans]: [[string, string][], [string, string][], SeedPlan[]] = [[], [], []];
  await putAway(platform, options.folder);
  const { home = '' } = options;
  for (const cache of home === '' ? [] : CACHES) {
    const own = join(home, cache.path);
    const name = cache.path.replaceAll('/', '-').replace(/^\.+/, '');
    const [to, seenAt] = [join(options.folder, name), join(options.folder, `${name}-of-the-user`)];
    const isWanted = await hasOne(platform, options.workspace, cache.markers);
    const stat = await platform.files.lstat(own).catch(() => null);
    if (stat === null ? cache.isNeeded !== true || !isWanted || !(await tryMkdir(platform, own)) : !stat.isDirectory()) continue;
    await platform.files.mkdir(seenAt);
    await platform.files.mkdir(to);
    if (isWanted) plans.push({ from: own, to, seenAt, decide: cache.decide, most: MOST_ENTRIES });
    writableAt.push([to, own]);
    readOnlyAt.push([own, seenAt]);
  }
  const sandbox = { writable: plans.map((plan) => plan.to), shown: plans.map((plan) => plan.from) };
  return { writableAt, readOnlyAt, filling: await fillCaches(platform, allSteps(plans), sandbox) };
}

/** Thousands of files of an earlier agent are removed beside the work, by a process that need not be waited for; empty folders need none. */
async function putAway(platform: Platform, folder: string): Promise<void> {
  const beside = dirname(folder);
  const old = `${basename(folder)}-old`;
  const names = (await platform.files.list(beside).catch(() => [])).map((entry) => entry.name);
  const gone = names.filter((name) => name.startsWith(old)).map((name) => join(beside, name));
  if (names.includes(basename(folder)) && !(await removeEmpty(platform, folder))) {
    const aside = join(beside, `${old}-${process.pid}-${Date.now()}`);
    await platform.files.rename(folder, aside);
    gone.push(aside);
  }
  if (gone.length === 0) return;
  const remover = await platform.processes.start({ file: 'rm', args: ['-rf', '--', ...gone], cwd: '/', env: pathOf(platform) });
  remover.hold?.(false);
  remover.stdout.resume();
  remover.stderr.resume();
}

/** Whether it held nothing but empty folders, and is gone. */
async function removeEmpty(platform: Platform, folder: string): Promise<boolean> {
  const within = await platform.files.list(folder).catch(() => null);
  if (within === null || within.some((entry) => !entry.isDirectory())) return false;
  for (const { name } of within) if ((await platform.files.list(join(folder, name)).catch(() => [name])).length > 0) return false;
  return await platform.files.remove(folder).then(
    () => true,
    () => false,
  );
}

function pathOf(platform: Platform): Record<string, string> {
  return { PATH: platform.env['PATH'] ?? '/usr/bin:/bin' };
}

function* allSteps(plans: readonly SeedPlan[]): Generator<SeedStep> {
  for (const plan of plans) yield* seedSteps(plan);
}

async function hasOne(platform: Platform, folder: string, names: readonly string[]): Promise<boolean> {
  const there = await Promise.all(names.map((name) => platform.files.exists(join(folder, name))));
  return there.includes(true);
}

async function tryMkdir(platform: Platform, path: string): Promise<boolean> {
  return platform.files.mkdir(path).then(
    () => true,
    () => false,
  );
}

/** The index is appended to; contents are named by their hash. */
function npmCache(path: string, isFolder: boolean): Seeding {
  const [top, part] = path.split('/');
  if (top !== '_cacache' || part === 'tmp') return 'skip';
  if (isFolder) return 'enter';
  return part === 'content-v2' ? 'link' : 'copy';
}

export function linkFiles(path: string, isFolder: boolean): Seeding {
  if (/(?:^|\/)(?:tmp|\.tmp)$|\.lock$/.test(path)) return 'skip';
  return isFolder ? 'enter' : 'link';
}

/** Whole packages, each in a folder or file of its own at this depth. */
export function packagesAt(depth: number, path: string, isFolder: boolean): Seeding {
  if (/(?:^|\/)\.?tmp$/.test(path)) return 'skip';
  return isFolder && path.split('/').length < depth ? 'enter' : 'link';
}

function cargoRegistry(path: string, isFolder: boolean): Seeding {
  const [top, , entry] = path.split('/');
  if (entry !== undefined && (top === 'cache' || top === 'src')) return 'link';
  return isFolder ? 'enter' : 'copy';
}

/** Downloads are enough: what is missing is unpacked from them. */
function goModules(path: string, isFolder: boolean): Seeding {
  if (!/^cache(?:\/download(?:\/|$)|$)/.test(path) || path.endsWith('.lock')) return 'skip';
  if (isFolder) return 'enter';
  return path.endsWith('/list') ? 'copy' : 'link';
}
