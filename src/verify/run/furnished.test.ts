import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { USED_HOME } from './checkout.ts';
import { createSpares, type Spares } from './furnished.ts';

const platform = nodePlatform({ PATH: process.env['PATH'] ?? '' });
let scratch: string;
let spares: Spares;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'furnished-'));
  spares = createSpares(platform, scratch);
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const place = async (name: string): Promise<{ path: string; inode: number; done: () => Promise<void> }> => {
  const path = join(scratch, name);
  const { done } = await spares.place('home', path, () => USED_HOME);
  // A change in the same tick of the clock is not one that a run could make: it has to be started first.
  await new Promise((resolve) => setTimeout(resolve, 25));
  return { path, inode: lstatSync(path).ino, done };
};

test('what a run left as it was serves the next one at another place, and nothing stays afterwards', async () => {
  const first = await place('one');
  await first.done();
  expect(existsSync(first.path)).toBe(false);
  const second = await place('two');
  expect(second.inode).toBe(first.inode);
  expect(readdirSync(second.path).toSorted()).toEqual(['.bash_history', '.bashrc', '.cache', '.config', '.local', '.profile', 'projects']);
  const beside = await place('three');
  expect(beside.inode).not.toBe(first.inode);
  await second.done();
  await beside.done();
  await spares.dispose();
  await expect.poll(() => readdirSync(scratch)).toEqual([]);
});

const MARKS: Record<string, (path: string) => void> = {
  'a new file': (path) => writeFileSync(join(path, 'projects', 'mark'), ''),
  'a new file at the top': (path) => writeFileSync(join(path, 'mark'), ''),
  'a file and nothing of it left': (path) => {
    writeFileSync(join(path, '.cache', 'mark'), '');
    rmSync(join(path, '.cache', 'mark'));
  },
  'other words of the same length': (path) => writeFileSync(join(path, '.bashrc'), "alias ll='ls -a'\n"),
  'a time set back': (path) => utimesSync(join(path, '.bashrc'), 1, 1),
  'other rights': (path) => chmodSync(join(path, '.config'), 0o700),
  'other rights of the folder itself': (path) => chmodSync(path, 0o711),
  'a second name': (path) => linkSync(join(path, '.profile'), join(scratch, 'elsewhere')),
  'a file that is gone': (path) => rmSync(join(path, '.profile')),
  'a link in the place of a folder': (path) => {
    rmSync(join(path, 'projects'), { recursive: true });
    symlinkSync('/', join(path, 'projects'));
  },
  'a folder in the place of a file': (path) => {
    rmSync(join(path, '.bashrc'));
    mkdirSync(join(path, '.bashrc'));
  },
};

test.each(Object.keys(MARKS))('a run that leaves %s is not met by the next one', async (mark) => {
  const first = await place('one');
  MARKS[mark]!(first.path);
  await first.done();
  const second = await place('two');
  expect(second.inode).not.toBe(first.inode);
  expect(readdirSync(join(second.path, 'projects'))).toEqual([]);
});

test('a mark that only the system sees is not met either', async () => {
  const first = await place('one');
  try {
    execFileSync('python3', ['-c', 'import os, sys; os.setxattr(sys.argv[1], "user.mark", b"seen")', first.path], { stdio: 'pipe' });
  } catch {
    return;
  }
  await first.done();
  expect((await place('two')).inode).not.toBe(first.inode);
});

test('what is laid out ahead is taken first, and goes with the others where nobody needed it', async () => {
  await spares.layAhead('home', USED_HOME);
  await spares.layAhead('home', USED_HOME);
  const waiting = readdirSync(scratch).map((name) => lstatSync(join(scratch, name)).ino);
  const first = await place('one');
  expect(waiting).toContain(first.inode);
  await first.done();
  await spares.dispose();
  await expect.poll(() => readdirSync(scratch)).toEqual([]);
});
