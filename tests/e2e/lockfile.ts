/**
 * The package files of a small project that depends on one package of this checkout.
 * The lockfile is the part of the checkout's own that the package needs, so that the versions are those that are installed here.
 */
import { readFile } from 'node:fs/promises';

interface LockEntry {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export async function packageFiles(name: string, manifest: Readonly<Record<string, unknown>>): Promise<Record<string, string>> {
  const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const needed = new Set<string>();
  visit(lock.packages, `node_modules/${name}`, needed);
  const devDependencies = { [name]: lock.packages[`node_modules/${name}`]!.version! };
  const whole = { name: 'calculator', private: true, ...manifest, devDependencies };
  const packages = Object.fromEntries([
    ['', { name: 'calculator', devDependencies }],
    ...[...needed].toSorted().map((path) => [path, lock.packages[path]]),
  ]);
  return {
    'package.json': `${JSON.stringify(whole, null, 2)}\n`,
    'package-lock.json': `${JSON.stringify({ name: 'calculator', lockfileVersion: 3, requires: true, packages }, null, 2)}\n`,
  };
}

function visit(packages: Readonly<Record<string, LockEntry>>, path: string, needed: Set<string>): void {
  if (needed.has(path)) return;
  needed.add(path);
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path]!;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = places(path)
      .map((place) => `${place}node_modules/${name}`)
      .find((place) => place in packages);
    if (found !== undefined) visit(packages, found, needed);
  }
}

/** Where node looks, nearest first: below the package itself, below each package that holds it, at the top. */
function places(path: string): string[] {
  const parts = path.split('/node_modules/');
  return [...parts.map((_part, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`), ''];
}
