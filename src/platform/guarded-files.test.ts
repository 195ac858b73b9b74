import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Files } from './files.ts';
import { nodePlatform } from './node-platform.ts';

let top: string;
let state: string;
let files: Files;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'guarded-')));
  state = join(top, '.harness');
  mkdirSync(join(top, 'outside/below'), { recursive: true });
  writeFileSync(join(top, 'outside/file'), 'precious\n');
  ({ files } = nodePlatform());
  files.guard(state);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const LINKED = { exitCode: 6, message: expect.stringContaining('symbolic link') };

test('has a .gitignore before anything else is in it, also after the folder was removed', async () => {
  for (let time = 0; time < 2; time += 1) {
    await files.mkdir(join(state, 'a/b'));
    expect(readFileSync(join(state, '.gitignore'), 'utf8')).toBe('*\n');
    expect(readdirSync(join(state, 'a'))).toEqual(['b']);
    rmSync(state, { recursive: true });
  }
});

const TOUCHING: [string, (at: string) => Promise<unknown>][] = [
  ['read', (at) => files.read(at)],
  ['readText', (at) => files.readText(at)],
  ['readTextIfExists', (at) => files.readTextIfExists(at)],
  ['readSlice', (at) => files.readSlice(at, 0, 4)],
  ['write', (at) => files.write(at, 'x')],
  ['append', (at) => files.append(at, 'x', { sync: true })],
  ['truncate', (at) => files.truncate(at, 0)],
  ['chmod', (at) => files.chmod(at, 0o777)],
  ['copy to', (at) => files.copy(join(top, 'outside/below/../file'), at)],
  ['copy from', (at) => files.copy(at, join(top, 'copied'))],
];

test.each(TOUCHING)('%s follows no link in the place of a file, and none on the way to it', async (_name, touch) => {
  mkdirSync(state);
  symlinkSync(join(top, 'outside/file'), join(state, 'file'));
  symlinkSync(join(top, 'outside'), join(state, 'folder'));
  await expect(touch(join(state, 'file'))).rejects.toMatchObject(LINKED);
  await expect(touch(join(state, 'folder/file'))).rejects.toMatchObject(LINKED);
  expect(readFileSync(join(top, 'outside/file'), 'utf8')).toBe('precious\n');
});

const BELOW: [string, (at: string) => Promise<unknown>][] = [
  ['list', (at) => files.list(at)],
  ['listStats', (at) => files.listStats(at)],
  ['mkdir', (at) => files.mkdir(join(at, 'new'))],
  ['writeAtomic', (at) => files.writeAtomic(join(at, 'new'), 'x')],
  ['writeNew', (at) => files.writeNew(join(at, 'new'), Buffer.from('x'), 0o644)],
  ['createExclusive', (at) => files.createExclusive(join(at, 'new'), 'x')],
  ['symlink', (at) => files.symlink('x', join(at, 'new'))],
  ['rename from', (at) => files.rename(join(at, 'file'), join(top, 'moved'))],
  ['rename to', (at) => files.rename(join(top, 'mine'), join(at, 'new'))],
  ['remove', (at) => files.remove(join(at, 'file'))],
  ['lstat', (at) => files.lstat(join(at, 'file'))],
  ['exists', (at) => files.exists(join(at, 'file'))],
];

test.each(BELOW)('%s goes into no linked folder, wherever the link is', async (_name, touch) => {
  writeFileSync(join(top, 'mine'), 'mine');
  mkdirSync(join(state, 'a'), { recursive: true });
  symlinkSync('../../outside', join(state, 'a/linked'));
  await expect(touch(join(state, 'a/linked'))).rejects.toMatchObject(LINKED);
  rmSync(state, { recursive: true });
  symlinkSync('outside', state);
  await expect(touch(state)).rejects.toMatchObject(LINKED);
  expect(readdirSync(join(top, 'outside')).toSorted()).toEqual(['below', 'file']);
  expect(readdirSync(top).toSorted()).toEqual(['.harness', 'mine', 'outside']);
});

test('a link itself can be looked at, replaced and removed', async () => {
  mkdirSync(state);
  await files.symlink(join(top, 'outside/file'), join(state, 'link'));
  expect((await files.lstat(join(state, 'link'))).isSymbolicLink()).toBe(true);
  expect(await files.readlink(join(state, 'link'))).toBe(join(top, 'outside/file'));
  await files.writeAtomic(join(state, 'link'), 'mine');
  expect(await files.readText(join(state, 'link'))).toBe('mine');
  await files.symlink(join(top, 'outside'), join(state, 'folder'));
  await files.remove(join(state, 'folder'));
  expect(readdirSync(state).toSorted()).toEqual(['link']);
  expect(readFileSync(join(top, 'outside/file'), 'utf8')).toBe('precious\n');
});

test('everything else works as before, and errors name the path that was asked for', async () => {
  expect(await files.readTextIfExists(join(state, 'x/none'))).toBeNull();
  expect(await files.exists(join(state, 'x/none'))).toBe(false);
  await files.remove(join(state, 'x/none'));
  await expect(files.list(state)).rejects.toMatchObject({ code: 'ENOENT', path: state });
  await files.mkdir(join(state, 'logs'));
  await files.append(join(state, 'logs/a'), 'one\n');
  await files.append(join(state, 'logs/a'), 'two\n', { sync: true });
  await files.truncate(join(state, 'logs/a'), 4);
  expect(await files.readSlice(join(state, 'logs/a'), 0, 100)).toEqual(Buffer.from('one\n'));
  expect(await files.createExclusive(join(state, 'lock'), 'me')).toBe(true);
  expect(await files.createExclusive(join(state, 'lock'), 'you')).toBe(false);
  await files.rename(join(state, 'logs/a'), join(state, 'logs/b'));
  await files.copy(join(state, 'logs/b'), join(state, 'logs/c'));
  expect((await files.list(join(state, 'logs'))).map(({ name }) => name).toSorted()).toEqual(['b', 'c']);
  await expect(files.read(join(state, 'logs/none'))).rejects.toMatchObject({
    code: 'ENOENT',
    message: expect.stringContaining(join(state, 'logs/none')),
  });
  await files.remove(join(state, 'logs'));
  await files.rename(state, join(top, 'aside'));
  expect(readdirSync(join(top, 'aside')).toSorted()).toEqual(['.gitignore', 'lock']);
});

test('no descriptor stays open', async () => {
  await files.mkdir(join(state, 'a'));
  const before = readdirSync('/proc/self/fd').length;
  for (let time = 0; time < 50; time += 1) {
    await files.writeAtomic(join(state, 'a/b'), 'x');
    await files.readText(join(state, 'a/b'));
    await files.read(join(state, 'a/none')).catch(() => {});
    await files.read(join(state, 'none/none')).catch(() => {});
  }
  expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 2);
});
