import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isMissing, isThere, realPath, removeFolder, turn, writePlain } from './at-once.ts';
import { readPlain } from './plain-file.ts';
import { nodePlatform } from './node-platform.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'at-once-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { files } = nodePlatform({});

describe('a pipe in the place of a file', () => {
  test('is not waited for, neither by a reader nor by a writer', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(readPlain(pipe)).toBeUndefined();
    expect(() => writePlain(pipe, 'x', undefined)).toThrow(/ENXIO/);
  });
});

describe('what is there', () => {
  test('is told apart from links that lead nowhere and from names below files', () => {
    writeFileSync(join(folder, 'file'), 'x');
    symlinkSync('nowhere', join(folder, 'link'));
    const paths = ['file', 'link', 'nothing', 'file/below'].map((name) => join(folder, name));
    expect(paths.map(isThere)).toEqual([true, true, false, false]);
    expect(paths.map(isMissing)).toEqual([false, true, true, false]);
    expect(paths.map(realPath)).toEqual([realPath(folder)! + '/file', null, null, null]);
  });

  test('a file that is not there is null, one that is a folder an error', async () => {
    writeFileSync(join(folder, 'file'), 'ä');
    expect(await files.readTextIfExists(join(folder, 'file'))).toBe('ä');
    expect(await files.readTextIfExists(join(folder, 'file', 'below'))).toBeNull();
    await expect(files.readTextIfExists(folder)).rejects.toThrow(/EISDIR/);
  });
});

describe('many looks one after the other', () => {
  test('let everything else have its turn', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const end = performance.now() + 3_000;
    while (turns < 3 && performance.now() < end) await files.exists(folder);
    clearInterval(timer);
    expect(turns).toBe(3);
  });

  test('wait for nothing at first', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect([turn(), turn()]).toEqual([undefined, undefined]);
  });
});

describe('a folder that is removed', () => {
  test('goes with everything in it, and what its links lead to stays', async () => {
    mkdirSync(join(folder, 'kept'));
    writeFileSync(join(folder, 'kept', 'file'), 'x');
    for (const name of ['a/b/c', 'a/d']) mkdirSync(join(folder, 'gone', name), { recursive: true });
    writeFileSync(join(folder, 'gone/a/b/file'), 'x');
    symlinkSync(join(folder, 'kept'), join(folder, 'gone/a/link'));
    await removeFolder(join(folder, 'gone'));
    expect(readdirSync(folder)).toEqual(['kept']);
    expect(readFileSync(join(folder, 'kept', 'file'), 'utf8')).toBe('x');
  });

  test('is out of the way at once where that is asked for, and gone soon', async () => {
    mkdirSync(join(folder, 'room/a'), { recursive: true });
    await files.putAway(join(folder, 'room'), join(folder, 'aside'));
    expect(existsSync(join(folder, 'room'))).toBe(false);
    await expect.poll(() => readdirSync(folder)).toEqual([]);
  });

  test('is removed where it stands when it cannot be moved', async () => {
    writeFileSync(join(folder, 'file'), 'x');
    await files.putAway(join(folder, 'file'), join(folder, 'no-such-folder', 'aside'));
    expect(readdirSync(folder)).toEqual([]);
    expect(lstatSync(folder).isDirectory()).toBe(true);
  });
});
