/**
 * Dependencies that the harness installs itself, once for each lockfile.
 *
 * 1. `$HARNESS_HOME/cache/dependencies/<hash>` is complete when its mark is there; the mark is written last, and a directory
 *    appears under its name only by rename, so that installs side by side do no harm.
 * 2. Install scripts run only where the user's own settings allow them, and in a sandbox; those of the project itself only as the trusted
 *    tree has them. What the package manager sees of the project: install-plan.ts.
 * 3. Each first use in a process compares every installed file with the fingerprint of the install; a difference installs again.
 * 4. It is bounded: evict-dependencies.ts.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { loadUserSettings } from '../config/user-settings.ts';
import { cleanText } from '../domain/clean-text.ts';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { TreeStore } from '../domain/tree.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { isThroughLink } from '../platform/contained-path.ts';
import { copyTree } from './copy-tree.ts';
import { evictDependencies, noteUse } from './evict-dependencies.ts';
import { fingerprint } from './fingerprint.ts';
import { openHarnessHome } from './harness-home.ts';
import { placePackageFiles, planInstall, type InstallPlan } from './install-plan.ts';
import { lockAnew, lockForTree, type MadeLock } from './installs/made-locks.ts';
import { isInside } from './paths.ts';
import { noteIn, runInstall, type InstallFailure } from './run-install.ts';
import { walkDirectory } from './walk.ts';
import { firstItem } from '../domain/items.ts';

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
  /** What a person should know about how it was installed. */
  note?: string;
  failure?: InstallFailure & { log: string | null };
}

export interface DependencyOptions {
  store: TreeStore;
  /** Tree or commit whose lockfile counts. */
  tree: string;
  harnessHome: string;
  /** The project's working tree: what the person has installed there. */
  root?: string;
  /** Where the output of an install that failed is kept, and lockfiles that the project does not have. */
  stateDir?: string;
  /** Tree or commit whose own scripts may run where the user allows scripts; null: none. Absent: `tree` itself is trusted. */
  trusted?: string | null;
  /** Install without what was installed or fetched before, and keep nothing of it. */
  fromNothing?: boolean;
  /** Check the fingerprint even if this process has done so before. */
  recheck?: boolean;
}

const checked = new Set<string>();

export async function ensureDependencies(platform: Platform, options: DependencyOptions): Promise<Dependencies> {
  const allowed = (await loadUserSettings(platform)).dependencies?.install_scripts ?? false;
  const trusted = options.trusted === undefined ? options.tree : options.trusted;
  const begin = isoNow(platform.clock);
  const made = await lockOf(platform, options, trusted);
  if (made !== null && 'failure' in made) return await refused(platform, made.failure, options.stateDir);
  const first = await ensureLocked(platform, options, made, { scripts: allowed, trusted });
  // A lock is no dead end: what a person has, or a registry had, may not be there any more.
  const isNew = made?.from === 'earlier lock' || (made?.from === 'registry' && made.made >= begin);
  if (first.failure?.kind !== 'install' || made === null || isNew) return first;
  const anew = await lockOf(platform, options, trusted, lockAnew);
  if (anew === null || 'failure' in anew) return first;
  return await ensureLocked(platform, options, anew, { scripts: allowed, trusted });
}

async function ensureLocked(
  platform: Platform,
  options: DependencyOptions,
  made: MadeLock | null,
  { scripts, trusted }: { scripts: boolean; trusted: string | null },
): Promise<Dependencies> {
  const plan = await planInstall(options.store, options.tree, { scripts, trusted, lock: made });
  if (plan === null) return { path: null, nested: [], hash: null, installed: false, failed: false, detail: 'no lockfile' };
  if (plan.empty)
    return { path: null, nested: [], hash: plan.hash, installed: false, failed: false, detail: `${plan.lockfile} lists no packages` };
  await platform.files.mkdir(options.harnessHome);
  const harnessHome = await platform.files.realpath(options.harnessHome);
  if (options.fromNothing === true) return await installFromNothing(platform, plan, harnessHome);
  const cache = join(harnessHome, 'cache', 'dependencies');
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
    ...(await noteIn(platform, folder)),
  };
  if (checked.has(folder) && options.recheck !== true && (await platform.files.exists(join(folder, 'complete')))) return known;
  const mark = await platform.files.readTextIfExists(join(folder, 'complete'));
  if (mark !== null && mark.trim() === (await fingerprintAll(platform, folder, nested))) {
    checked.add(folder);
    return known;
  }
  const result = await install(platform, plan, { cache, folder, harnessHome, stateDir: options.stateDir, isMade: made !== null });
  if (result.failed) return result;
  checked.add(folder);
  await noteUse(platform, folder);
  await evictDependencies(platform, cache);
  return result;
}

/** For a tree without a lockfile. */
async function lockOf(
  platform: Platform,
  options: DependencyOptions,
  trusted: string | null,
  make: typeof lockForTree = lockForTree,
): ReturnType<typeof lockForTree> {
  const { store, tree, root, stateDir } = options;
  if (root === undefined || stateDir === undefined) return null;
  await platform.files.mkdir(options.harnessHome);
  const harnessHome = await platform.files.realpath(options.harnessHome);
  return await make(platform, { store, tree, trusted, root, stateDir, harnessHome });
}

async function refused(platform: Platform, failure: InstallFailure, stateDir: string | undefined): Promise<Dependencies> {
  const log = await keepOutput(platform, failure, stateDir);
  const detail = describeFailure(null, failure, log);
  return { path: null, nested: [], hash: null, installed: false, failed: true, detail, failure: { ...failure, log } };
}

export function notInstalled(detail: string): HarnessError {
  return new HarnessError('The dependencies of the project could not be installed.', {
    exitCode: EXIT.preflight,
    next: 'retry_now',
    reasons: ['env.dependencies_failed'],
    details: [detail],
  });
}

/**
 * Why a candidate's packages cannot be installed where those of its base can. The base is installed from nothing for that: what is kept of it
 * would prove nothing about the network. Where neither can, that is no fault of the candidate, and an error.
 */
export async function whyBroken(platform: Platform, candidate: DependencyOptions, base: DependencyOptions): Promise<string | null> {
  const first = await ensureDependencies(platform, candidate);
  if (!first.failed || !(await ensureDependencies(platform, candidate)).failed) return null;
  if (first.failure !== undefined && first.failure.kind !== 'install') return first.detail;
  const proof = await ensureDependencies(platform, { ...base, fromNothing: true });
  if (proof.failed || (!proof.installed && NETWORK.test(first.detail))) throw notInstalled(first.detail);
  return first.detail;
}

const NETWORK = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|network)\b/i;

/** The copy's own `node_modules`: copied, never linked, and only when it is not there already. */
export async function installIntoCopy(platform: Platform, options: { folder: string; dependencies: Dependencies }): Promise<void> {
  const { folder, dependencies } = options;
  if (dependencies.path === null) return;
  const mark = join(folder, 'dependencies-hash');
  const target = join(folder, 'tree', 'node_modules');
  const stat = await platform.files.lstat(target).catch(() => null);
  const isThere = stat?.isDirectory() === true && (await platform.files.readTextIfExists(mark))?.trim() === dependencies.hash;
  for (const nested of dependencies.nested) {
    // The tree may hold work in which a package has become a link.
    if (await isThroughLink(platform, join(folder, 'tree'), nested)) continue;
    await replaceTree(platform, join(dirname(dependencies.path), nested), join(folder, 'tree', nested), join(folder, 'next-node_modules'));
  }
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

async function installFromNothing(platform: Platform, plan: InstallPlan, harnessHome: string): Promise<Dependencies> {
  const building = join(harnessHome, 'cache', 'dependencies', `building-${platform.random.id(6)}`);
  const aside = `${building}-aside`;
  await openHarnessHome(platform, harnessHome);
  await platform.files.mkdir(building);
  try {
    await placePackageFiles(platform, plan, building);
    const failure = await runInstall(platform, { ...plan, scripts: false }, { building, aside, harnessHome, fromNothing: true });
    const failed = failure !== null;
    return { path: null, nested: [], hash: plan.hash, installed: !failed, failed, detail: failure?.message ?? 'installed from nothing' };
  } finally {
    await platform.files.remove(aside);
    await platform.files.remove(building);
  }
}

interface Places {
  cache: string;
  folder: string;
  harnessHome: string;
  stateDir: string | undefined;
  /** The lockfile is the harness's own. */
  isMade: boolean;
}

async function install(
  platform: Platform,
  plan: InstallPlan,
  { cache, folder, harnessHome, stateDir, isMade }: Places,
): Promise<Dependencies> {
  const building = join(cache, `building-${platform.random.id(6)}`);
  const aside = `${building}-aside`;
  const nothing = { path: null, nested: [], hash: plan.hash, installed: false };
  await platform.files.mkdir(building);
  try {
    await placePackageFiles(platform, plan, building);
    const failure = (await runInstall(platform, plan, { building, aside, harnessHome })) ?? (await linkedOutside(platform, building));
    if (failure !== null) {
      const log = await keepOutput(platform, failure, stateDir);
      return {
        ...nothing,
        failed: true,
        detail: describeFailure(isMade ? null : plan.lockfile, failure, log),
        failure: { ...failure, log },
      };
    }
    await platform.files.mkdir(join(building, 'node_modules'));
    await platform.files.remove(folder);
    await platform.files.rename(building, folder);
    const nested = await nestedFolders(platform, folder, '');
    await platform.files.writeAtomic(join(folder, 'complete'), `${await fingerprintAll(platform, folder, nested)}\n`);
    const detail = `${plan.manager} ${firstItem(plan.quiet)} for ${plan.lockfile}`;
    return {
      path: join(folder, 'node_modules'),
      nested,
      hash: plan.hash,
      installed: true,
      failed: false,
      detail,
      ...(await noteIn(platform, folder)),
    };
  } finally {
    await platform.files.remove(aside);
    await platform.files.remove(building);
  }
}

/** `lockfile`: the project's; null: it has none. */
function describeFailure(lockfile: string | null, { message, remedy, kind }: InstallFailure, log: string | null): string {
  const fix = `Fix ${lockfile ?? 'the dependencies in package.json'}, then run harness init again`;
  const what = remedy ?? (kind === 'install' ? fix : null);
  const output = log === null ? [] : [`Full output: ${log}`];
  return [message, ...(what === null ? [] : [what]), ...output]
    .map((one) => one.replace(/\.?$/, '.'))
    .join(' ')
    .replace(/(\.log)\.$/, '$1');
}

/** Null where there is nothing to keep, or nowhere to. */
async function keepOutput(platform: Platform, { output }: InstallFailure, stateDir: string | undefined): Promise<string | null> {
  if (output === null || stateDir === undefined) return null;
  const name = `install-${isoNow(platform.clock).replace(/\W/g, '-')}-${platform.random.id(2)}.log`;
  await platform.files.mkdir(join(stateDir, 'logs'));
  await platform.files.write(join(stateDir, 'logs', name), cleanText(output));
  return `${basename(stateDir)}/logs/${name}`;
}

/** A lockfile can name a folder anywhere: a link to one is nothing that was installed. Two links can lead out of it only together. */
async function linkedOutside(platform: Platform, building: string): Promise<InstallFailure | null> {
  const { files } = await walkDirectory(platform, building);
  for (const { path, stat } of files) {
    if (!stat.isSymbolicLink()) continue;
    const link = join(building, path);
    const to = resolve(dirname(link), await platform.files.readlink(link));
    const real = await platform.files.realpath(link).catch(() => to);
    // Nothing that installs puts a link beside `node_modules`, where the harness keeps its own notes.
    if (path.includes('/') && [to, real].every((one) => isInside(building, one))) continue;
    const message = `the lockfile leads outside the project: ${path} is a link to ${to}`;
    return { message, remedy: null, output: null, kind: 'outside', asked: [] };
  }
  return null;
}
