import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bubblewrapHere } from '../platform/bubblewrap.ts';
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

async function install(
  scripts: Record<string, string> = manifest.scripts,
  trusted?: string | null,
): Promise<{ failed: boolean; detail: string; scriptRan: boolean }> {
  bench.write({
    'package.json': JSON.stringify({ ...manifest, scripts }),
    'package-lock.json': JSON.stringify(lock),
    'local/package.json': '{ "name": "local", "version": "1.0.0" }',
  });
  const tree = bench.commit();
  const store = createTreeStore(bench.platform, await bench.home());
  const { failed, detail, path } = await ensureDependencies(bench.platform, {
    store,
    tree,
    harnessHome: bench.harnessHome,
    ...(trusted === undefined ? {} : { trusted }),
  });
  return { failed, detail, scriptRan: path !== null && existsSync(join(path, 'made', 'by-script')) };
}

test('install scripts do not run', async () => {
  expect(await install()).toMatchObject({ failed: false, scriptRan: false });
});

function allowScripts(): void {
  const own = join(bench.env['HOME']!, '.harness');
  mkdirSync(own);
  writeFileSync(join(own, 'config.yaml'), 'dependencies:\n  install_scripts: true\n');
}

test('install scripts run where the user has allowed them', async () => {
  allowScripts();
  expect(await install()).toMatchObject({ failed: false, scriptRan: true });
});

test('a script that the trusted tree does not have never runs, whatever its name', async () => {
  allowScripts();
  const trusted = bench.commit();
  const make = manifest.scripts.postinstall;
  const names = [
    'preinstall',
    'install',
    'postinstall',
    'prepublish',
    'preprepare',
    'prepare',
    'postprepare',
    'dependencies',
    'postdependencies',
  ];
  const scripts = Object.fromEntries(names.map((name) => [name, make]));
  expect(await install(scripts, trusted)).toMatchObject({ failed: false, scriptRan: false });
  expect(await install({ ...scripts, more: '' }, null)).toMatchObject({ failed: false, scriptRan: false });
});

test('the trusted version of a script runs in place of a changed one', async () => {
  allowScripts();
  bench.write({ 'package.json': JSON.stringify(manifest) });
  const trusted = bench.commit();
  expect(await install({ postinstall: 'exit 1', dependencies: 'exit 1' }, trusted)).toMatchObject({ failed: false, scriptRan: true });
});

test.runIf((await bubblewrapHere()).hides)('a script can write nothing but what is installed, and sees no login', async () => {
  allowScripts();
  const home = bench.env['HOME']!;
  writeFileSync(join(home, '.npmrc'), '//127.0.0.1:9/:_authToken=secret\n');
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, '.ssh/id'), 'key');
  const tries = `(echo x > ${home}/written; echo x > /var/tmp/${String(process.pid)}-written; cat ${home}/.npmrc ${home}/.ssh/id > node_modules/taken) || true`;
  expect(await install({ postinstall: `${tries}; ${manifest.scripts.postinstall}` })).toMatchObject({ failed: false, scriptRan: true });
  expect(existsSync(join(home, 'written'))).toBe(false);
  expect(existsSync(`/var/tmp/${String(process.pid)}-written`)).toBe(false);
  const [cached] = readdirSync(join(bench.harnessHome, 'cache/dependencies'));
  expect(readFileSync(join(bench.harnessHome, 'cache/dependencies', cached!, 'node_modules/taken'), 'utf8')).toBe('');
});

test.each([
  [
    'pnpm-lock.yaml',
    "lockfileVersion: '9.0'\npackages:\n  a@1.0.0: {}\n",
    'pnpm@10.1.0',
    'pnpm@10.1.0 is not installed on this machine, and pnpm-lock.yaml needs it. Install it: corepack install --global pnpm@10.1.0, or npm install --global pnpm@10.1.0',
  ],
  [
    'yarn.lock',
    '__metadata:\n  version: 8\n\n"a@npm:1":\n  version: 1.0.0\n',
    undefined,
    'yarn@4 is not installed on this machine, and yarn.lock needs it. Install it: corepack install --global yarn@4, or npm install --global @yarnpkg/cli-dist@4',
  ],
  [
    'bun.lock',
    '{\n  "lockfileVersion": 1,\n  "packages": {\n    "a": ["a@1.0.0", "", {}, ""],\n  }\n}\n',
    undefined,
    'bun is not installed on this machine, and bun.lock needs it. Install it: npm install --global bun',
  ],
])('a manager that is not on this machine is named, with the lockfile that is for it alone: %s', async (path, text, pinned, says) => {
  bench.write({ 'package.json': JSON.stringify({ name: 'project', dependencies: { a: '1' }, packageManager: pinned }), [path]: text });
  const platform = { ...bench.platform, env: { ...bench.platform.env, PATH: '/nowhere' } };
  const { failed, detail } = await ensureDependencies(platform, {
    store: createTreeStore(bench.platform, await bench.home()),
    tree: bench.commit(),
    harnessHome: bench.harnessHome,
  });
  expect(failed).toBe(true);
  expect(detail).toContain(says);
});

test('a manager that the harness fetched lies beside the packages, and can be called by name', async () => {
  const pinned = join(bench.harnessHome, 'cache/managers/npm/pnpm@10.1.0/node_modules');
  const [bin, own] = [join(bench.env['HOME']!, 'bin'), join(pinned, 'pnpm/bin/pnpm.cjs')];
  for (const folder of [bin, join(pinned, '.bin'), join(pinned, 'pnpm/bin')]) mkdirSync(folder, { recursive: true });
  for (const name of ['node', 'cp', 'sh', 'bwrap', 'rm'])
    symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(bin, name));
  writeFileSync(join(pinned, 'pnpm/package.json'), '{ "name": "pnpm", "bin": { "pnpm": "bin/pnpm.cjs" } }');
  writeFileSync(
    own,
    `#!/usr/bin/env node\nrequire('fs').mkdirSync('node_modules/a', { recursive: true });\nconsole.log('ran', process.argv[2], __filename);\n`,
  );
  chmodSync(own, 0o755);
  symlinkSync('../pnpm/bin/pnpm.cjs', join(pinned, '.bin/pnpm'));
  bench.write({
    'package.json': JSON.stringify({ name: 'project', dependencies: { a: '1' }, packageManager: 'pnpm@10.1.0' }),
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\npackages:\n  a@1.0.0: {}\n",
  });
  const platform = { ...bench.platform, env: { ...bench.platform.env, PATH: bin } };
  const { path, detail } = await ensureDependencies(platform, {
    store: createTreeStore(bench.platform, await bench.home()),
    tree: bench.commit(),
    harnessHome: bench.harnessHome,
  });
  expect(path, detail).not.toBe(null);
  const ran = execFileSync(join(path!, '.bin/pnpm'), ['lint'], { encoding: 'utf8', cwd: path!, env: { PATH: bin } });
  expect(ran).toBe(`ran lint ${join(path!, '.manager/bin/pnpm.cjs')}\n`);
});
