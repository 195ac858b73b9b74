// A lockfile for a project that needs one package of this checkout: the part of the checkout's own lockfile that the package reaches.
import { readFileSync } from 'node:fs';

const own = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')).packages;

export function versionOf(name) {
  return own[`node_modules/${name}`].version;
}

export function lockfileFor(manifest) {
  const needed = new Set();
  for (const name of Object.keys(manifest.devDependencies)) visit(`node_modules/${name}`, needed);
  const { name, version, devDependencies } = manifest;
  const packages = Object.fromEntries([['', { name, version, devDependencies }], ...[...needed].sort().map((path) => [path, own[path]])]);
  return `${JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages }, null, 2)}\n`;
}

function visit(path, needed) {
  if (needed.has(path)) return;
  needed.add(path);
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = own[path];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = places(path)
      .map((place) => `${place}node_modules/${name}`)
      .find((place) => place in own);
    if (found !== undefined) visit(found, needed);
  }
}

/** Where node looks, nearest first: below the package itself, below each package that holds it, at the top. */
function places(path) {
  const parts = path.split('/node_modules/');
  return [...parts.map((_part, index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`), ''];
}
