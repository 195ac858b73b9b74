import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Room } from '../../domain/tree.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { linkDependencies } from './link-dependencies.ts';

const platform = nodePlatform({});
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'links-'));
  for (const path of [
    'install/node_modules/a',
    'install/node_modules/@s/b',
    'install/node_modules/.bin',
    'install/packages/own',
    'install/node_modules/.cache',
  ])
    await mkdir(join(folder, path), { recursive: true });
  await symlink('../packages/own', join(folder, 'install/node_modules/own'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function openRoom(name: string): Promise<Room> {
  await mkdir(join(folder, name), { recursive: true });
  return { path: join(folder, name), tree: '', dependencies: join(folder, 'install/node_modules') };
}

const link = (room: Room): Promise<() => Promise<void>> => linkDependencies(platform, room, join(folder, 'scratch'));

async function shapeOf(room: Room): Promise<Record<string, string>> {
  const shape: Record<string, string> = {};
  const visit = async (path: string): Promise<void> => {
    for (const name of await readdir(join(room.path, path))) {
      const at = join(path, name);
      const stat = await lstat(join(room.path, at));
      if (stat.isSymbolicLink()) shape[at] = (await readlink(join(room.path, at))).replace(`${folder}/`, '');
      else if (stat.isDirectory()) await visit(at);
      else shape[at] = 'file';
    }
  };
  await visit('node_modules');
  return shape;
}

const wholeIn = (name: string): Record<string, string> => ({
  'node_modules/.bin': 'install/node_modules/.bin',
  'node_modules/@s/b': 'install/node_modules/@s/b',
  'node_modules/a': 'install/node_modules/a',
  'node_modules/own': `${name}/packages/own`,
});

test('every package is a link, one of the project itself leads into the room, and nothing stays behind', async () => {
  const room = await openRoom('one');
  const end = await link(room);
  expect(await shapeOf(room)).toEqual(wholeIn('one'));
  await end();
  expect(await readdir(room.path)).toEqual([]);
});

test('what a run did to the links is undone before the next one has them, in whichever room', async () => {
  const room = await openRoom('one');
  const end = await link(room);
  const at = (name: string): string => join(room.path, 'node_modules', name);
  await unlink(at('a'));
  await mkdir(at('a'));
  await writeFile(join(at('a'), 'index.js'), 'forged');
  await unlink(at('@s/b'));
  await symlink('/elsewhere', at('@s/b'));
  await writeFile(at('@s/more'), 'forged');
  await mkdir(at('.cache'));
  await mkdir(at('new-package'));
  await end();
  const other = await openRoom('other');
  const endOther = await link(other);
  expect(await shapeOf(other)).toEqual(wholeIn('other'));
  await endOther();
  const again = await openRoom('again');
  await link(again);
  expect(await shapeOf(again)).toEqual(wholeIn('again'));
});

test('a scope that became a link or a file is a folder again', async () => {
  for (const make of [(path: string) => symlink(join(folder, 'install'), path), (path: string) => writeFile(path, '')]) {
    const room = await openRoom('one');
    const end = await link(room);
    await rm(join(room.path, 'node_modules/@s'), { recursive: true });
    await make(join(room.path, 'node_modules/@s'));
    await end();
    const next = await link(room);
    expect(await shapeOf(room)).toEqual(wholeIn('one'));
    await next();
  }
});

test('two rooms at once have links of their own', async () => {
  const rooms = [await openRoom('one'), await openRoom('two')];
  const ends = await Promise.all(rooms.map(link));
  expect(await shapeOf(rooms[0]!)).toEqual(wholeIn('one'));
  expect(await shapeOf(rooms[1]!)).toEqual(wholeIn('two'));
  await Promise.all(ends.map((end) => end()));
  expect(await readdir(join(folder, 'scratch/links')).then((names) => names.length)).toBe(1);
});

test('packages that the room brings itself stay, and stay there', async () => {
  const room = await openRoom('one');
  await mkdir(join(room.path, 'node_modules/a'), { recursive: true });
  await writeFile(join(room.path, 'node_modules/a/index.js'), 'its own');
  const end = await link(room);
  expect(await shapeOf(room)).toMatchObject({ 'node_modules/a/index.js': 'file', 'node_modules/@s/b': 'install/node_modules/@s/b' });
  await end();
  expect(await shapeOf(room)).toMatchObject({ 'node_modules/a/index.js': 'file' });
});

test('links of few installs are kept', async () => {
  for (let index = 0; index < 8; index += 1) {
    const room = { ...(await openRoom(`room-${index}`)), dependencies: join(folder, `install-${index}/node_modules`) };
    await mkdir(join(room.dependencies, 'a'), { recursive: true });
    await (
      await link(room)
    )();
  }
  expect(await readdir(join(folder, 'scratch/links'))).toHaveLength(4);
});

test("a program that names its package by a path relative to itself, as pnpm's do, starts in the room", async () => {
  const own = 'install/node_modules/.pnpm/tool@1.0.0/node_modules/tool';
  await mkdir(join(folder, own), { recursive: true });
  await writeFile(join(folder, own, 'run.js'), "console.log('started');\n");
  const shim = '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node "$basedir/../.pnpm/tool@1.0.0/node_modules/tool/run.js"\n';
  await writeFile(join(folder, 'install/node_modules/.bin/tool'), shim, { mode: 0o755 });
  const room = await openRoom('one');
  const end = await link(room);
  const { stdout } = await promisify(execFile)('node_modules/.bin/tool', { cwd: room.path });
  expect(stdout).toBe('started\n');
  await end();
});
