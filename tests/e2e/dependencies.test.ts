/** What the harness installs itself, and what it does where that goes wrong or changes. */
import { expect, test } from 'vitest';
import { FEATURES, FILES, settingsFor } from './calculator.ts';
import { harness, makeScene } from './support.ts';

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

test('dependencies that cannot be installed end a command with 6 and a reason', async () => {
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
});
