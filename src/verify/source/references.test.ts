import { expect, test } from 'vitest';
import { referencedFiles } from '../checks/config-references.ts';
import { filesReaching } from '../checks/reach.ts';
import { createBench } from '../test-support.ts';

test('files that a configuration names are found', () => {
  const paths = new Set(['src/setup.ts', 'tools/transform.js', 'src/index.ts', 'tools/shared.js', 'plugins/steady.py']);
  expect(
    referencedFiles(
      'vitest.config.ts',
      "import shared from './tools/shared.js';\nexport default { test: { setupFiles: ['./src/setup.ts'], include: ['src/index.ts'] } };",
      paths,
    ).toSorted(),
  ).toEqual(['src/setup.ts', 'tools/shared.js']);
  expect(
    referencedFiles(
      'package.json',
      '{ "main": "src/index.ts", "exports": { "import": "./src/index.ts" }, "jest": { "transform": { "^.+$": "<rootDir>/tools/transform.js" } } }',
      paths,
    ),
  ).toEqual(['tools/transform.js']);
  expect(referencedFiles('conftest.py', "pytest_plugins = ['plugins.steady']\n", paths)).toEqual(['plugins/steady.py']);
});

test('those that reach changed code are found through other modules', async () => {
  const bench = await createBench();
  const tree = await bench.tree({
    'src/deep.ts': '',
    'src/middle.js': "export { x } from './deep.js';",
    'test/a.test.js': "import '../src/middle.js';",
    'test/b.test.js': "import fs from 'node:fs';",
    'pkg/__init__.py': '',
    'pkg/core.py': '',
    'pkg/api.py': 'from .core import (\n    run,\n)\n',
    'tests/test_a.py': 'from pkg import api\n',
    'tests/test_b.py': 'import os\n',
  });
  const from = ['test/a.test.js', 'test/b.test.js', 'tests/test_a.py', 'tests/test_b.py'];
  expect(await filesReaching(bench.trees, tree, from, new Set(['src/deep.ts', 'pkg/core.py']))).toEqual([
    'test/a.test.js',
    'tests/test_a.py',
  ]);
  expect(await filesReaching(bench.trees, tree, from, new Set())).toEqual([]);
  await bench.dispose();
});

test('aliases, URLs, child processes and modules that are chosen later are ways as well', async () => {
  const bench = await createBench();
  const tests: Record<string, string> = {
    'hash.test.js': "import { sum } from '#adder';",
    'pattern.test.js': "import { sum } from '#lib/sum';",
    'own.test.js': "const { sum } = require('shop/sum');",
    'alias.test.ts': "import { sum } from '@/math/sum';",
    'package.test.ts': "import { sum } from '@shop/calc';",
    'url.test.js': "const { sum } = await import(new URL('../src/math/sum.js', import.meta.url));",
    'load.test.js': "const { sum } = createRequire(import.meta.url)('../src/math/sum.js');",
    'child.test.js': "execFileSync('node', ['src/math/sum.js']);",
    'later.test.js': 'const { sum } = await import(join(folder, name));',
    'pieces.test.js': 'const { sum } = require(`../src/${name}.js`);',
    'unknown.test.js': "import { sum } from 'adding';",
    'other.test.js':
      "import { other } from '../src/other.js';\nimport express from 'express';\nimport { test } from 'node:test';\nimport { expect } from 'vitest';",
  };
  const tree = await bench.tree({
    'package.json': JSON.stringify({
      name: 'shop',
      imports: { '#adder': './src/math/sum.js', '#lib/*': { default: './src/math/*.js' } },
      exports: { './sum': './src/math/sum.js' },
      dependencies: { express: '^5.0.0', '@shop/calc': '*' },
    }),
    'packages/calc/package.json': '{ "name": "@shop/calc" }',
    'packages/calc/src/index.ts': "export * from '../../../src/math/sum.js';",
    'src/math/sum.js': '',
    'src/other.js': '',
    ...Object.fromEntries(Object.entries(tests).map(([name, text]) => [`test/${name}`, text])),
  });
  const from = Object.keys(tests).map((name) => `test/${name}`);
  for (const file of from)
    expect(await filesReaching(bench.trees, tree, [file], new Set(['src/math/sum.js']))).toEqual(
      file === 'test/other.test.js' ? [] : [file],
    );
  await bench.dispose();
});

test('what coverage is measured of is no part of the run', () => {
  const paths = new Set(['parse.py', 'plugin.py']);
  expect(referencedFiles('.pytest.ini', '[pytest]\naddopts = --cov=parse --cov-report=term -p plugin\n', paths)).toEqual(['plugin.py']);
});
