/** What the harness installs itself, and what it does where that goes wrong or changes. */
import { expect, test } from 'vitest';
import { claim, FEATURES, FILES, projectWithAgent, RUN_SUBTRACT, settingsFor, WRITE_SUBTRACT } from './calculator.ts';
import { git, harness, makeScene, read } from './support.ts';

const manifest = (name: string, more: object = {}): string => JSON.stringify({ name, version: '1.0.0', ...more });

test('a package of a monorepo reaches the others by name, also through node_modules of its own', async () => {
  const scene = await makeScene({
    'package.json': manifest('app', { workspaces: ['packages/*'], type: 'module', scripts: { test: 'node --test' } }),
    'packages/left/package.json': manifest('left', { main: 'index.js' }),
    'packages/left/index.js': 'module.exports = 1;\n',
    'packages/right/package.json': manifest('right', { type: 'module', main: 'index.js', dependencies: { left: '*' } }),
    'packages/right/index.js': "export { default } from 'left';\n",
    'test/add.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import right from 'right';
test('left through right', () => assert.equal(right, 1));
`,
    'package-lock.json': JSON.stringify({
      name: 'app',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'app', version: '1.0.0', workspaces: ['packages/*'] },
        'node_modules/right': { resolved: 'packages/right', link: true },
        'packages/left': { version: '1.0.0' },
        'node_modules/left': { resolved: 'packages/left', link: true },
        'packages/right': { version: '1.0.0', dependencies: { left: '*' } },
        'packages/right/node_modules/left': { resolved: 'packages/left', link: true },
      },
    }),
    'features.json': FEATURES,
    '.harness.yaml': settingsFor(''),
    '.gitignore': 'node_modules/\n',
  });
  expect(await harness(scene, 'init', '--features', 'features.json')).toMatchObject({ code: 0 });
  const looked = await harness(scene, 'verify', '--tree', 'HEAD', '--no-cache', '--json');
  expect(looked, looked.stdout + looked.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(looked.stdout)).toMatchObject({ passed: true, passing: 1, total: 1 });
});

test('dependencies that cannot be installed end init with 6 and a reason, before anything is written', async () => {
  const scene = await makeScene({
    ...FILES,
    'package.json': manifest('calculator', { type: 'module', scripts: { test: 'node --test' }, dependencies: { left: 'file:left.tgz' } }),
    'package-lock.json': JSON.stringify({
      name: 'calculator',
      lockfileVersion: 3,
      packages: {
        '': { name: 'calculator', dependencies: { left: 'file:left.tgz' } },
        'node_modules/left': { version: '1.0.0', resolved: 'file:left.tgz' },
      },
    }),
    'features.json': FEATURES,
    '.harness.yaml': settingsFor(''),
  });
  const run = await harness(scene, 'init', '--features', 'features.json', '--json');
  expect(run, run.stderr).toMatchObject({ code: 6, last: { type: 'end', reasons: ['env.dependencies_failed'], exit_code: 6 } });
  expect(run.stderr).toContain('npm ci');
  expect((await git(scene, 'log', '--format=%s')).trim().split('\n')).toHaveLength(1);
  expect(await git(scene, 'status', '--porcelain')).toBe('');
});

test('a new dependency is a question that shows the difference; after a yes the harness installs it', async () => {
  const lock = {
    name: 'calculator',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'calculator', dependencies: { minus: 'file:vendor/minus' } },
      'node_modules/minus': { resolved: 'vendor/minus', link: true },
      'vendor/minus': { version: '1.0.0' },
    },
  };
  const scene = await projectWithAgent(`set -e
${WRITE_SUBTRACT}
mkdir -p vendor/minus node_modules && ln -sfn ../vendor/minus node_modules/minus
echo '{ "name": "minus", "version": "1.0.0", "type": "module", "main": "index.js" }' > vendor/minus/package.json
echo 'export const minus = (a, b) => a - b;' > vendor/minus/index.js
echo "export { minus as subtract } from 'minus';" > src/subtract.js
echo '{ "name": "calculator", "type": "module", "scripts": { "test": "node --test" }, "dependencies": { "minus": "file:vendor/minus" } }' > package.json
echo '${JSON.stringify(lock)}' > package-lock.json
${RUN_SUBTRACT}
${claim(2)}`);
  const run = await harness(scene, 'run', '--json', '--yes');
  expect(run, run.stderr).toMatchObject({ code: 8, last: { outcome: 'needs_human', reasons: ['dependencies.changed'] } });
  const listed = await harness(scene, 'gates');
  expect(listed.stdout).toMatch(/\| package\.json:\n {2}\| -.*\n {2}\| \+.*"minus": "file:vendor\/minus"[\s\S]*\| package-lock\.json:/);
  expect(await harness(scene, 'answer', 'project.dependencies', 'Accept')).toMatchObject({ code: 0 });
  const landed = await harness(scene, 'run', '--json', '--sessions', '1');
  expect(landed.code, landed.stderr).not.toBe(8);
  expect(await read(scene, 'package.json')).toContain('minus');
  expect(JSON.parse((await harness(scene, 'verify', '--feature', '2', '--json')).stdout)).toMatchObject({ passed: true });
});
