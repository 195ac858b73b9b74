/**
 * Dependencies that the harness installs itself, once for each lockfile.
 *
 * 1. `$HARNESS_HOME/cache/dependencies/<hash>` is complete when its mark is there; the mark is written last, and a directory
 *    appears under its name only by rename, so that installs side by side do no harm.
 * 2. Install scripts run only where the user's own settings allow them, and in a sandbox; those of the project itself only as the trusted
 *    tree has them. Its package files and `.npmrc` are all that the package manager sees of the project.
 * 3. Each first use in a process compares every installed file with the fingerprint of the install; a difference installs again.
 * 4. It is bounded: evict-dependencies.ts.
 */
import { dirname, join } from 'node:path';
import { loadUserSettings } from '../config/user-settings.ts';
import type { TreeStore } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { evictDependencies, noteUse } from './evict-dependencies.ts';
import { fingerprint } from './fingerprint.ts';
import { openHarnessHome } from './harness-home.ts';
import { placePackageFiles, planInstall, type InstallPlan } from './install-plan.ts';
import { runInstall } from './run-install.ts';

export interface Dependencies {
  /** The installed `node_modules`; `null` when nothing has to be installed or the install failed. */
  path: string | null;
  /** Further `node_modules`, of packages below the root, relative to the folder that holds `path`. */
  nested: string[];
  /** `null` without a lockfile. */
  hash: string | null;
  /** Whether it was installed just now. */
  installed: boolean;
  failed: boolean;
  detail: string;
}

export interface DependencyOptions {
  store: TreeStore;
  /** Tree or commit whose lockfile counts. */
  tree: string;
  harnessHome: string;
  /** Tree or commit whose own scripts may run where the user allows scripts; null: none. Absent: `tree` itself is trusted. */
  trusted?: string | null;
  /** Check the fingerprint even if this process has done so before. */
  recheck?: boolean;
}

const checked = new Set<string>();

export async function ensureDependencies(platform: Platform, options: DependencyOptions): Promise<Dependencies> {
  const allowed = (await loadUserSettings(platform)).dependencies?.install_scripts ?? false;
  const trusted = options.trusted === undefined ? options.tree : options.trusted;
  const plan = await planInstall(options.store, options.tree, { scripts: allowed, trusted });
  if (plan === null) return { path: null, nested: [], hash: null, installed: false, failed: false, detail: 'no lockfile' };
  if (plan.empty)
    return { path: null, nested: [], hash: plan.hash, installed: false, failed: false, detail: `${plan.lockfile} lists no packages` };
  const cache = join(options.harnessHome, 'cache', 'dependencies');
  const folder = join(cache, plan.hash);
  await noteUse(platform, folder);
  const nested = await nestedFolders(platform, folder, '');
  const known: Dependencies = {
    path: join(folder, 'node_modules'),
    nested,
    hash: plan.hash,
    installed: false,
    failed: false,
    detail: `${plan.lockfile}, installed before`,
  };
  if (checked.has(folder) && options.recheck !== true && (await platform.files.exists(join(folder, 'complete')))) return known;
  const mark = await platform.files.readTextIfExists(join(folder, 'complete'));
  if (mark !== null && mark.trim() === (await fingerprintAll(platform, folder, nested))) {
    checked.add(folder);
    return known;
  }
  const result = await install(platform, plan, { cache, folder, harnessHome: options.harnessHome });
  if (result.failed) return result;
  checked.add(folder);
  await noteUse(platform, folder);
  await evictDependencies(platform, cache);
  return result;
}

/** The copy's own `node_modules`: copied, never linked, and only when it is not there already. */
export async function installIntoCopy(platform: Platform, options: { folder: string; dependencies: Dependencies }): Promise<void> {
  const { folder, dependencies } = options;
  if (dependencies.path === null) return;
  const mark = join(folder, 'dependencies-hash');
  const target = join(folder, 'tree', 'node_modules');
  const stat = await platform.files.lstat(target).catch(() => null);
  const isThere = stat?.isDirectory() === true && (await platform.files.readTextIfExists(mark))?.trim() === dependencies.hash;
  for (const nested of dependencies.nested)
    await replaceTree(platform, join(dirname(dependencies.path), nested), join(folder, 'tree', nested), join(folder, 'next-node_modules'));
  if (isThere) return;
  await platform.files.remove(mark);
  await replaceTree(platform, dependencies.path, target, join(folder, 'next-node_modules'));
  await platform.files.writeAtomic(mark, `${dependencies.hash}\n`);
}

async function replaceTree(platform: Platform, from: string, target: string, next: string): Promise<void> {
  await platform.files.remove(next);
  await copyTree(platform, from, next);
  await platform.files.remove(target);
  await platform.files.mkdir(dirname(target));
  await platform.files.rename(next, target);
}

/** Where packages of the project have a `node_modules` of their own, because versions differ. */
async function nestedFolders(platform: Platform, folder: string, inside: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await platform.files.list(join(folder, inside)).catch(() => [])) {
    if (!entry.isDirectory()) continue;
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.name !== 'node_modules') found.push(...(await nestedFolders(platform, folder, path)));
    else if (inside !== '') found.push(path);
  }
  return found.toSorted();
}

async function fingerprintAll(platform: Platform, folder: string, nested: readonly string[]): Promise<string> {
  const first = await fingerprint(platform, join(folder, 'node_modules'));
  const more = await Promise.all(nested.map((path) => fingerprint(platform, join(folder, path))));
  return [first, ...more].join(' ');
}

async function install(
  platform: Platform,
  plan: InstallPlan,
  { cache, folder, harnessHome }: { cache: string; folder: string; harnessHome: string },
): Promise<Dependencies> {
  const building = join(cache, `building-${platform.random.id(6)}`);
  const aside = `${building}-aside`;
  await openHarnessHome(platform, harnessHome);
  await platform.files.mkdir(building);
  try {
    await placePackageFiles(platform, plan, building);
    const failure = await runInstall(platform, plan, { building, aside, harnessHome });
    if (failure !== null)
      return {
        path: null,
        nested: [],
        hash: plan.hash,
        installed: false,
        failed: true,
        detail: `${plan.command.join(' ')} failed: ${failure}`,
      };
    await platform.files.mkdir(join(building, 'node_modules'));
    await platform.files.remove(folder);
    await platform.files.rename(building, folder);
    const nested = await nestedFolders(platform, folder, '');
    await platform.files.writeAtomic(join(folder, 'complete'), `${await fingerprintAll(platform, folder, nested)}\n`);
    return {
      path: join(folder, 'node_modules'),
      nested,
      hash: plan.hash,
      installed: true,
      failed: false,
      detail: `${plan.command.slice(0, 2).join(' ')} for ${plan.lockfile}`,
    };
  } finally {
    await platform.files.remove(aside);
    await platform.files.remove(building);
  }
}

async function copyTree(platform: Platform, from: string, to: string): Promise<void> {
  const args = process.platform === 'darwin' ? ['-cRp', from, to] : ['-a', '--reflink=auto', '--', from, to];
  const run = await platform.processes.run({ file: 'cp', args, cwd: '/', env: { PATH: platform.env['PATH'] ?? '/usr/bin:/bin' } });
  if (run.code !== 0) throw new Error(`copying ${from} failed: ${run.stderr.toString('utf8').trim()}`);
}
