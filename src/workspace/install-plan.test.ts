import { afterEach, beforeEach, expect, test } from 'vitest';
import { planInstall } from './install-plan.ts';
import { createBench, type Bench } from './test-support.ts';
import { createTreeStore } from './tree-store.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

test.each<[string, Record<string, string>, string[]]>([
  [
    "Yarn's own program, plugins and patches",
    {
      'package.json': '{"packageManager":"yarn@4.1.0"}',
      'yarn.lock': '__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1\n',
      '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn-4.1.0.cjs\n',
      '.yarn/releases/yarn-4.1.0.cjs': '',
      '.yarn/plugins/p.cjs': '',
      '.yarn/patches/a.patch': '',
      '.yarn/cache/a.zip': '',
    },
    ['.yarn/patches/a.patch', '.yarn/plugins/p.cjs', '.yarn/releases/yarn-4.1.0.cjs', '.yarnrc.yml', 'package.json', 'yarn.lock'],
  ],
  [
    'patches and packages of the project that pnpm is told of',
    {
      'package.json': '{"pnpm":{"patchedDependencies":{"a@1.0.0":"patches/a.patch"}},"dependencies":{"b":"file:vendor/b.tgz"}}',
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\npackages:\n",
      'patches/a.patch': '',
      'patches/other.patch': '',
      'vendor/b.tgz': '',
      'src/a.js': '',
    },
    ['package.json', 'patches/a.patch', 'pnpm-lock.yaml', 'vendor/b.tgz'],
  ],
])('%s lie beside the lockfile', async (_title, files, placed) => {
  bench.write(files);
  const tree = bench.commit();
  const plan = await planInstall(createTreeStore(bench.platform, await bench.home()), tree);
  expect(plan!.files.map(({ path }) => path).toSorted()).toEqual(placed);
});
