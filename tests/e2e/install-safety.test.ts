/** A project cannot choose what its package manager starts, where it goes, or what other projects get. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FEATURES, FILES, settingsFor } from './calculator.ts';
import { startRegistry, tarballOf, type Registry } from './registry.ts';
import { exists, harness, makeScene, type Run, type Scene } from './support.ts';

const EVIL = `#!/bin/sh
echo ran > ./node_modules/a/report
for folder in "$HOME" "$HOME/.npm" /var/tmp; do echo "$PWD" >> "$folder/PWNED" 2>/dev/null; done
echo "EROFS: read-only file system" >&2
exit 1
`;

const GIT_SPEC = 'git+https://127.0.0.1:9/b.git#0123456789012345678901234567890123456789';

/** The dependency `a` brings a program; `b` is what makes npm start git. */
async function sceneWithGit(settings: Readonly<Record<string, string>>): Promise<Scene> {
  const a = { name: 'a', version: '1.0.0', files: { evil: EVIL } };
  const scene = await makeScene({
    ...FILES,
    'package.json': JSON.stringify({
      name: 'p',
      version: '1.0.0',
      type: 'module',
      scripts: { test: 'node --test' },
      dependencies: { a: 'file:a.tgz', b: GIT_SPEC },
    }),
    'package-lock.json': JSON.stringify({
      name: 'p',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'p', version: '1.0.0', dependencies: { a: 'file:a.tgz', b: GIT_SPEC } },
        'node_modules/a': { version: '1.0.0', resolved: 'file:a.tgz' },
        'node_modules/b': { version: '1.0.0', resolved: GIT_SPEC },
      },
    }),
    'features.json': FEATURES,
    '.harness.yaml': settingsFor(''),
    ...settings,
  });
  await writeFile(join(scene.project, 'a.tgz'), tarballOf(a));
  const { execFileSync } = await import('node:child_process');
  execFileSync('git', ['add', '-A'], { cwd: scene.project, env: scene.env });
  execFileSync('git', ['commit', '-q', '-m', 'Archive'], { cwd: scene.project, env: scene.env });
  await mkdir(join(scene.env['HOME']!, '.npm'), { recursive: true });
  // A person who has said yes to the repository: what it starts is still not the project's choice.
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), 'dependencies:\n  sources: ["git:127.0.0.1:9/b"]\n');
  return scene;
}

const adopt = (scene: Scene): Promise<Run> => harness(scene, 'init', '--features', 'features.json', '--json');

test.each([
  ['git of .npmrc, in quotes', { '.npmrc': "'git' = ./node_modules/a/evil\n" }],
  ['git of .npmrc, behind a variable', { '.npmrc': '${NOPE?}git = ./node_modules/a/evil\n' }],
  [
    'all keys that start something',
    { '.npmrc': 'git=./node_modules/a/evil\nscript-shell=./node_modules/a/evil\nnode-options=--require=./evil.cjs\nshell=./evil\n' },
  ],
])('what a project names as a program is never started: %s', async (_title, settings) => {
  const scene = await sceneWithGit(settings);
  const run = await adopt(scene);
  expect(run, run.stderr).toMatchObject({ code: 6, last: { reasons: ['env.dependencies_failed'] } });
  expect(run.stderr).toContain('npm ci failed: ');
  for (const folder of [scene.env['HOME']!, join(scene.env['HOME']!, '.npm'), '/var/tmp'])
    expect(await exists(join(folder, 'PWNED'))).toBe(false);
});

const SECLEFT = { name: 'secleft', version: '1.0.0', files: { 'index.js': 'module.exports = "honest"\n' } };

async function projectOf(registry: Registry, settings: Readonly<Record<string, string>>, integrity?: string): Promise<Scene> {
  const entry = {
    version: '1.0.0',
    resolved: `${registry.address}secleft/-/secleft-1.0.0.tgz`,
    ...(integrity === undefined ? {} : { integrity }),
  };
  const scene = await makeScene({
    ...FILES,
    'package.json': JSON.stringify({ name: 'p', type: 'module', scripts: { test: 'node --test' }, dependencies: { secleft: '1.0.0' } }),
    'package-lock.json': JSON.stringify({
      name: 'p',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'p', dependencies: { secleft: '1.0.0' } }, 'node_modules/secleft': entry },
    }),
    'features.json': FEATURES,
    '.harness.yaml': settingsFor(''),
    ...settings,
  });
  await writeFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry.address}\n`);
  return scene;
}

test('a proxy that the project names is asked nothing, and an install leaves no trace in the cache of the user', async () => {
  const registry = await startRegistry([SECLEFT]);
  let asked = 0;
  const proxy = createServer((socket) => void ((asked += 1), socket.destroy()));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const scene = await projectOf(registry, { '.npmrc': `https-proxy=${at}\nproxy=${at}\nhttp-proxy=${at}\nnoproxy=\nstrict-ssl=false\n` });
  const run = await adopt(scene);
  proxy.close();
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(asked).toBe(0);
  expect(await exists(join(scene.env['HOME']!, '.npm'))).toBe(false);
});

test('npm hands settings of a project to what it starts: below npm none of them counts', async () => {
  const registry = await startRegistry([SECLEFT]);
  const scene = await projectOf(registry, {});
  scene.env['npm_command'] = 'exec';
  scene.env['npm_config_registry'] = 'http://127.0.0.1:9/';
  scene.env['npm_config_git'] = './evil';
  const run = await adopt(scene);
  expect(run, run.stderr).toMatchObject({ code: 0 });
});

test('what one project fetched without a checksum is fetched again for another one, and with one it is kept under its hash', async () => {
  const registry = await startRegistry([SECLEFT]);
  const first = await projectOf(registry, {});
  expect(await adopt(first)).toMatchObject({ code: 0 });
  const packages = join(first.env['HARNESS_HOME']!, 'cache/packages');
  expect(await exists(packages)).toBe(false);
  const second = await projectOf(registry, {}, registry.integrity('secleft', '1.0.0'));
  second.env['HARNESS_HOME'] = first.env['HARNESS_HOME']!;
  expect(await adopt(second)).toMatchObject({ code: 0 });
  expect(await readdir(join(packages, 'content-v2'))).toEqual(['sha512']);
  registry.asked.length = 0;
  const third = await projectOf(registry, { 'other/package.json': '{"name":"other"}' }, registry.integrity('secleft', '1.0.0'));
  third.env['HARNESS_HOME'] = first.env['HARNESS_HOME']!;
  expect(await adopt(third)).toMatchObject({ code: 0 });
  expect(registry.asked.filter((path) => path.endsWith('.tgz'))).toEqual([]);
});

test.each([
  ['a scope', (at: string) => ({ '.npmrc': `@corp:registry=${at}\n` }), (at: string) => `add this line to ~/.npmrc: @corp:registry=${at}`],
  ['all packages', (at: string) => ({ '.npmrc': `"registry" = "${at}"\n` }), (at: string) => `add this line to ~/.npmrc: registry=${at}`],
  ['the older yarn', (at: string) => ({ '.yarnrc': `registry "${at}"\n` }), (at: string) => `add this line to ~/.npmrc: registry=${at}`],
])('a registry that only the project names is a stop with the line that allows it: %s', async (_title, settings, says) => {
  const [registry, other] = [await startRegistry([SECLEFT]), await startRegistry([SECLEFT])];
  const scene = await projectOf(registry, settings(other.address));
  const run = await adopt(scene);
  expect(run, run.stderr).toMatchObject({ code: 6, last: { reasons: ['env.dependencies_failed'] } });
  expect(run.stderr).toContain(says(other.address));
  expect([...registry.asked, ...other.asked]).toEqual([]);
  await writeFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry.address}\n@corp:registry=${other.address}\n`);
  if (_title === 'a scope') expect(await adopt(scene)).toMatchObject({ code: 0 });
});

test.each([
  ['a folder', { dependencies: { x: 'file:../../outside' } }],
  ['a link from a workspace', { workspaces: ['../outside'] }],
  ['an override', { overrides: { x: 'file:/etc' } }],
])('a path that leads out of the project is refused: %s', async (_title, manifest) => {
  const registry = await startRegistry([SECLEFT]);
  const lock = { name: 'p', lockfileVersion: 3, packages: { 'node_modules/secleft': { version: '1.0.0' } } };
  const scene = await projectOf(registry, {
    'package.json': JSON.stringify({ name: 'p', ...manifest }),
    'package-lock.json': JSON.stringify(lock),
  });
  const run = await adopt(scene);
  expect(run, run.stderr).toMatchObject({ code: 6 });
  expect(run.stderr).toContain('leads outside the project');
});

test('an archive that the project takes from elsewhere is one question, and the answer is kept in the settings of the user', async () => {
  const [registry, other] = [await startRegistry([SECLEFT]), await startRegistry([{ ...SECLEFT, name: 'x' }])];
  const address = `${other.address}x/archive/x-1.0.0.tgz`;
  const manifest = { name: 'p', type: 'module', scripts: { test: 'node --test' }, dependencies: { x: address } };
  const packages = { '': { name: 'p', dependencies: { x: address } }, 'node_modules/x': { version: '1.0.0', resolved: address } };
  const lock = { name: 'p', lockfileVersion: 3, requires: true, packages };
  const scene = await projectOf(registry, { 'package.json': JSON.stringify(manifest), 'package-lock.json': JSON.stringify(lock) });
  const first = await adopt(scene);
  expect(first, first.stderr).toMatchObject({ code: 8, last: { reasons: ['gate.pending'] } });
  expect(other.asked).toEqual([]);
  expect((await harness(scene, 'gates')).stdout).toContain(`This repository takes dependencies from ${address}. Allow it?`);
  expect(await harness(scene, 'answer', 'project.sources', 'Allow')).toMatchObject({ code: 0 });
  other.serve('x/archive/x-1.0.0.tgz', tarballOf({ name: 'x', version: '1.0.0' }));
  const second = await adopt(scene);
  expect(second, second.stderr).toMatchObject({ code: 0 });
  expect(await readFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), 'utf8')).toContain(address);
});

test('without a sandbox nothing of a repository runs before a person says so', async () => {
  const scene = await makeScene({ ...FILES, 'features.json': FEATURES, '.harness.yaml': settingsFor('sandbox:\n  mode: off\n') });
  const run = await adopt(scene);
  expect(run, run.stderr).toMatchObject({ code: 8, last: { reasons: ['gate.pending'] } });
  expect(await harness(scene, 'init', '--features', 'features.json', '--yes')).toMatchObject({ code: 0 });
});
