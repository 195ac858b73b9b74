/** Repositories whose packages, or tools, expect more of an install than their manifests say. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { startRegistry } from './registry.ts';
import { harness, makeScene } from './support.ts';

const { hides } = await bubblewrapHere();

const LIST = JSON.stringify({ project: 'many', features: [{ id: 1, description: 'more', test_file: 'test/more.test.js' }] });

const LEFT = { name: 'left', version: '1.0.0', files: { 'index.js': "module.exports = 'left';\n" } };

async function adopt(files: Record<string, string>, packages: Parameters<typeof startRegistry>[0]): Promise<string> {
  const registry = await startRegistry(packages);
  const scene = await makeScene({ 'features.json': LIST, '.gitignore': 'node_modules/\n', ...files });
  await writeFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry.address}\n`);
  const init = ['init', '--features', 'features.json', '--agent', 'command', '--agent-command', 'true'];
  const adopted = await harness(scene, ...init);
  expect(adopted.code, adopted.stderr).toBe(0);
  return adopted.stdout + adopted.stderr;
}

test('the packages of lerna are installed and linked, without lerna', async () => {
  const one = { name: '@many/one', version: '1.0.0', dependencies: { left: '1.0.0', '@many/two': '^1.0.0' } };
  const said = await adopt(
    {
      'package.json': JSON.stringify({
        name: 'many',
        private: true,
        scripts: { pretest: 'lerna bootstrap', test: 'node --test test/*.test.js' },
      }),
      'lerna.json': '{ "packages": ["packages/*"], "version": "1.0.0" }',
      'packages/one/package.json': JSON.stringify(one),
      'packages/one/index.js': "module.exports = [require('left'), require('@many/two')].join(' ');\n",
      'packages/two/package.json': '{ "name": "@many/two", "version": "1.0.0" }',
      'packages/two/index.js': "module.exports = 'two';\n",
      'test/one.test.js':
        "const { test } = require('node:test');\ntest('one', () => require('node:assert').equal(require('../packages/one'), 'left two'));\n",
    },
    [LEFT],
  );
  expect(said).toContain('Baseline: 1 of 1 tests pass (node:test)');
  expect(said).toContain('step is not enforced: "lerna bootstrap"');
});

test.runIf(hides)(
  'what the type check of vitest writes into its package is gone with the run, and nothing else can be written there',
  async () => {
    const tool = `const fs = require('node:fs');
const written = __dirname + '/tsconfig.tmp.tsbuildinfo';
exports.check = () => {
  const before = fs.readFileSync(written, 'utf8');
  fs.writeFileSync(written, 'seen');
  for (const path of [__filename, __dirname + '/new.js']) try { fs.appendFileSync(path, '//'); return 'written'; } catch {}
  return before + fs.readFileSync(written, 'utf8');
};
`;
    const files = { 'index.js': "module.exports = require('./dist/vendor/index.js');\n", 'dist/vendor/index.js': tool };
    const said = await adopt(
      {
        'package.json': JSON.stringify({
          name: 'many',
          scripts: { test: 'node --test test/*.test.js' },
          devDependencies: { vitest: '1.0.0' },
        }),
        'test/one.test.js':
          "const { test } = require('node:test');\ntest('one', () => require('node:assert').equal(require('vitest').check(), 'seen'));\n",
      },
      [{ name: 'vitest', version: '1.0.0', files }],
    );
    expect(said).toContain('Baseline: 1 of 1 tests pass (node:test)');
    expect(said).toContain('Flaky tests: none found in 2 runs');
  },
);

test('a linter that is a step of the test command is no second check', async () => {
  const eslint = { name: 'eslint', version: '1.0.0', bin: { eslint: 'bin.js' }, files: { 'bin.js': '#!/usr/bin/env node\n' } };
  const scripts = { lint: 'eslint .', test: 'npm run --silent lint && node --test test/*.test.js' };
  const said = await adopt(
    {
      'package.json': JSON.stringify({ name: 'many', scripts, devDependencies: { eslint: '1.0.0' } }),
      'test/one.test.js': "const { test } = require('node:test');\ntest('one', () => {});\n",
    },
    [eslint],
  );
  expect(said).toContain('Other checks in your test command: npm run --silent lint');
  expect(said).not.toContain('Checks: lint');
});
