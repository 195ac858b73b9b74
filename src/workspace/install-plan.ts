/** Which package manager has to install what for a tree. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { TreeEntry, TreeStore } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';

export interface InstallPlan {
  hash: string;
  /** Install scripts run. */
  scripts: boolean;
  /** The package manager takes code or programs from the project's own files, whether scripts run or not. */
  takesCode: boolean;
  lockfile: string;
  command: readonly string[];
  /** The same without any script. */
  quiet: readonly string[];
  /** The package manager as the project pins it, `pnpm@10.1.0`; without a version where it pins none. */
  manager: string;
  files: { path: string; content: Buffer }[];
  /** The lockfile lists no package. */
  empty: boolean;
}

interface Manager {
  lockfile: string;
  command: readonly string[];
  /** What keeps scripts from running. */
  withoutScripts: string;
  /** Versions of one manager have lockfiles of the same name. */
  isFor?(text: string): boolean;
  empty(text: string): boolean;
}

const NPM = { command: ['npm', 'ci', '--no-audit', '--no-fund'], withoutScripts: '--ignore-scripts', empty: emptyNpmLock };
const BUN = { command: ['bun', 'install', '--frozen-lockfile'], withoutScripts: '--ignore-scripts' };
const noEntries = (text: string): boolean => !/^\S.*:\s*$/m.test(text.replace(/^__metadata:[\s\S]*?(?=^\S|$(?![\s\S]))/m, ''));

const MANAGERS: readonly Manager[] = [
  { ...NPM, lockfile: 'npm-shrinkwrap.json' },
  { ...NPM, lockfile: 'package-lock.json' },
  {
    lockfile: 'pnpm-lock.yaml',
    command: ['pnpm', 'install', '--frozen-lockfile', '--package-import-method=copy'],
    withoutScripts: '--ignore-scripts',
    empty: (text) => !/^packages:\s*$/m.test(text),
  },
  {
    lockfile: 'yarn.lock',
    command: ['yarn', 'install', '--immutable'],
    withoutScripts: '--mode=skip-build',
    isFor: (text) => /^__metadata:/m.test(text),
    empty: noEntries,
  },
  {
    lockfile: 'yarn.lock',
    command: ['yarn', 'install', '--frozen-lockfile', '--non-interactive'],
    withoutScripts: '--ignore-scripts',
    empty: noEntries,
  },
  { ...BUN, lockfile: 'bun.lock', empty: (text) => !/^\s*"packages":\s*\{\s*[^\s}]/m.test(text) },
  { ...BUN, lockfile: 'bun.lockb', empty: () => false },
];

const SETTINGS = new Set(['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', '.pnpmfile.cjs']);

/**
 * `null` without a lockfile or without a `package.json` beside it. `scripts`: packages may run their install scripts. The project's own
 * packages have the scripts of the `trusted` tree then; null: none.
 */
export async function planInstall(
  store: TreeStore,
  tree: string,
  { scripts, trusted }: { scripts: boolean; trusted: string | null } = { scripts: false, trusted: null },
): Promise<InstallPlan | null> {
  const atTop = new Set((await store.list(tree)).filter((entry) => isFile(entry) && !entry.path.includes('/')).map((entry) => entry.path));
  const manifest = atTop.has('package.json') ? await store.read(tree, 'package.json') : null;
  const pinned = manifest === null ? null : pinnedManager(manifest);
  const manager = manifest === null ? null : await managerFor(store, tree, atTop, pinned);
  if (manager === null || manifest === null) return null;
  const entries = (await store.list(tree)).filter(isFile);
  const quiet = [...manager.command, manager.withoutScripts];
  const command = scripts ? manager.command : quiet;
  const lock = await store.read(tree, manager.lockfile);
  const plain = entries.filter((entry) => entry.path === manager.lockfile || SETTINGS.has(entry.path) || isPackageFile(entry));
  const texts = await Promise.all(plain.map(async (entry) => (await store.readBlob(entry.oid)).toString('utf8')));
  const known = new Set(plain);
  const wanted = [...plain, ...entries.filter((entry) => !known.has(entry) && isRead(entry.path, texts))];
  const files = await Promise.all(
    wanted.map(async (entry) => {
      const content = await store.readBlob(entry.oid);
      const path = entry.path;
      if (!scripts || !isPackageFile(entry)) return { path, content };
      return { path, content: withScriptsOf(content, trusted === null ? null : await store.read(trusted, path)) };
    }),
  );
  const kept = scripts ? files.map(({ content }) => createHash('sha256').update(content).digest('hex')) : [];
  const ids = wanted.map((entry) => [entry.path, entry.oid]);
  const hash = createHash('sha256')
    .update(JSON.stringify([2, command, process.platform, process.arch, process.versions.modules, ids, ...kept]))
    .digest('hex');
  return {
    hash: hash.slice(0, 40),
    scripts,
    takesCode: files.some(({ path, content }) => path === '.pnpmfile.cjs' || namesPrograms(path, content.toString('utf8'))),
    lockfile: manager.lockfile,
    command,
    quiet,
    manager: pinned?.startsWith(`${manager.command[0]!}@`) === true ? pinned : manager.command[0]!,
    files,
    empty: manager.empty(lock?.toString('utf8') ?? ''),
  };
}

/** The one that package.json names where its lockfile is there; else the first whose lockfile is. */
async function managerFor(store: TreeStore, tree: string, paths: ReadonlySet<string>, pinned: string | null): Promise<Manager | null> {
  const there = MANAGERS.filter(({ lockfile }) => paths.has(lockfile));
  const named = there.filter(({ command }) => pinned?.startsWith(`${command[0]!}@`) === true);
  for (const one of named.length > 0 ? named : there)
    if (one.isFor === undefined || one.isFor((await store.read(tree, one.lockfile))?.toString('utf8') ?? '')) return one;
  return null;
}

/** `packageManager` of the package file, without the hash behind it. */
function pinnedManager(manifest: Buffer): string | null {
  const named = parsedObject(manifest)?.['packageManager'];
  return typeof named === 'string' ? named.replace(/\+.*$/, '') : null;
}

export async function placePackageFiles(platform: Platform, plan: InstallPlan, folder: string): Promise<void> {
  for (const file of plan.files) {
    await platform.files.mkdir(join(folder, dirname(file.path)));
    await platform.files.write(join(folder, file.path), file.content);
  }
}

/** The package file with the scripts that the trusted one has, and with no others. */
function withScriptsOf(content: Buffer, trusted: Buffer | null): Buffer {
  const own = parsedObject(content);
  if (own === null) return content;
  const scripts = trusted === null ? undefined : parsedObject(trusted)?.['scripts'];
  if (JSON.stringify(own['scripts']) === JSON.stringify(scripts)) return content;
  const { scripts: _own, ...rest } = own;
  return Buffer.from(`${JSON.stringify(scripts === undefined ? rest : { ...rest, scripts }, null, 2)}\n`);
}

function parsedObject(content: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Settings by which a repository chooses what its package manager starts. */
function namesPrograms(path: string, text: string): boolean {
  return (
    SETTINGS.has(path) &&
    /^\s*"?(?:git|shell|script-shell|node-options|yarn-path|yarnPath|plugins|pnpmfile|global-pnpmfile)"?\s*[=:\s]/m.test(text)
  );
}

/** What the package manager reads beside the lockfile: Yarn's own program and plugins, patches, and packages that lie in the project. */
function isRead(path: string, texts: readonly string[]): boolean {
  if (/^\.yarn\/(?:releases|plugins|patches)\//.test(path)) return true;
  return /\.(?:patch|diff|tgz|tar\.gz)$/.test(path) && texts.some((text) => text.includes(path));
}

function isFile({ mode }: TreeEntry): boolean {
  return mode === '100644' || mode === '100755';
}

/** The project's own and those of its workspaces. */
function isPackageFile(entry: TreeEntry): boolean {
  return (entry.path === 'package.json' || entry.path.endsWith('/package.json')) && !entry.path.split('/').includes('node_modules');
}

function emptyNpmLock(text: string): boolean {
  let lock: unknown;
  try {
    lock = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof lock !== 'object' || lock === null) return false;
  const packages = 'packages' in lock && typeof lock.packages === 'object' ? lock.packages : null;
  const dependencies = 'dependencies' in lock && typeof lock.dependencies === 'object' ? lock.dependencies : null;
  return Object.keys(packages ?? {}).every((key) => key === '') && Object.keys(dependencies ?? {}).length === 0;
}
