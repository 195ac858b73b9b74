import { expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import { interfacesBelow } from './subject.ts';
import { createBench } from '../test-support.ts';
import { programFacts } from './program.ts';

test('how a program starts and is reached comes from its manifests and its routes', async () => {
  const bench = await createBench();
  try {
    const tree = await bench.tree({
      'package.json': JSON.stringify({ bin: { shop: 'cli.js' }, exports: './src/index.js', scripts: { start: 'node server.js' } }),
      'pyproject.toml': '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:main"\n[tool.x]\ny = 1\n',
      'src/server.js': "app.get('/orders', list);\nrouter.post(`/orders/:id`, change);\nmap.get('key');\n",
      'test/server.test.js': "request.get('/only-in-tests');\n",
    });
    expect(await programFacts(bench.trees, tree)).toEqual([
      'package.json bin: {"shop":"cli.js"}',
      'package.json exports: "./src/index.js"',
      'npm start runs: node server.js',
      'pyproject.toml command: shop = "shop.cli:main"',
      'route: GET /orders (src/server.js)',
      'route: POST /orders/:id (src/server.js)',
    ]);
    expect(await programFacts(bench.trees, await bench.tree({ 'package.json': '{' }))).toEqual([]);
  } finally {
    await bench.dispose();
  }
});

test('the interfaces below a feature are those of what it depends on, and of what that depends on', () => {
  const feature = (id: number, depends_on: number[], said?: string): Feature => ({
    id,
    description: `D${id}`,
    test_file: `t${id}`,
    depends_on,
    passes: false,
    ...(said === undefined ? {} : { interface: said }),
  });
  const features = [feature(1, [], 'one()'), feature(2, [1]), feature(3, [2], 'three()'), feature(4, [3, 4]), feature(5, [], 'five()')];
  expect(interfacesBelow(JSON.stringify({ project: 'p', features }), features[3]!)).toEqual([
    { id: 3, description: 'D3', interface: 'three()' },
    { id: 1, description: 'D1', interface: 'one()' },
  ]);
  expect(interfacesBelow('{', features[3]!)).toEqual([]);
});
