/**
 * Lockfiles for projects that have none: exact versions, found out once and kept in `.harness/locks/`.
 *
 * 1. One for each set of manifests and settings: a candidate that changes none of them has the lock of its base; one that does gets a lock
 *    of its own, which counts for nothing else until it lands.
 * 2. It begins with what the person has: a lockfile that git does not track, what is installed, or the lock of the trusted tree. Of an
 *    installed tree names, versions and checksums count, addresses never; and only where git does not track it.
 * 3. Versions are resolved in the sandbox, with the project's manager and no scripts, as in any install.
 *
 * Why: docs/decisions/2026-11-18-locks.md
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TreeStore } from '../../domain/tree.ts';
import { tryGit } from '../../platform/git.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import { isFile, packageFiles, placePackageFiles, settingsOf } from '../install-plan.ts';
import { startManager, type InstallFailure } from '../run-install.ts';
import { LOCK_MAKERS, pinnedManager, type LockMaker } from './managers.ts';
import type { NamedRegistry } from './manager-settings.ts';
import { readLock as readLockText } from './lock-text.ts';
import { completeNpmLock, npmLockOfInstalled, pnpmLockOfInstalled } from './seed-locks.ts';
import { jsonOf, usedFiles } from './sources.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface MadeLock {
  path: string;
  content: Buffer;
  /** Of the content. */
  hash: string;
  /** When it was made. */
  made: string;
  from: 'lockfile' | 'installed' | 'earlier lock' | 'registry';
}

export interface LockOptions {
  store: TreeStore;
  tree: string;
  /** The tree whose lock a new one begins with; null: none. */
  trusted: string | null;
  root: string;
  stateDir: string;
  harnessHome: string;
}

interface Need {
  key: string;
  maker: LockMaker;
  version: string | null;
  files: { path: string; content: Buffer }[];
  registries: NamedRegistry[];
}

const LOCKFILES = ['npm-shrinkwrap.json', 'package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'] as const;
const KEYS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Null where the tree has a lockfile, or nothing to lock. */
export async function lockForTree(platform: Platform, options: LockOptions): Promise<MadeLock | { failure: InstallFailure } | null> {
  const need = await whatIsNeeded(options, options.tree);
  if (need === null) return null;
  const known = await readLock(platform, options, need);
  if (known !== null) return known;
  const ofTrusted = options.trusted === null ? null : await whatIsNeeded(options, options.trusted);
  const isTrusted = ofTrusted === null || ofTrusted.key === need.key;
  const earlier = ofTrusted === null || isTrusted ? null : await readLock(platform, options, ofTrusted);
  const seed =
    earlier === null ? await whatThePersonHas(platform, options, need) : { content: earlier.content, from: 'earlier lock' as const };
  return await makeLock(platform, options, need, seed);
}

/** For a lock that was taken from what the person has, and cannot be installed: versions anew, from nothing. */
export async function lockAnew(platform: Platform, options: LockOptions): Promise<MadeLock | { failure: InstallFailure } | null> {
  const need = await whatIsNeeded(options, options.tree);
  if (need === null) return null;
  await platform.files.remove(join(options.stateDir, 'locks', need.key));
  return await makeLock(platform, options, need, null);
}

/** The lock of a tree, where one was made. */
export async function knownLock(platform: Platform, options: LockOptions): Promise<MadeLock | null> {
  const need = await whatIsNeeded(options, options.tree);
  return need === null ? null : await readLock(platform, options, need);
}

async function whatIsNeeded({ store }: LockOptions, tree: string): Promise<Need | null> {
  const entries = (await store.list(tree)).filter(isFile);
  const top = new Set(entries.map((entry) => entry.path).filter((path) => !path.includes('/')));
  if (!top.has('package.json') || LOCKFILES.some((path) => top.has(path))) return null;
  const all = await packageFiles(store, entries, { scripts: false, trusted: null, isLocked: false });
  const used = usedFiles(all);
  const manifests = used.map(({ path, content }) => [path, jsonOf(content.toString('utf8'))] as const);
  const isNeeded = manifests.some(([, manifest]) => KEYS.some((key) => Object.keys(Object(manifest[key])).length > 0));
  if (!isNeeded && manifests.length === 1) return null;
  const own = mustHave(await store.read(tree, 'package.json'), 'the tree holds a package.json');
  const manifest = jsonOf(own.toString('utf8'));
  const pinned = pinnedManager(manifest);
  const name = top.has('pnpm-workspace.yaml') ? 'pnpm' : (pinned?.name ?? 'npm');
  const isNewYarn = name === 'yarn' && !/^[01]\./.test(pinned?.version ?? '');
  // The older yarn cannot resolve without installing; npm reads the same manifests.
  const maker = LOCK_MAKERS[name === 'yarn' && !isNewYarn ? 'npm' : (name as keyof typeof LOCK_MAKERS)];
  const settings = await settingsOf(maker, async (path) => (top.has(path) ? await store.read(tree, path) : null));
  const parts = manifests.map(([path, { version: _version, scripts: _scripts, ...rest }]) => [path, ...dependencyParts(rest)]);
  const key = createHash('sha256')
    .update(JSON.stringify([1, maker.name, parts.toSorted(), settings.files.map(({ path, content }) => [path, content.toString('utf8')])]))
    .digest('hex')
    .slice(0, 16);
  const version = pinned?.name === maker.name ? pinned.version : null;
  return { key, maker, version, files: [...used, ...settings.files], registries: settings.registries };
}

function dependencyParts(manifest: Readonly<Record<string, unknown>>): unknown[] {
  return ['name', ...KEYS, 'peerDependenciesMeta', 'overrides', 'resolutions', 'workspaces', 'pnpm', 'bundleDependencies'].map(
    (key) => manifest[key],
  );
}

async function readLock(platform: Platform, { stateDir }: LockOptions, { key, maker }: Need): Promise<MadeLock | null> {
  const folder = join(stateDir, 'locks', key);
  const about = await platform.files.readTextIfExists(join(folder, 'about.json'));
  const content = about === null ? null : await platform.files.read(join(folder, maker.lockfile)).catch(() => null);
  if (about === null || content === null) return null;
  const { made, from } = jsonOf(about);
  return lockOf(maker.lockfile, content, String(made), from as MadeLock['from']);
}

function lockOf(path: string, content: Buffer, made: string, from: MadeLock['from']): MadeLock {
  return { path, content, hash: createHash('sha256').update(content).digest('hex'), made, from };
}

type Seed = { content: Buffer; from: 'lockfile' | 'installed' | 'earlier lock' } | null;

async function whatThePersonHas(platform: Platform, { root }: LockOptions, { maker, files }: Need): Promise<Seed> {
  const own = await platform.files.read(join(root, maker.lockfile)).catch(() => null);
  if (own !== null && (await isUntracked(platform, root, maker.lockfile))) return { content: own, from: 'lockfile' };
  if (!(await isUntracked(platform, root, 'node_modules'))) return null;
  const read = (path: string): Promise<string | null> =>
    platform.files.readTextIfExists(join(root, 'node_modules', path)).catch(() => null);
  const manifest = mustHave(
    files.find(({ path }) => path === 'package.json'),
    'a package.json is among the files',
  ).content.toString('utf8');
  const text =
    maker.name === 'npm'
      ? npmLockOfInstalled(await read('.package-lock.json'), manifest)
      : maker.name === 'pnpm'
        ? pnpmLockOfInstalled(await read('.pnpm/lock.yaml'))
        : null;
  return text === null ? null : { content: Buffer.from(text), from: 'installed' };
}

async function isUntracked(platform: Platform, root: string, path: string): Promise<boolean> {
  const tracked = await tryGit(platform, ['ls-files', '-z', '--', path], { cwd: root });
  return tracked.code === 0 && tracked.stdout.length === 0;
}

async function makeLock(platform: Platform, options: LockOptions, need: Need, seed: Seed): Promise<MadeLock | { failure: InstallFailure }> {
  const building = join(options.harnessHome, 'cache', 'dependencies', `building-${platform.random.id(6)}`);
  const aside = `${building}-aside`;
  const { maker } = need;
  const read = seed === null ? null : readLockText(maker.lockfile, seed.content.toString('utf8'));
  if (seed !== null && read === null) return await makeLock(platform, options, need, null);
  const files = [...need.files, ...(read === null ? [] : [{ path: maker.lockfile, content: Buffer.from(read.text) }])];
  const plan = { ...need, files, manager: maker.name, lockfile: maker.lockfile, range: need.version?.replace(/\..*$/, '') ?? maker.range };
  await platform.files.mkdir(building);
  try {
    await placePackageFiles(platform, plan, building);
    const started = await startManager(platform, plan, { building, aside, harnessHome: options.harnessHome });
    if ('failure' in started) return started;
    const failure = (await started.check(plan)) ?? (await started.run(maker.args, 'quiet'));
    if (failure !== null) return seed === null ? { failure } : await makeLock(platform, options, need, null);
    if (maker.name === 'npm') await completeNpmLock(platform, started, building);
    return await keepLock(platform, options, need, {
      content: await platform.files.read(join(building, maker.lockfile)),
      from: seed?.from ?? 'registry',
    });
  } finally {
    await platform.files.remove(aside);
    await platform.files.remove(building);
  }
}

/** The folder appears as a whole. One that another process made meanwhile counts. */
async function keepLock(
  platform: Platform,
  options: LockOptions,
  need: Need,
  { content, from }: Pick<MadeLock, 'content' | 'from'>,
): Promise<MadeLock> {
  const folder = join(options.stateDir, 'locks', need.key);
  const next = `${folder}-${platform.random.id(6)}`;
  const made = isoNow(platform.clock);
  await platform.files.mkdir(next);
  await platform.files.write(join(next, need.maker.lockfile), content);
  await platform.files.write(join(next, 'about.json'), `${JSON.stringify({ made, from, manager: need.maker.name }, null, 2)}\n`);
  await platform.files.rename(next, folder).catch(() => platform.files.remove(next));
  return (await readLock(platform, options, need)) ?? lockOf(need.maker.lockfile, content, made, from);
}
