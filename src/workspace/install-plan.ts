/** Which package manager has to install what for a tree. */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { TreeEntry, TreeStore } from '../domain/tree.ts';
import type { Platform } from '../platform/platform.ts';

export interface InstallPlan {
  hash: string;
  lockfile: string;
  command: readonly string[];
  files: { path: string; content: Buffer }[];
  /** The lockfile lists no package. */
  empty: boolean;
}

const MANAGERS: readonly { lockfile: string; command: readonly string[]; empty(text: string): boolean }[] = [
  { lockfile: 'npm-shrinkwrap.json', command: ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], empty: emptyNpmLock },
  { lockfile: 'package-lock.json', command: ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], empty: emptyNpmLock },
  {
    lockfile: 'pnpm-lock.yaml',
    command: ['pnpm', 'install', '--frozen-lockfile', '--ignore-scripts', '--package-import-method=copy'],
    empty: (text) => !/^packages:\s*$/m.test(text),
  },
  {
    lockfile: 'yarn.lock',
    command: ['yarn', 'install', '--frozen-lockfile', '--ignore-scripts', '--non-interactive'],
    empty: (text) => !/^\S.*:\s*$/m.test(text.replace(/^__metadata:[\s\S]*?(?=^\S|$(?![\s\S]))/m, '')),
  },
];

const SETTINGS = new Set(['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', '.pnpmfile.cjs']);

/** `null` without a lockfile or without a `package.json` beside it. `scripts`: packages may run their install scripts. */
export async function planInstall(store: TreeStore, tree: string, scripts = false): Promise<InstallPlan | null> {
  const entries = (await store.list(tree)).filter((entry) => entry.mode === '100644' || entry.mode === '100755');
  const manager = MANAGERS.find(({ lockfile }) => entries.some((entry) => entry.path === lockfile));
  if (manager === undefined || !entries.some((entry) => entry.path === 'package.json')) return null;
  const command = scripts ? manager.command.filter((argument) => argument !== '--ignore-scripts') : manager.command;
  const lock = await store.read(tree, manager.lockfile);
  const wanted = entries.filter((entry) => entry.path === manager.lockfile || SETTINGS.has(entry.path) || isPackageFile(entry));
  const hash = createHash('sha256')
    .update(
      JSON.stringify([
        2,
        command,
        process.platform,
        process.arch,
        process.versions.modules,
        wanted.map((entry) => [entry.path, entry.oid]),
      ]),
    )
    .digest('hex');
  const files = await Promise.all(wanted.map(async (entry) => ({ path: entry.path, content: await store.readBlob(entry.oid) })));
  return {
    hash: hash.slice(0, 40),
    lockfile: manager.lockfile,
    command,
    files,
    empty: manager.empty(lock?.toString('utf8') ?? ''),
  };
}

export async function placePackageFiles(platform: Platform, plan: InstallPlan, folder: string): Promise<void> {
  for (const file of plan.files) {
    await platform.files.mkdir(join(folder, dirname(file.path)));
    await platform.files.write(join(folder, file.path), file.content);
  }
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
