import { afterEach, beforeEach, expect, test } from 'vitest';
import { planInstall } from './install-plan.ts';
import { createBench, type Bench } from './test-support.ts';
import { createTreeStore } from './tree-store.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

const placedBy = async (files: Record<string, string>): Promise<Record<string, string>> => {
  bench.write(files);
  const plan = await planInstall(createTreeStore(bench.platform, await bench.home()), bench.commit());
  return Object.fromEntries(plan!.files.map(({ path, content }) => [path, content.toString('utf8')]));
};

test('yarn sees patches of the project, and neither its own program nor plugins', async () => {
  const placed = await placedBy({
    'package.json': '{"packageManager":"yarn@4.1.0","dependencies":{"a":"1"}}',
    'yarn.lock': '__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1\n',
    '.yarnrc.yml':
      'yarnPath: .yarn/releases/yarn-4.1.0.cjs\nplugins: [.yarn/plugins/p.cjs]\nnpmRegistryServer: "http://127.0.0.1:9"\nunsafeHttpWhitelist: ["*"]\ncatalog: { b: "1" }\n',
    '.yarn/releases/yarn-4.1.0.cjs': '',
    '.yarn/plugins/p.cjs': '',
    '.yarn/patches/a.patch': '',
    '.yarn/cache/a.zip': '',
  });
  expect(Object.keys(placed).toSorted()).toEqual(['.yarn/patches/a.patch', '.yarnrc.yml', 'package.json', 'yarn.lock']);
  expect(placed['.yarnrc.yml']).toBe('catalog:\n  b: "1"\nnodeLinker: node-modules\nenableTelemetry: false\n');
  expect(placed['package.json']).not.toContain('packageManager');
});

test('pnpm sees patches and archives that package files name, no hooks, and of its settings those that only choose a tree', async () => {
  const placed = await placedBy({
    'package.json':
      '{"pnpm":{"patchedDependencies":{"a@1.0.0":"patches/a.patch"},"configDependencies":{"x":"1"},"executionEnv":{"nodeVersion":"1.0.0"}},"dependencies":{"b":"file:vendor/b.tgz"}}',
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\n\npnpmfileChecksum: sha256-x\n\npackages:\n",
    'pnpm-workspace.yaml':
      'packages: ["packages/*", "../outside"]\nconfigDependencies: { x: "1" }\npnpmfile: evil.cjs\nscriptShell: ./evil\nnodeLinker: hoisted\nhttpsProxy: "http://127.0.0.1:9"\n',
    '.pnpmfile.cjs': 'evil',
    'patches/a.patch': '',
    'patches/other.patch': '',
    'vendor/b.tgz': '',
    'src/a.js': '',
  });
  expect(Object.keys(placed).toSorted()).toEqual([
    'package.json',
    'patches/a.patch',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'vendor/b.tgz',
  ]);
  expect(placed['pnpm-workspace.yaml']).toBe('packages:\n  - packages/*\nnodeLinker: hoisted\n');
  expect(JSON.parse(placed['package.json']!).pnpm).toEqual({ patchedDependencies: { 'a@1.0.0': 'patches/a.patch' } });
  expect(placed['pnpm-lock.yaml']).toBe("lockfileVersion: '9.0'\npackages:\n");
});

test.each([
  ['git = ./evil'],
  ["'git' = ./evil"],
  ['"git"=./evil'],
  ['${NOPE?}git = ./evil'],
  ['git[] = ./evil'],
  ['\u00a0git = ./evil'],
  ['legacy-peer-deps = ./evil'],
  ['script-shell=./evil'],
  ['node-options=--require ./evil'],
  ['https-proxy=http://127.0.0.1:9'],
  ['strict-ssl=false'],
  ['cafile=./evil'],
  ['registry=http://127.0.0.1:9'],
  ['public-hoist-pattern[]=../../evil'],
  ['globalconfig=./evil'],
])('npm never sees a setting of the project that goes anywhere: %s', async (line) => {
  const placed = await placedBy({
    'package.json': '{}',
    'package-lock.json': '{"lockfileVersion":3,"packages":{}}',
    '.npmrc': `${line}\nlegacy-peer-deps=true ; why\n`,
  });
  expect(placed['.npmrc']).toBe('legacy-peer-deps=true\n');
});
