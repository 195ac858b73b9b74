import { expect, test } from 'vitest';
import { referencedFiles } from './config-references.ts';
import { filesReaching } from './imports.ts';
import { mockedUnits } from './mocked-unit.ts';
import { createBench } from './test-support.ts';

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

test('a test that mocks what it tests is found, a mock of something else is not', () => {
  const changed = new Set(['src/price.js', 'src/price.py']);
  expect(mockedUnits("vi.mock('../src/price.js', () => ({ price: () => 3 }));", 'test/price.test.js', changed)).toEqual(['src/price.js']);
  expect(
    mockedUnits(
      "import { total } from '../src/total.js';\nvi.mock('../src/price.js', () => ({ price: () => 3 }));",
      'test/total.test.js',
      new Set(['src/price.js', 'src/total.js']),
    ),
  ).toEqual([]);
  expect(mockedUnits("jest.mock('../src/network.js');", 'test/price.test.js', changed)).toEqual([]);
  expect(
    mockedUnits(
      "vi.mock('../src/price.js', async (importOriginal) => ({ ...(await importOriginal()), rate: () => 1 }));",
      'test/price.test.js',
      changed,
    ),
  ).toEqual([]);
  expect(
    mockedUnits(
      "with mock.patch('src.price.price', return_value=3):\n    assert src.price.price(1) == 3\n",
      'tests/test_price.py',
      changed,
    ),
  ).toEqual(['src/price.py']);
  expect(
    mockedUnits("with mock.patch('src.price.ask', return_value=3):\n    assert src.price.price(1) == 3\n", 'tests/test_price.py', changed),
  ).toEqual([]);
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
