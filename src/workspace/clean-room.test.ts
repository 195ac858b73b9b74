import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareWorkspace } from './agent-copy.ts';
import { createCleanRooms } from './clean-room.ts';
import { ensureDependencies } from './dependencies.ts';
import { createBench, picture, type Bench } from './test-support.ts';
import { createTreeStore } from './tree-store.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

const head = (): string => bench.git('rev-parse', 'HEAD^{tree}');

describe('clean rooms', () => {
  test('a named room goes from tree to tree, and nothing that a run left survives', async () => {
    bench.write({ 'a.txt': 'a', 'old/x': 'x' });
    bench.commit();
    const rooms = createCleanRooms(bench.platform, { home: await bench.home(), harnessHome: bench.harnessHome });
    const first = await rooms.prepare(head(), { name: 'judge' });
    expect(first).toEqual({
      path: join(bench.harnessHome, 'rooms', readdirSync(join(bench.harnessHome, 'rooms'))[0]!, 'main/judge'),
      tree: head(),
      dependencies: null,
    });
    bench.write({ 'node_modules/.cache/x': 'x', 'coverage/out': 'o', 'a.txt': 'overwritten', '.git/config': 'x' }, first.path);
    rmSync(join(bench.root, 'old'), { recursive: true });
    bench.commit();
    const second = await rooms.prepare(head(), { name: 'judge' });
    expect(second.path).toBe(first.path);
    expect(picture(second.path, [])).toEqual(picture(bench.root));
  });

  test('the name of a fresh room says nothing about what it is for, and several serve again', async () => {
    bench.write({ 'a.txt': 'a' });
    bench.commit();
    const rooms = createCleanRooms(bench.platform, { home: await bench.home(), harnessHome: bench.harnessHome, sandboxed: true });
    const names = ['repeat', 'controls', 'passing', 'another'];
    const folder = (): string => join(bench.harnessHome, 'rooms', readdirSync(join(bench.harnessHome, 'rooms'))[0]!, 'main');
    let before = new Set<number>();
    for (let round = 0; round < 3; round += 1) {
      for (const name of names.slice(0, 2)) rooms.prepareAhead!(head(), { name, fresh: true });
      const made = await Promise.all(names.map((name) => rooms.prepare(head(), { name, fresh: true })));
      for (const room of made) {
        expect(basename(room.path)).toMatch(/^room-[0-9a-f]{12}$/);
        expect(picture(room.path, [])).toEqual(picture(bench.root));
        bench.write({ 'left-behind': 'x' }, room.path);
      }
      const inodes = made.map((room) => lstatSync(room.path).ino);
      expect(new Set(inodes).size).toBe(4);
      if (round > 0) expect(inodes.filter((inode) => before.has(inode))).toHaveLength(3);
      await rooms.dispose();
      const left = readdirSync(folder()).filter((name) => lstatSync(join(folder(), name)).isDirectory());
      expect(left.toSorted()).toEqual(['spare', 'spare-2', 'spare-3']);
      before = new Set(left.map((name) => lstatSync(join(folder(), name)).ino));
    }
  });

  test('fresh rooms have new paths each time, hold the tree exactly, and are gone after dispose', async () => {
    bench.write({ 'a.txt': 'a', 'b.txt': 'b' });
    bench.commit();
    const rooms = createCleanRooms(bench.platform, { home: await bench.home(), harnessHome: bench.harnessHome });
    const paths = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const made = [
        await rooms.prepare(head(), { name: 'judge', fresh: true }),
        await rooms.prepare(head(), { name: 'judge', fresh: true }),
      ];
      for (const room of made) {
        expect(picture(room.path, [])).toEqual(picture(bench.root));
        paths.add(room.path);
        bench.write({ 'a.txt': 'spoiled', 'left-behind': 'x' }, room.path);
      }
      await rooms.dispose();
      for (const room of made) expect(existsSync(room.path)).toBe(false);
    }
    expect(paths.size).toBe(6);
  });
});

describe('dependencies', () => {
  test('no lockfile or an empty one installs nothing', async () => {
    bench.write({ 'package.json': '{"name":"x"}' });
    bench.commit();
    const store = createTreeStore(bench.platform, await bench.home());
    const ask = (): ReturnType<typeof ensureDependencies> =>
      ensureDependencies(bench.platform, { store, tree: head(), harnessHome: bench.harnessHome });
    expect(await ask()).toMatchObject({ path: null, hash: null, failed: false });
    bench.write({ 'package-lock.json': JSON.stringify({ name: 'x', lockfileVersion: 3, packages: { '': { name: 'x' } } }) });
    bench.commit();
    expect(await ask()).toMatchObject({ path: null, installed: false, failed: false });
    expect(existsSync(join(bench.harnessHome, 'cache'))).toBe(false);
  });

  test("they are installed once, without scripts, checked on the next use, and copied into the agent's copy", async () => {
    bench.write({
      'package.json': JSON.stringify({ name: 'app', version: '1.0.0', workspaces: ['packages/*'] }),
      'packages/left/package.json': JSON.stringify({
        name: 'left',
        version: '1.0.0',
        main: 'index.js',
        scripts: { install: 'touch installed-by-script' },
      }),
      'packages/left/index.js': 'module.exports = 1;\n',
      'package-lock.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': { name: 'app', version: '1.0.0', workspaces: ['packages/*'] },
          'node_modules/left': { resolved: 'packages/left', link: true },
          'packages/left': { version: '1.0.0', hasInstallScript: true },
        },
      }),
      '.gitignore': 'node_modules/\n',
    });
    bench.commit();
    const home = await bench.home();
    const store = createTreeStore(bench.platform, home);
    const ask = (): ReturnType<typeof ensureDependencies> =>
      ensureDependencies(bench.platform, { store, tree: head(), harnessHome: bench.harnessHome, recheck: true });
    const first = await ask();
    expect(first).toMatchObject({ installed: true, failed: false });
    expect(lstatSync(join(first.path!, 'left')).isSymbolicLink()).toBe(true);
    expect(existsSync(join(first.path!, '../packages/left/installed-by-script'))).toBe(false);
    expect(await ask()).toMatchObject({ installed: false, path: first.path });
    writeFileSync(join(first.path!, 'planted.js'), 'evil');
    expect(await ask()).toMatchObject({ installed: true, path: first.path });
    expect(existsSync(join(first.path!, 'planted.js'))).toBe(false);

    const prepare = (): ReturnType<typeof prepareWorkspace> =>
      prepareWorkspace(bench.platform, { home, store, harnessHome: bench.harnessHome, base: home.head!, tree: head() });
    const copy = await prepare();
    const target = join(copy.path, 'node_modules');
    expect(readFileSync(join(target, 'left/index.js'), 'utf8')).toBe('module.exports = 1;\n');
    expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
    const inode = lstatSync(target).ino;
    await prepare();
    expect(lstatSync(target).ino).toBe(inode);
    rmSync(target, { recursive: true });
    mkdirSync(join(bench.folder, 'precious'));
    symlinkSync(join(bench.folder, 'precious'), target);
    await prepare();
    expect(lstatSync(target).isDirectory()).toBe(true);
    expect(readdirSync(join(bench.folder, 'precious'))).toEqual([]);
  }, 60_000);

  test('packages below the root keep node_modules of their own, and packages of the project are those of the room', async () => {
    const manifest = (name: string, more: object = {}): string => JSON.stringify({ name, version: '1.0.0', ...more });
    bench.write({
      'package.json': manifest('app', { workspaces: ['packages/*'] }),
      'packages/left/package.json': manifest('left', { main: 'index.js' }),
      'packages/left/index.js': 'module.exports = 1;\n',
      'packages/right/package.json': manifest('right', { type: 'module', dependencies: { left: '*' } }),
      'package-lock.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': { name: 'app', version: '1.0.0', workspaces: ['packages/*'] },
          'node_modules/left': { resolved: 'packages/left', link: true },
          'node_modules/right': { resolved: 'packages/right', link: true },
          'packages/left': { version: '1.0.0' },
          'packages/right': { version: '1.0.0', dependencies: { left: '*' } },
          'packages/right/node_modules/left': { resolved: 'packages/left', link: true },
        },
      }),
      '.gitignore': 'node_modules/\n',
    });
    bench.commit();
    const home = await bench.home();
    const rooms = createCleanRooms(bench.platform, { home, harnessHome: bench.harnessHome });
    const room = await rooms.prepare(head(), { name: 'judge' });
    expect(room.nested).toEqual(['packages/right/node_modules']);
    const copy = await prepareWorkspace(bench.platform, { home, harnessHome: bench.harnessHome, base: home.head!, tree: head() });
    expect(readFileSync(join(copy.path, 'packages/right/node_modules/left/index.js'), 'utf8')).toBe('module.exports = 1;\n');
  }, 60_000);

  test('an install that cannot be done is a value for the copy and a clear error for a clean room', async () => {
    bench.write({
      'package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { left: 'file:left-1.0.0.tgz' } }),
      'package-lock.json': JSON.stringify({
        name: 'app',
        lockfileVersion: 3,
        packages: {
          '': { name: 'app', dependencies: { left: 'file:left-1.0.0.tgz' } },
          'node_modules/left': { version: '1.0.0', resolved: 'file:left-1.0.0.tgz' },
        },
      }),
    });
    bench.commit();
    const home = await bench.home();
    const store = createTreeStore(bench.platform, home);
    expect(await ensureDependencies(bench.platform, { store, tree: head(), harnessHome: bench.harnessHome })).toMatchObject({
      path: null,
      failed: true,
      detail: expect.stringContaining('npm ci'),
    });
    const rooms = createCleanRooms(bench.platform, { home, harnessHome: bench.harnessHome });
    await expect(rooms.prepare(head(), { name: 'judge' })).rejects.toMatchObject({
      exitCode: 6,
      reasons: ['env.dependencies_failed'],
      message: expect.stringContaining('could not be installed'),
    });
    expect(readdirSync(join(bench.harnessHome, 'cache/dependencies'))).toEqual([]);
  }, 60_000);
});
