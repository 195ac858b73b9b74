import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../platform/bubblewrap.ts';
import type { SandboxSpec } from '../platform/sandbox.ts';
import { privateCaches } from './package-caches.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

const { hides: available } = await bubblewrapHere();
const OFFLINE = '--no-audit --no-fund --no-update-notifier --loglevel=error';

function tarball(): Buffer {
  const folder = join(bench.folder, 'source/package');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "tiny", "version": "1.0.0", "main": "index.js" }');
  writeFileSync(join(folder, 'index.js'), 'module.exports = 42\n');
  execFileSync('tar', ['-czf', join(bench.folder, 'tiny.tgz'), 'package'], { cwd: join(folder, '..') });
  return readFileSync(join(bench.folder, 'tiny.tgz'));
}

/** A command of an agent in a workspace with this file, without a network. */
async function inWorkspace(files: Readonly<Record<string, string>>, script: string): Promise<{ code: number | null; out: string }> {
  const [workspace, temporary] = [join(bench.folder, 'work/tree'), join(bench.folder, 'work/tmp')];
  for (const folder of [workspace, temporary]) mkdirSync(folder, { recursive: true });
  bench.write(files, workspace);
  const caches = await privateCaches(bench.platform, { folder: join(bench.folder, 'work/caches'), workspace, home: bench.env['HOME'] });
  const shown = [bench.env['HOME']!, join(bench.folder, 'tiny.tgz')];
  const sandbox: SandboxSpec = { writable: [workspace, temporary], hidden: [], shown, network: 'none', ...caches };
  const env = { ...bench.env, TMPDIR: temporary };
  const run = await bench.platform.processes.run({ file: '/bin/sh', args: ['-c', script], cwd: workspace, env, sandbox });
  return { code: run.code, out: `${run.stdout}${run.stderr}`.trim() };
}

describe.runIf(available)('in the sandbox', () => {
  test('npm installs a local package where the user has no cache yet, and nothing of it reaches the user', async () => {
    tarball();
    const result = await inWorkspace(
      { 'package.json': '{ "name": "app", "version": "1.0.0" }' },
      `npm install ${OFFLINE} ${bench.folder}/tiny.tgz && node -p 'require("tiny")'`,
    );
    expect(result.out.split('\n').at(-1)).toBe('42');
    expect(result.code).toBe(0);
    expect(readdirSync(join(bench.env['HOME']!, '.npm'))).toEqual([]);
  });

  test('a linter that keeps its cache in the home directory can write one, and nothing of it reaches the user', async () => {
    const linter = { 'package.json': '{ "name": "app" }', 'node_modules/standard/package.json': '{ "name": "standard" }' };
    const script = 'mkdir -p ~/.cache/standard/v17 && echo 1 > ~/.cache/standard/v17/cache && cat ~/.cache/standard/v17/cache';
    expect(await inWorkspace(linter, script)).toEqual({ code: 0, out: '1' });
    expect(readdirSync(join(bench.env['HOME']!, '.cache/standard'))).toEqual([]);
    expect((await inWorkspace({ 'package.json': '{ "name": "app" }' }, 'echo 1 > ~/.cache/other')).code).not.toBe(0);
  });

  test("npm installs from the user's warm cache, and leaves that cache as it was", async () => {
    const archive = tarball();
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const server = createServer((request, response) => {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      if (request.url?.endsWith('.tgz')) return response.end(archive);
      const version = {
        name: 'tiny',
        version: '1.0.0',
        main: 'index.js',
        dist: { tarball: `${address}/tiny/-/tiny-1.0.0.tgz`, integrity },
      };
      return response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const registry = `--registry=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    bench.write({ 'package.json': '{ "name": "warm", "version": "1.0.0" }' }, join(bench.folder, 'warm'));
    const warm = await bench.platform.processes.run({
      file: 'npm',
      args: ['install', ...OFFLINE.split(' '), registry, 'tiny@1.0.0'],
      cwd: join(bench.folder, 'warm'),
      env: bench.env,
    });
    expect(warm.code, String(warm.stderr)).toBe(0);
    await new Promise((resolve) => server.close(resolve));
    const before = listing(join(bench.env['HOME']!, '.npm/_cacache'));
    const result = await inWorkspace(
      { 'package.json': '{ "name": "app", "version": "1.0.0" }' },
      `npm install ${OFFLINE} ${registry} --prefer-offline tiny@1.0.0 && node -p 'require("tiny")' && echo more >> "$(find ~/.npm/_cacache/index-v5 -type f | head -1)"`,
    );
    expect(result, result.out).toMatchObject({ code: 0, out: expect.stringMatching(/42$/) });
    expect(listing(join(bench.env['HOME']!, '.npm/_cacache'))).toEqual(before);
  }, 60_000);

  test('pip installs a local wheel', async () => {
    const make = `import zipfile\nz = zipfile.ZipFile('tiny-1.0-py3-none-any.whl', 'w')\nz.writestr('tiny.py', 'value = 42\\n')\nz.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')\nz.writestr('tiny-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\nz.writestr('tiny-1.0.dist-info/RECORD', '')\nz.close()\n`;
    mkdirSync(join(bench.env['HOME']!, '.cache/pip'), { recursive: true });
    const result = await inWorkspace(
      { 'make.py': make, 'requirements.txt': '' },
      'python3 make.py && python3 -m pip install -q --no-index --target lib ./tiny-1.0-py3-none-any.whl; PYTHONPATH=lib python3 -c "import tiny; print(tiny.value)" && echo x > ~/.cache/pip/new',
    );
    expect(result.out).toMatch(/\b42\b/);
    expect(result.code).toBe(0);
    expect(readdirSync(join(bench.env['HOME']!, '.cache/pip'))).toEqual([]);
  }, 60_000);
});

test('the crates and modules of the user are linked, what is changed in place is copied', async () => {
  const home = bench.env['HOME']!;
  bench.write(
    {
      '.cargo/registry/cache/index.crates.io-1/a-1.0.0.crate': 'crate',
      '.cargo/registry/index/index.crates.io-1/config.json': '{}',
      'go/pkg/mod/cache/download/example.com/m/@v/v1.0.0.zip': 'zip',
      'go/pkg/mod/cache/download/example.com/m/@v/list': 'v1.0.0',
      'go/pkg/mod/cache/download/example.com/m/@v/v1.0.0.lock': '',
    },
    home,
  );
  const workspace = join(bench.folder, 'workspace');
  bench.write({ 'Cargo.toml': '', 'go.mod': '' }, workspace);
  const folder = join(bench.folder, 'caches');
  const { writableAt } = await privateCaches(bench.platform, { folder, workspace, home });
  expect(writableAt.map(([, inside]) => inside)).toEqual([join(home, '.cargo/registry'), join(home, 'go/pkg/mod')]);
  const kinds = execFileSync('find', ['.', '-type', 'f', '-o', '-type', 'l'], { cwd: folder, encoding: 'utf8' }).trim().split('\n').sort();
  expect(kinds).toEqual([
    './cargo-registry/cache/index.crates.io-1/a-1.0.0.crate',
    './cargo-registry/index/index.crates.io-1/config.json',
    './go-pkg-mod/cache/download/example.com/m/@v/list',
    './go-pkg-mod/cache/download/example.com/m/@v/v1.0.0.zip',
  ]);
});

function listing(folder: string): string {
  return execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} + | sort'], { cwd: folder, encoding: 'utf8' });
}
