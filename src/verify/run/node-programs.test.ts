import { expect, test } from 'vitest';
import { manifestSources } from './command-sources.ts';
import { nodeTestPrograms } from './command-sources.ts';
import { chooseCommand } from './test-command.ts';

const FILES: Readonly<Record<string, string>> = {
  'test.js': "import test from 'node:test';\nimport { add } from './index.js';\n",
  'test/index.js': "import './parts/one.js';\n",
  'test/parts/one.js': "const test = require('node:test');\n",
  'test/old.js': "import assert from 'node:assert';\n// node:test is for later\nimport '../index.js';\n",
  'index.js': "import 'node:test';\n",
};

async function programs(command: string): Promise<string[]> {
  return [...(await nodeTestPrograms([command], async (path) => FILES[path] ?? null))];
}

test('a program runs node’s own tests where it loads them, or a file below it does', async () => {
  expect(await programs('c8 --100 node --conditions development test.js')).toEqual(['test.js']);
  expect(await programs('node test/index.js')).toEqual(['test/index.js']);
  expect(await programs('npm run build && node test')).toEqual(['test']);
  expect(await programs('node ./test/index.js')).toEqual(['./test/index.js']);
});

test('what the tested code loads, or a comment says, does not make it one', async () => {
  expect(await programs('node test/old.js')).toEqual([]);
  expect(await programs('node test/missing.js')).toEqual([]);
  expect(await programs('node index.js')).toEqual([]);
  expect(await programs('mocha test.js')).toEqual([]);
});

test('such a command is read test by test, and the same command over other tests is not', () => {
  const scripts = { scripts: { test: 'npm run build && npm run unit', build: 'tsc', unit: 'c8 node --conditions development test.js' } };
  const sources = manifestSources(JSON.stringify(scripts));
  const chosen = chooseCommand('npm test', 'auto', { ...sources, nodeTests: new Set(['test.js']) });
  expect(chosen.runner.name).toBe('node:test');
  expect(chosen.match).toEqual({ interpreterArgs: ['--conditions', 'development'], args: ['test.js'] });
  expect(chooseCommand('npm test', 'auto', sources).runner.name).toBe('exit-code');
});
