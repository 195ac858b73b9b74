/** A project without a lockfile is adopted with exact versions, which stay until its manifests change. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim, FEATURES, FILES, RUN_SUBTRACT, settingsFor, WRITE_SUBTRACT } from './calculator.ts';
import { startRegistry, type Registry } from './registry.ts';
import { git, harness, makeScene, read, type Scene } from './support.ts';

const left = (version: string) => ({ name: 'left', version, files: { 'index.js': `module.exports = '${version}';\n` } });
const RIGHT = { name: 'right', version: '1.0.0', files: { 'index.js': 'module.exports = 2;\n' } };

const manifest = (dependencies: Record<string, string>, more: object = {}): string =>
  JSON.stringify({ name: 'calculator', type: 'module', scripts: { test: 'node --test' }, dependencies, ...more });

async function sceneWith(registry: Registry, files: Record<string, string> = {}): Promise<Scene> {
  const scene = await makeScene({
    ...FILES,
    'package.json': manifest({ left: '^1.0.0' }),
    '.npmrc': 'package-lock=false\n',
    '.gitignore': 'node_modules/\npackage-lock.json\n',
    'features.json': FEATURES,
    '.harness.yaml': settingsFor(''),
    ...files,
  });
  await writeFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry.address}\n`);
  return scene;
}

interface Lock {
  packages: Record<string, { version: string; resolved?: string; integrity?: string }>;
}

async function locksOf(scene: Scene): Promise<Lock[]> {
  const folder = join(scene.project, '.harness/locks');
  const names = await readdir(folder);
  return await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name, 'package-lock.json'), 'utf8')) as Lock));
}

/** By the package that only one of the locks names. */
async function lockHashes(scene: Scene): Promise<Map<string, string>> {
  const folder = join(scene.project, '.harness/locks');
  const hashes = new Map<string, string>();
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name, 'package-lock.json'), 'utf8');
    hashes.set(text.includes('node_modules/right') ? 'right' : 'left', createHash('sha256').update(text).digest('hex'));
  }
  return hashes;
}

test('versions are resolved once, shown, and kept for a candidate that changes nothing of them; a new package leaves the others alone', async () => {
  const registry = await startRegistry([left('1.0.0')]);
  const scene = await sceneWith(registry);
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  expect(adopted.stdout + adopted.stderr).toMatch(/No lockfile in git: created package-lock\.json from the registry on \d{4}-\d\d-\d\d/);
  const [lock] = await locksOf(scene);
  expect(lock!.packages['node_modules/left']!.version).toBe('1.0.0');
  for (const one of [left('1.1.0'), RIGHT]) registry.publish(one);
  const agent = `set -e\n${WRITE_SUBTRACT}\ncat > package.json <<'END'\n${manifest({ left: '^1.0.0', right: '1.0.0' })}\nEND\n${RUN_SUBTRACT}\n${claim(2)}`;
  await writeFile(join(scene.env['HOME']!, 'agent.sh'), agent);
  const run = await harness(scene, 'run', '--json', '--sessions', '1');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8, last: { reasons: ['dependencies.changed'] } });
  const locks = await locksOf(scene);
  expect(locks.map(({ packages }) => packages['node_modules/left']!.version)).toEqual(['1.0.0', '1.0.0']);
  expect(locks.filter(({ packages }) => 'node_modules/right' in packages)).toHaveLength(1);
  const [verdict] = await readdir(join(scene.project, '.harness/verdicts'));
  const shown = await harness(scene, 'verify', '--verdict', verdict!);
  const hashes = await lockHashes(scene);
  expect(/made package-lock\.json: sha256 ([0-9a-f]{64})/.exec(shown.stdout)?.[1]).toBe(hashes.get('right'));
});

test('what is installed counts by version and checksum, never by address; --lock commit puts the lockfile into the project', async () => {
  const [registry, other] = [await startRegistry([left('1.0.0'), left('1.1.0')]), await startRegistry([left('1.0.0')])];
  const scene = await sceneWith(registry, { '.npmrc': '', '.gitignore': 'node_modules/\n' });
  const entry = { version: '1.0.0', resolved: `${other.address}left/-/left-1.0.0.tgz`, integrity: registry.integrity('left', '1.0.0') };
  await mkdir(join(scene.project, 'node_modules'));
  const hidden = { name: 'calculator', lockfileVersion: 3, requires: true, packages: { 'node_modules/left': entry } };
  await writeFile(join(scene.project, 'node_modules/.package-lock.json'), JSON.stringify(hidden));
  const adopted = await harness(scene, 'init', '--features', 'features.json', '--lock', 'commit');
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  const lock = JSON.parse(await read(scene, 'package-lock.json')) as Lock;
  expect(lock.packages['node_modules/left']).toMatchObject({ version: '1.0.0', integrity: entry.integrity });
  expect(other.asked).toEqual([]);
  expect(await git(scene, 'ls-files', 'package-lock.json')).toBe('package-lock.json');
});

test('a lockfile that git ignores is what the person has, and optional packages of other systems are added to it', async () => {
  const native = { name: 'native', version: '1.0.0', optionalDependencies: { 'native-other': '1.0.0' } };
  const registry = await startRegistry([native, { name: 'native-other', version: '1.0.0', os: ['aix'] }]);
  const scene = await sceneWith(registry, { 'package.json': manifest({ native: '1.0.0' }) });
  const entry = { version: '1.0.0', integrity: registry.integrity('native', '1.0.0'), optionalDependencies: native.optionalDependencies };
  const packages = { '': { name: 'calculator', dependencies: { native: '1.0.0' } }, 'node_modules/native': entry };
  await writeFile(
    join(scene.project, 'package-lock.json'),
    JSON.stringify({ name: 'calculator', lockfileVersion: 3, requires: true, packages }),
  );
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  expect(adopted.stdout + adopted.stderr).toContain('from your untracked lockfile');
  const [lock] = await locksOf(scene);
  expect(Object.keys(lock!.packages)).toContain('node_modules/native-other');
});

test.each([
  ['an alias keeps the name of its package', { 'node_modules/other': 'left' }, 'from your installed packages'],
  ['where what is installed cannot be had, versions are resolved anew', { 'node_modules/other': 'gone' }, 'from the registry'],
])('%s', async (_title, installed, from) => {
  const registry = await startRegistry([left('1.0.0')]);
  const files = { 'package.json': manifest({ other: 'npm:left@^1.0.0' }), '.npmrc': '', '.gitignore': 'node_modules/\n' };
  const scene = await sceneWith(registry, files);
  const [[path, name]] = Object.entries(installed) as [[string, string]];
  const entry = { name, version: '1.0.0', integrity: name === 'left' ? registry.integrity('left', '1.0.0') : 'sha512-AAAA' };
  await mkdir(join(scene.project, 'node_modules'));
  const hidden = { name: 'calculator', lockfileVersion: 3, requires: true, packages: { [path]: entry } };
  await writeFile(join(scene.project, 'node_modules/.package-lock.json'), JSON.stringify(hidden));
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stdout + adopted.stderr).toMatchObject({ code: 0 });
  expect(adopted.stdout + adopted.stderr).toContain(from);
  const [lock] = await locksOf(scene);
  expect(lock!.packages[path]).toMatchObject({ name: 'left', version: '1.0.0' });
});

test('an optional package that the registry does not have stops nobody', async () => {
  const native = { name: 'native', version: '1.0.0', optionalDependencies: { 'native-other': '1.0.0', 'native-gone': '1.0.0' } };
  const registry = await startRegistry([native, { name: 'native-other', version: '1.0.0', os: ['aix'] }]);
  const scene = await sceneWith(registry, { 'package.json': manifest({ native: '1.0.0' }) });
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stdout + adopted.stderr).toMatchObject({ code: 0 });
  const [lock] = await locksOf(scene);
  expect(Object.keys(lock!.packages)).toContain('node_modules/native-other');
});
