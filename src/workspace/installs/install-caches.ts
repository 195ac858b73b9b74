/**
 * Caches for one install: the user's are a lower layer that is only read, and what the install fetches is thrown away with it.
 *
 * 1. A manager writes to folders of this install alone. One project never fills the user's caches, or another project's.
 * 2. Of npm's the contents stay, in a store of the harness: by the hash that the lockfile names, and only once that hash was computed again.
 *    No address leads to them, so what a project fetched from where cannot be taken for anything else.
 *
 * Why: docs/decisions/2026-11-18-installs.md
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import { seedSteps, takeSeedStep, type Seeding } from '../../platform/seed-folder.ts';
import type { InstallPlan } from '../install-plan.ts';
import type { Wanted } from './managers.ts';
import { concurrently } from '../concurrently.ts';
import { linkFiles, packagesAt } from '../package-caches.ts';
import { mustHave } from '../../domain/must-have.ts';

interface Layer {
  /** Below the folder of the install. */
  to: string;
  /** The user's: by a variable that names it, else below the home directory. */
  named: readonly (readonly [variable: string, below: string])[];
  usual: string;
  decide(path: string, isFolder: boolean, lock: string): Seeding;
}

const MOST_ENTRIES = 20_000;
const LAYERS: Readonly<Record<Exclude<InstallPlan['manager'], 'npm'>, readonly Layer[]>> = {
  pnpm: [
    {
      to: 'pnpm',
      named: [
        ['PNPM_HOME', 'store'],
        ['XDG_DATA_HOME', 'pnpm/store'],
      ],
      usual: '.local/share/pnpm/store',
      decide: linkFiles,
    },
  ],
  yarn: [
    { to: 'yarn', named: [['YARN_CACHE_FOLDER', '']], usual: '.cache/yarn', decide: (path, isFolder) => packagesAt(2, path, isFolder) },
    { to: 'berry', named: [['YARN_GLOBAL_FOLDER', '']], usual: '.yarn/berry', decide: archivesOfLock },
  ],
  bun: [
    {
      to: 'bun',
      named: [['BUN_INSTALL_CACHE_DIR', '']],
      usual: '.bun/install/cache',
      decide: (path, isFolder) => packagesAt(1, path, isFolder),
    },
  ],
};

/** Variables that lead a manager to folders below this one. */
export function cacheVariables({ manager, range }: Pick<InstallPlan, 'manager' | 'range'>, folder: string): Record<string, string> {
  const npm = { npm_config_cache: join(folder, 'npm') };
  if (manager === 'pnpm') {
    const keys = { store_dir: 'pnpm', cache_dir: 'pnpm-cache', state_dir: 'pnpm-state' };
    return Object.fromEntries(
      Object.entries(keys).flatMap(([key, name]) => ['npm', 'pnpm'].map((one) => [`${one}_config_${key}`, join(folder, name)])),
    );
  }
  if (manager === 'bun') return { ...npm, BUN_INSTALL_CACHE_DIR: join(folder, 'bun') };
  if (manager === 'npm') return npm;
  // The newer yarn would take the older one's folder for its own.
  return { ...npm, ...(range === '1' ? { YARN_CACHE_FOLDER: join(folder, 'yarn') } : { YARN_GLOBAL_FOLDER: join(folder, 'berry') }) };
}

export async function layCaches(platform: Platform, plan: Wanted, folder: string, store: string): Promise<void> {
  await platform.files.mkdir(folder);
  if (plan.manager === 'npm') return await layContents(platform, plan, join(folder, 'npm'), store);
  const lock = lockOf(plan);
  for (const layer of LAYERS[plan.manager]) {
    const from = await ofTheUser(platform, layer);
    const decide = (path: string, isFolder: boolean): Seeding => layer.decide(path, isFolder, lock);
    if (from === null) continue;
    const seed = { from, to: join(folder, layer.to), seenAt: from, decide, most: MOST_ENTRIES };
    for (const step of seedSteps(seed)) takeSeedStep(step);
  }
}

/** yarn takes no link for an archive, so those that the lockfile names are copied: `left-pad-npm-1.3.0-0382e69409-10c0.zip`. */
function archivesOfLock(path: string, isFolder: boolean, lock: string): Seeding {
  if (isFolder) return path === 'cache' ? 'enter' : 'skip';
  const [, name, version] = /^cache\/(.+)-npm-(.+)-[0-9a-f]{10}-\w+\.zip$/.exec(path) ?? [];
  if (name === undefined || version === undefined) return 'skip';
  const names = [name, name.replace('-', '/')];
  return names.some((one) => lock.includes(`"${one}@npm:${version}"`)) ? 'copy' : 'skip';
}

function lockOf({ files, lockfile }: Pick<Wanted, 'files' | 'lockfile'>): string {
  return files.find(({ path }) => path === lockfile)?.content.toString('utf8') ?? '';
}

async function ofTheUser({ files, env }: Platform, { named, usual }: Pick<Layer, 'named' | 'usual'>): Promise<string | null> {
  const paths = named.flatMap(([name, below]) => (env[name]?.startsWith('/') === true ? [join(env[name], below)] : []));
  for (const path of [...paths, ...(env['HOME'] === undefined ? [] : [join(env['HOME'], usual)])])
    if ((await files.lstat(path).catch(() => null))?.isDirectory() === true) return await files.realpath(path);
  return null;
}

/** What the lockfile names, from the user's cache or the harness's own. */
async function layContents(platform: Platform, plan: Wanted, cache: string, store: string): Promise<void> {
  const own = await ofTheUser(platform, { named: [['npm_config_cache', '']], usual: '.npm' });
  const layers = [store, ...(own === null ? [] : [join(own, '_cacache')])];
  await concurrently(contentPaths(plan), 16, async (path) => {
    for (const layer of layers) {
      if ((await platform.files.lstat(join(layer, path)).catch(() => null))?.isFile() !== true) continue;
      const to = join(cache, '_cacache', path);
      await platform.files.mkdir(dirname(to));
      await platform.files.symlink(join(layer, path), to);
      return;
    }
  });
}

/** Contents that the install fetched, after they were looked at once more. */
export async function keepContents(platform: Platform, plan: Wanted, folder: string, store: string): Promise<void> {
  if (plan.manager !== 'npm') return;
  await concurrently(contentPaths(plan), 8, async (path) => {
    const from = join(folder, 'npm', '_cacache', path);
    if ((await platform.files.lstat(from).catch(() => null))?.isFile() !== true) return;
    const [algorithm, ...hex] = path.split('/').slice(1);
    const found = createHash(mustHave(algorithm, 'a path of contents names its algorithm'))
      .update(await platform.files.read(from))
      .digest('hex');
    if (found !== hex.join('')) return;
    await platform.files.mkdir(dirname(join(store, path)));
    await platform.files.rename(from, join(store, path));
  });
}

/** As cacache names them. sha1 proves too little to be kept for others. */
function contentPaths({ files, lockfile }: Pick<Wanted, 'files' | 'lockfile'>): string[] {
  const text = lockOf({ files, lockfile });
  const hashes = [...text.matchAll(/"integrity": *"(?:[^"]*\s)?(sha512)-([A-Za-z0-9+/]+={0,2})["\s]/g)];
  const paths = hashes.map(([, algorithm = '', digest = '']) => {
    const hex = Buffer.from(digest, 'base64').toString('hex');
    return `content-v2/${algorithm}/${hex.slice(0, 2)}/${hex.slice(2, 4)}/${hex.slice(4)}`;
  });
  return [...new Set(paths)];
}
