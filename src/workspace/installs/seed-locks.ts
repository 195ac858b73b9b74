/**
 * Lockfiles from what is installed, and what is missing in them.
 *
 * Names, versions and checksums are taken. An address in an installed tree may be anything that once ran there wrote.
 */
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Platform } from '../../platform/platform.ts';
import type { StartedManager } from '../run-install.ts';
import { jsonOf, recordOf } from './sources.ts';

const OF_ENTRY = [
  'name',
  'version',
  'integrity',
  'dev',
  'optional',
  'devOptional',
  'peer',
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bin',
  'engines',
  'os',
  'cpu',
  'libc',
  'inBundle',
  'hasInstallScript',
] as const;

/** From npm's hidden lockfile. */
export function npmLockOfInstalled(hidden: string | null, manifest: string): string | null {
  const packages = Object.entries(recordOf(jsonOf(hidden ?? '')['packages'])).flatMap(([path, value]) => {
    const one = recordOf(value);
    const isPlain = /(?:^|\/)node_modules\//.test(path) && !path.startsWith('..') && one['link'] !== true;
    if (!isPlain || typeof one['version'] !== 'string' || (typeof one['integrity'] !== 'string' && one['inBundle'] !== true)) return [];
    return [[path, Object.fromEntries(OF_ENTRY.flatMap((key) => (one[key] === undefined ? [] : [[key, one[key]]])))]];
  });
  if (packages.length === 0) return null;
  const { name, version, ...own } = jsonOf(manifest);
  const keys = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'workspaces'];
  const root = { name, version, ...Object.fromEntries(keys.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]]))) };
  return `${JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages: Object.fromEntries([['', root], ...packages]) }, null, 2)}\n`;
}

/** From the lockfile that pnpm keeps beside what it installed. */
export function pnpmLockOfInstalled(text: string | null): string | null {
  if (text === null) return null;
  try {
    const lock = recordOf(parse(text));
    const packages = Object.entries(recordOf(lock['packages'])).map(([name, value]) => {
      const one = recordOf(value);
      const { tarball: _tarball, ...resolution } = recordOf(one['resolution']);
      return [name, resolution['integrity'] === undefined ? one : { ...one, resolution }];
    });
    return stringify({ ...lock, ...(packages.length === 0 ? {} : { packages: Object.fromEntries(packages) }) }, { lineWidth: 0 });
  } catch {
    return null;
  }
}

/**
 * npm leaves out optional packages of other systems where a tree for this one is there, and then refuses the lockfile in `npm ci`. It does the
 * same for one that the registry does not have: what nobody can install is no longer asked for.
 */
export async function completeNpmLock(platform: Platform, started: StartedManager, building: string): Promise<void> {
  const file = join(building, 'package-lock.json');
  const lock = jsonOf((await platform.files.readTextIfExists(file)) ?? '');
  const packages = recordOf(lock['packages']);
  const missing = missingOptionals(packages);
  if (Object.keys(missing).length === 0) return;
  const [manifest, kept] = [join(building, 'package.json'), await platform.files.read(join(building, 'package.json'))];
  await platform.files.write(manifest, JSON.stringify({ name: 'missing', version: '1.0.0', optionalDependencies: missing }));
  await platform.files.remove(file);
  const failure = await started.run(['install', '--package-lock-only', '--ignore-scripts', '--force'], 'quiet');
  const found = failure === null ? recordOf(jsonOf((await platform.files.readTextIfExists(file)) ?? '')['packages']) : {};
  const added = Object.entries(found).flatMap(([path, one]) =>
    path === '' || path in packages ? [] : [[path, { ...recordOf(one), optional: true }]],
  );
  await platform.files.write(manifest, kept);
  const all = Object.fromEntries([...Object.entries(packages), ...added]);
  const whole = failure === null ? withoutOptionals(all, new Set(Object.keys(missingOptionals(all)))) : all;
  await platform.files.write(file, `${JSON.stringify({ ...lock, packages: whole }, null, 2)}\n`);
}

/** The project's own stay: its manifest names them too. */
function withoutOptionals(packages: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): Record<string, unknown> {
  const entries = Object.entries(packages).map(([path, one]) => {
    const { optionalDependencies, ...rest } = recordOf(one);
    if (path === '' || optionalDependencies === undefined) return [path, one];
    const left = Object.entries(recordOf(optionalDependencies)).filter(([name]) => !names.has(name));
    return [path, left.length === 0 ? rest : { ...rest, optionalDependencies: Object.fromEntries(left) }];
  });
  return Object.fromEntries(entries);
}

function missingOptionals(packages: Readonly<Record<string, unknown>>): Record<string, string> {
  const missing: Record<string, string> = {};
  for (const [path, one] of Object.entries(packages))
    for (const [name, spec] of Object.entries(recordOf(recordOf(one)['optionalDependencies'])))
      if (typeof spec === 'string' && !places(path).some((place) => `${place}node_modules/${name}` in packages)) missing[name] = spec;
  return missing;
}

/** Where node looks, nearest first. */
function places(path: string): string[] {
  const parts = path.split('/node_modules/');
  return [...parts.map((_part, at) => `${parts.slice(0, parts.length - at).join('/node_modules/')}/`), ''];
}
