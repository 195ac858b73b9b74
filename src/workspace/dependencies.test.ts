import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureDependencies } from './dependencies.ts';
import { createBench, type Bench } from './test-support.ts';
import { createTreeStore } from './tree-store.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

const manifest = {
  name: 'project',
  version: '1.0.0',
  scripts: { postinstall: 'mkdir -p node_modules/made && echo yes > node_modules/made/by-script' },
  dependencies: { local: 'file:local' },
};
const lock = {
  name: 'project',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': { name: 'project', version: '1.0.0', hasInstallScript: true, dependencies: { local: 'file:local' } },
    local: { version: '1.0.0' },
    'node_modules/local': { resolved: 'local', link: true },
  },
};

async function install(): Promise<{ failed: boolean; detail: string; scriptRan: boolean }> {
  bench.write({
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify(lock),
    'local/package.json': '{ "name": "local", "version": "1.0.0" }',
  });
  const tree = bench.commit();
  const store = createTreeStore(bench.platform, await bench.home());
  const { failed, detail, path } = await ensureDependencies(bench.platform, { store, tree, harnessHome: bench.harnessHome });
  return { failed, detail, scriptRan: path !== null && existsSync(join(path, 'made', 'by-script')) };
}

test('install scripts do not run', async () => {
  expect(await install()).toMatchObject({ failed: false, scriptRan: false });
});

test('install scripts run where the user has allowed them', async () => {
  const own = join(bench.env['HOME']!, '.harness');
  mkdirSync(own);
  writeFileSync(join(own, 'config.yaml'), 'dependencies:\n  install_scripts: true\n');
  expect(await install()).toMatchObject({ failed: false, scriptRan: true });
});
