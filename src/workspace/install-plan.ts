/**
 * Which package manager has to install what for a tree, and the files that it is shown.
 *
 * 1. It sees package files, the lockfile, patches and archives of the project, and settings that the harness wrote: manager-settings.ts.
 * 2. Package files are written again from what was read, without what chooses a manager or its version. Scripts, where the user allows
 *    them, are those of the trusted tree. A lockfile is shown as lock-text.ts read it.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { TreeEntry, TreeStore } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';
import { MANAGERS, pinnedManager, rangeFor, type Manager, type ManagerName } from './installs/managers.ts';
import {
  namedRegistries,
  npmSettings,
  pnpmSettings,
  pnpmWorkspace,
  yarnSettings,
  type NamedRegistry,
} from './installs/manager-settings.ts';
import { readLock } from './installs/lock-text.ts';
import { jsonOf, recordOf } from './installs/sources.ts';
import { mustHave } from '../domain/must-have.ts';

export interface InstallPlan {
  hash: string;
  /** Install scripts run. */
  scripts: boolean;
  manager: ManagerName;
  /** As the project pins it. */
  version: string | null;
  /** The major version that reads the lockfile; null: any. */
  range: string | null;
  lockfile: string;
  /** Arguments of the manager; `quiet` runs no script. */
  quiet: readonly string[];
  loud: readonly string[];
  files: { path: string; content: Buffer }[];
  /** Of the project's own settings. */
  registries: NamedRegistry[];
  /** The lockfile lists no package. */
  empty: boolean;
}

export interface PlanOptions {
  /** Packages may run their install scripts. */
  scripts: boolean;
  /** The tree whose own scripts run then; null: none. */
  trusted: string | null;
  /** A lockfile that the tree does not have. */
  lock?: { path: string; content: Buffer } | null;
}

const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', 'bunfig.toml'] as const;

/** `null` without a lockfile or without a `package.json` beside it. */
export async function planInstall(
  store: TreeStore,
  tree: string,
  { scripts, trusted, lock = null }: PlanOptions = { scripts: false, trusted: null },
): Promise<InstallPlan | null> {
  const entries = (await store.list(tree)).filter(isFile);
  const atTop = new Map(entries.filter((entry) => !entry.path.includes('/')).map((entry) => [entry.path, entry]));
  const manifest = atTop.has('package.json') ? await store.read(tree, 'package.json') : null;
  if (manifest === null) return null;
  const pinned = pinnedManager(jsonOf(manifest.toString('utf8')));
  const readTop = async (path: string): Promise<Buffer | null> =>
    lock?.path === path ? lock.content : atTop.has(path) ? await store.read(tree, path) : null;
  const manager = await managerFor(lock === null ? new Set(atTop.keys()) : new Set([lock.path]), readTop, pinned?.name ?? null);
  if (manager === null) return null;
  const locked = mustHave(await readTop(manager.lockfile), 'a package manager is chosen by a lockfile that is there');
  const lockText = locked.toString('utf8');
  const settings = await settingsOf(manager, readTop);
  const files = [
    { path: manager.lockfile, content: lockFor(manager, locked) },
    ...(await packageFiles(store, entries, { scripts, trusted, isLocked: lock === null })),
    ...settings.files,
  ];
  const texts = files.map(({ content }) => content.toString('utf8'));
  const read = entries.filter((entry) => isRead(entry.path, texts));
  files.push(...(await Promise.all(read.map(async ({ path, oid }) => ({ path, content: await store.readBlob(oid) })))));
  const loud = scripts ? manager.quiet.filter((word) => word !== manager.withoutScripts) : manager.quiet;
  const version = pinned?.name === manager.name ? pinned.version : null;
  const ids = files.map(({ path, content }) => [path, createHash('sha256').update(content).digest('hex')] as const);
  const machine = [process.platform, process.arch, process.versions.modules];
  const key = JSON.stringify([
    6,
    manager.name,
    version,
    loud,
    ...machine,
    ids.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    settings.registries,
  ]);
  return {
    hash: createHash('sha256').update(key).digest('hex').slice(0, 40),
    scripts,
    manager: manager.name,
    version,
    range: version === null ? rangeFor(manager, lockText) : version.replace(/\..*$/, ''),
    lockfile: manager.lockfile,
    quiet: manager.quiet,
    loud,
    files,
    registries: settings.registries,
    empty: manager.empty(lockText),
  };
}

/** The one that package.json names where its lockfile is there; else the first whose lockfile is. */
async function managerFor(
  paths: ReadonlySet<string>,
  read: (path: string) => Promise<Buffer | null>,
  pinned: string | null,
): Promise<Manager | null> {
  const there = MANAGERS.filter(({ lockfile }) => paths.has(lockfile));
  const named = there.filter(({ name }) => name === pinned);
  for (const one of named.length > 0 ? named : there)
    if (one.isFor === undefined || one.isFor((await read(one.lockfile))?.toString('utf8') ?? '')) return one;
  return null;
}

/** One that cannot be read is never installed from: `checkSources` stops before. */
function lockFor({ lockfile }: Manager, content: Buffer): Buffer {
  const text = content.toString('utf8');
  const read = readLock(lockfile, text);
  return read === null || read.text === text ? content : Buffer.from(read.text);
}

/** Written by the harness, and the registries that the project's own files name. */
export async function settingsOf(
  { name }: Pick<Manager, 'name'>,
  read: (path: string) => Promise<Buffer | null>,
): Promise<{ files: { path: string; content: Buffer }[]; registries: NamedRegistry[] }> {
  const texts = new Map<string, string>();
  for (const path of SETTINGS) texts.set(path, (await read(path))?.toString('utf8') ?? '');
  const text = (path: (typeof SETTINGS)[number]): string => texts.get(path) ?? '';
  const written: [string, string][] = [['.npmrc', npmSettings(text('.npmrc'))]];
  if (name === 'pnpm' && text('pnpm-workspace.yaml') !== '')
    written.push(['pnpm-workspace.yaml', pnpmWorkspace(text('pnpm-workspace.yaml'))]);
  if (name === 'yarn') written.push(['.yarnrc.yml', yarnSettings(text('.yarnrc.yml'))]);
  const files = written.filter(([, content]) => content !== '').map(([path, content]) => ({ path, content: Buffer.from(content) }));
  return { files, registries: [...texts].flatMap(([file, content]) => (content === '' ? [] : namedRegistries(file, content))) };
}

/** The project's own and those of its workspaces. `isLocked`: by a lockfile of the project, which has to fit them. */
export async function packageFiles(
  store: TreeStore,
  entries: readonly TreeEntry[],
  { scripts, trusted, isLocked }: Pick<PlanOptions, 'scripts' | 'trusted'> & { isLocked: boolean },
): Promise<{ path: string; content: Buffer }[]> {
  const lerna = isLocked ? undefined : entries.find(({ path }) => path === 'lerna.json');
  const packages = lerna === undefined ? [] : lernaPackages(await store.readBlob(lerna.oid));
  return await Promise.all(
    entries.filter(isPackageFile).map(async ({ path, oid }) => {
      const own = withoutManager(await store.readBlob(oid));
      const content = path === 'package.json' ? withWorkspaces(own, packages) : own;
      return { path, content: scripts ? withScriptsOf(content, trusted === null ? null : await store.read(trusted, path)) : content };
    }),
  );
}

/** What `lerna bootstrap` installs and links: without a list of workspaces, no package manager would. */
function lernaPackages(content: Buffer): string[] {
  const { packages = ['packages/*'] } = jsonOf(content.toString('utf8'));
  return Array.isArray(packages) ? packages.filter((one): one is string => typeof one === 'string') : [];
}

function withWorkspaces(content: Buffer, packages: readonly string[]): Buffer {
  const manifest = jsonOf(content.toString('utf8'));
  return packages.length === 0 || manifest['workspaces'] !== undefined ? content : jsonFile({ ...manifest, workspaces: packages });
}

export async function placePackageFiles(platform: Platform, { files }: Pick<InstallPlan, 'files'>, folder: string): Promise<void> {
  for (const file of files) {
    await platform.files.mkdir(join(folder, dirname(file.path)));
    await platform.files.write(join(folder, file.path), file.content);
  }
}

/** Without what chooses the manager, a runtime for it, or code for it to run. A file that cannot be read has nothing. */
function withoutManager(content: Buffer): Buffer {
  const { packageManager: _manager, devEngines: _engines, pnpm, ...rest } = jsonOf(content.toString('utf8'));
  return jsonFile(pnpm === undefined ? rest : { ...rest, pnpm: pnpmSettings(recordOf(pnpm)) });
}

/** The package file with the scripts that the trusted one has, and with no others. */
function withScriptsOf(content: Buffer, trusted: Buffer | null): Buffer {
  const own = jsonOf(content.toString('utf8'));
  const scripts = trusted === null ? undefined : jsonOf(trusted.toString('utf8'))['scripts'];
  if (JSON.stringify(own['scripts']) === JSON.stringify(scripts)) return content;
  const { scripts: _own, ...rest } = own;
  return jsonFile(scripts === undefined ? rest : { ...rest, scripts });
}

function jsonFile(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
}

/** Patches and archives of the project that its package files name. */
function isRead(path: string, texts: readonly string[]): boolean {
  if (path.startsWith('.yarn/patches/')) return true;
  return /\.(?:patch|diff|tgz|tar\.gz)$/.test(path) && texts.some((text) => text.includes(path));
}

export function isFile({ mode }: TreeEntry): boolean {
  return mode === '100644' || mode === '100755';
}

export function isPackageFile(entry: TreeEntry): boolean {
  return (entry.path === 'package.json' || entry.path.endsWith('/package.json')) && !entry.path.split('/').includes('node_modules');
}
