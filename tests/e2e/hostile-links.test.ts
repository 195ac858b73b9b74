/** Links that an agent or a repository leaves: what the harness reads, writes and removes on the way past them stays where it belongs. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim, FEATURES, FILES, HONEST, projectWithAgent, setAgent, settingsFor, WRITE_SUBTRACT } from './calculator.ts';
import { startRegistry, tarballOf } from './registry.ts';
import { commitAll, harness, makeScene, write, type Scene } from './support.ts';

/** Two versions of a package: one at the top, one in a workspace. */
async function monorepo(): Promise<Scene> {
  const left = ['1.0.0', '2.0.0'].map((version) => ({ name: 'left', version, files: { 'index.js': '' } }));
  const registry = await startRegistry(left);
  const scripts = { test: 'node --test test/*.js' };
  const root = { name: 'p', version: '1.0.0', type: 'module', scripts, workspaces: ['packages/*'], dependencies: { left: '1.0.0' } };
  const own = { version: '1.0.0', dependencies: { left: '2.0.0' } };
  const of = (version: string): object => ({ version, integrity: registry.integrity('left', version) });
  const packages = {
    '': root,
    'packages/a': own,
    'node_modules/a': { resolved: 'packages/a', link: true },
    'node_modules/left': of('1.0.0'),
    'packages/a/node_modules/left': of('2.0.0'),
  };
  const scene = await makeScene({
    ...FILES,
    'package.json': JSON.stringify(root),
    'packages/a/package.json': JSON.stringify({ name: 'a', ...own }),
    'package-lock.json': JSON.stringify({ name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
    'features.json': FEATURES,
    '.gitignore': 'node_modules/\nprivate/\n',
    '.harness.yaml': settingsFor(''),
  });
  await writeFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry.address}\n`);
  return scene;
}

async function adopt(scene: Scene): Promise<void> {
  expect(await harness(scene, 'init', '--features', 'features.json')).toMatchObject({ code: 0 });
}

test('a package that the agent made a link leads no install out of its copy', async () => {
  const scene = await monorepo();
  await adopt(scene);
  const modules = join(scene.env['HOME']!, 'victim', 'node_modules');
  await mkdir(join(modules, 'precious'), { recursive: true });
  await setAgent(scene, 'rm -rf packages/a; ln -s "$HOME/victim" packages/a; exit 3');
  for (const session of [1, 2]) {
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 10, last: { session } });
    expect(await readdir(modules), `session ${session}`).toEqual(['precious']);
  }
  await setAgent(scene, `rm packages/a; mkdir packages/a; git checkout -q packages; ls packages/a/node_modules; ${HONEST}`);
  expect((await harness(scene, 'run', '--json')).last).toMatchObject({ outcome: 'verified' });
});

test('a package that a test made a link leads nothing that is put away after the run out of its room', async () => {
  const scene = await monorepo();
  const victim = join(scene.env['HOME']!, 'victim');
  const swap = `fs.renameSync('packages/a', 'packages/b'); fs.symlinkSync(${JSON.stringify(victim)}, 'packages/a');`;
  await write(scene, {
    'test/swap.test.js': `import fs from 'node:fs';\nimport { test } from 'node:test';\ntest('swaps', () => { ${swap} });\n`,
  });
  await commitAll(scene, 'Bring a test');
  await mkdir(join(victim, 'node_modules', 'precious'), { recursive: true });
  await adopt(scene);
  expect(await readdir(join(victim, 'node_modules'))).toEqual(['precious']);
});

const DEEP = `node_modules/d/${'e/'.repeat(20)}`;

test.each([
  [
    'a file that the harness empties',
    'mkdir -p node_modules/vitest/dist; ln -s "$VICTIM" node_modules/vitest/dist/tsconfig.tmp.tsbuildinfo',
  ],
  ['its notes', `mkdir -p ${DEEP}; ln -s ${'../'.repeat(22)} ${DEEP}up; ln -s "${DEEP}up${'/..'.repeat(20)}$VICTIM" used`],
])('install scripts that leave a link in the place of %s change nothing outside', async (_name, script) => {
  const scene = await makeScene({ ...FILES, 'features.json': FEATURES, '.harness.yaml': settingsFor('') });
  const victim = join(scene.env['HOME']!, 'victim.txt');
  await writeFile(victim, 'precious');
  const scripts = { test: 'node --test', postinstall: `VICTIM='${victim}'; ${script}` };
  const root = { name: 'p', version: '1.0.0', type: 'module', scripts, dependencies: { left: 'file:left.tgz' } };
  const packages = { '': root, 'node_modules/left': { version: '1.0.0', resolved: 'file:left.tgz' } };
  const lock = { name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
  await write(scene, { 'package.json': JSON.stringify(root), 'package-lock.json': JSON.stringify(lock) });
  await writeFile(join(scene.project, 'left.tgz'), tarballOf({ name: 'left', version: '1.0.0' }));
  await commitAll(scene, 'Bring a script');
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), 'dependencies: { install_scripts: true }\n');
  const init = await harness(scene, 'init', '--features', 'features.json');
  expect(await readFile(victim, 'utf8'), init.stdout + init.stderr).toBe('precious');
});

test('links that lead out of the work only together are found', async () => {
  const scene = await projectWithAgent(`set -e\n${WRITE_SUBTRACT}\nmkdir deep; ln -s .. deep/up; ln -s deep/up/.. out\n${claim(2)}`);
  const run = await harness(scene, 'run', '--json');
  expect(run.last, run.stdout + run.stderr).toMatchObject({ outcome: 'rejected', reasons: expect.arrayContaining(['tamper.symlink']) });
});

test.each(['.harness.yaml', 'features.json', 'package.json'])(
  'a link from %s to a device without an end ends the command',
  async (name) => {
    const scene = await makeScene({ ...FILES, 'features.json': FEATURES, '.harness.yaml': settingsFor('') });
    await rm(join(scene.project, name));
    await symlink('/dev/zero', join(scene.project, name));
    await commitAll(scene, 'Bring a link');
    for (const command of [['status'], ['init', '--features', 'features.json'], ['judge'], ['run']]) {
      const run = await harness(scene, ...command);
      expect(run.code, `${command.join(' ')}\n${run.stderr}`).not.toBe(1);
    }
  },
);
