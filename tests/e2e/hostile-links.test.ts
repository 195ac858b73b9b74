/** Links that an agent or a repository leaves: what the harness reads, writes and removes on the way past them stays where it belongs. */
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim, FEATURES, FILES, HONEST, projectWithAgent, setAgent, settingsFor, WRITE_SUBTRACT } from './calculator.ts';
import { startRegistry } from './registry.ts';
import { commitAll, harness, makeScene, type Scene } from './support.ts';

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
  expect(await harness(scene, 'init', '--features', 'features.json')).toMatchObject({ code: 0 });
  return scene;
}

test('a package that the agent made a link leads no install out of its copy', async () => {
  const scene = await monorepo();
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
