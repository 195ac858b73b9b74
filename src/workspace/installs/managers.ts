/** The package managers of Node projects: their lockfiles, and how each installs what a lockfile says. Pure. */
import { recordOf } from './sources.ts';
import { groupOf } from '../../domain/text-parts.ts';

export type ManagerName = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What an install needs of a manager. */
export interface Wanted {
  manager: ManagerName;
  /** As the project pins it. */
  version: string | null;
  /** The major version that reads the lockfile; null: any. */
  range: string | null;
  lockfile: string;
  files: readonly { path: string; content: Buffer }[];
}

export interface Manager {
  name: ManagerName;
  lockfile: string;
  /** Nothing of the project is started by it. */
  quiet: readonly string[];
  /** What of `quiet` keeps the scripts of packages from running. */
  withoutScripts: string;
  /** Versions of one manager have lockfiles of the same name. */
  isFor?(text: string): boolean;
  empty(text: string): boolean;
}

const NPM = {
  name: 'npm',
  quiet: ['ci', '--no-audit', '--no-fund', '--ignore-scripts'],
  withoutScripts: '--ignore-scripts',
  empty: emptyNpmLock,
} as const;
const BUN = {
  name: 'bun',
  quiet: ['install', '--frozen-lockfile', '--backend=copyfile', '--ignore-scripts'],
  withoutScripts: '--ignore-scripts',
} as const;
const noEntries = (text: string): boolean => !/^\S.*:\s*$/m.test(text.replace(/^__metadata:[\s\S]*?(?=^\S|$(?![\s\S]))/m, ''));

export const MANAGERS: readonly Manager[] = [
  { ...NPM, lockfile: 'npm-shrinkwrap.json' },
  { ...NPM, lockfile: 'package-lock.json' },
  {
    name: 'pnpm',
    lockfile: 'pnpm-lock.yaml',
    quiet: ['install', '--frozen-lockfile', '--package-import-method=copy', '--ignore-pnpmfile', '--ignore-scripts'],
    withoutScripts: '--ignore-scripts',
    empty: (text) => !/^packages:\s*$/m.test(text),
  },
  {
    name: 'yarn',
    lockfile: 'yarn.lock',
    quiet: ['install', '--immutable', '--mode=skip-build'],
    withoutScripts: '--mode=skip-build',
    isFor: (text) => /^__metadata:/m.test(text),
    empty: noEntries,
  },
  {
    name: 'yarn',
    lockfile: 'yarn.lock',
    quiet: ['install', '--frozen-lockfile', '--non-interactive', '--ignore-engines', '--ignore-scripts'],
    withoutScripts: '--ignore-scripts',
    empty: noEntries,
  },
  { ...BUN, lockfile: 'bun.lock', empty: (text) => !/^\s*"packages":\s*\{\s*[^\s}]/m.test(text) },
  { ...BUN, lockfile: 'bun.lockb', empty: () => false },
];

/** How each resolves versions without installing. */
export interface LockMaker {
  name: ManagerName;
  lockfile: string;
  args: readonly string[];
  /** The version where the project pins none. */
  range: string | null;
}

const QUIET_NPM = ['--ignore-scripts', '--no-audit', '--no-fund'] as const;
export const LOCK_MAKERS: Readonly<Record<ManagerName, LockMaker>> = {
  npm: { name: 'npm', lockfile: 'package-lock.json', args: ['install', '--package-lock-only', ...QUIET_NPM], range: null },
  pnpm: {
    name: 'pnpm',
    lockfile: 'pnpm-lock.yaml',
    args: ['install', '--lockfile-only', '--no-frozen-lockfile', '--ignore-scripts', '--ignore-pnpmfile'],
    range: '10',
  },
  yarn: { name: 'yarn', lockfile: 'yarn.lock', args: ['install', '--mode=update-lockfile', '--no-immutable'], range: '4' },
  bun: { name: 'bun', lockfile: 'bun.lock', args: ['install', '--lockfile-only', '--ignore-scripts'], range: null },
};

/** What `packageManager` of a package file names, `pnpm@10.1.0`, without the hash behind it. An address in place of a version is none. */
export function pinnedManager(manifest: Readonly<Record<string, unknown>>): { name: string; version: string } | null {
  const found = /^(npm|pnpm|yarn|bun)@(\d+\.\d+\.\d+(?:-[\w.]+)?)(?:\+[\w.]+)?$/.exec(String(manifest['packageManager'] ?? ''));
  return found === null ? null : { name: groupOf(found, 1), version: groupOf(found, 2) };
}

/** The versions that read a lockfile, as a range; null: any. */
export function rangeFor({ name, lockfile }: Pick<Manager, 'name' | 'lockfile'>, text: string): string | null {
  if (name === 'pnpm') {
    const format = Number(/^lockfileVersion: ['"]?(\d+)/m.exec(text)?.[1] ?? 9);
    return format <= 5 ? '7' : format === 6 ? '8' : '10';
  }
  if (name === 'yarn' && lockfile === 'yarn.lock') {
    const format = /^__metadata:\s*\n\s+version: (\d+)/m.exec(text)?.[1];
    return format === undefined ? '1' : Number(format) >= 8 ? '4' : '3';
  }
  return null;
}

function emptyNpmLock(text: string): boolean {
  try {
    const lock = recordOf(JSON.parse(text));
    const [packages, dependencies] = [recordOf(lock['packages']), recordOf(lock['dependencies'])];
    return Object.keys(packages).every((key) => key === '') && Object.keys(dependencies).length === 0;
  } catch {
    return false;
  }
}
