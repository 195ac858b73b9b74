import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { markFiles } from '../platform/mark-files.ts';
import { recallStatus, rememberStatus } from './status-memo.ts';

let folder: string;
let root: string;
let file: string;
let platform: ReturnType<typeof nodePlatform>;
const answer = { report: { session: 3 }, text: 'Session: 3' };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-memo-'));
  root = join(folder, 'project');
  file = join(root, 'features.json');
  platform = nodePlatform({ HARNESS_HOME: join(folder, 'home') });
  await mkdir(root);
  await writeFile(file, 'one');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const remember = async (): Promise<void> =>
  rememberStatus(platform, { root, lock: join(root, 'lock'), marks: await markFiles(platform, [file, join(root, 'absent')]) }, answer);

test('an answer is recalled while nothing has changed', async () => {
  expect(await recallStatus(platform, root)).toBeNull();
  await remember();
  expect(await recallStatus(platform, root)).toEqual(answer);
});

test('a change of an input voids it, even one that keeps size and modification time', async () => {
  await remember();
  const { atime, mtime } = await stat(file);
  await writeFile(file, 'two');
  await utimes(file, atime, mtime);
  expect(await recallStatus(platform, root)).toBeNull();
});

test('a file that appears voids it', async () => {
  await remember();
  await writeFile(join(root, 'absent'), '');
  expect(await recallStatus(platform, root)).toBeNull();
});

test('an input that changed while it was read voids it', async () => {
  const marks = await markFiles(platform, [file]);
  await writeFile(file, 'changed meanwhile');
  await rememberStatus(platform, { root, lock: join(root, 'lock'), marks }, answer);
  expect(await recallStatus(platform, root)).toBeNull();
});

test('nothing is recalled or remembered while a lock stands', async () => {
  await remember();
  await writeFile(join(root, 'lock'), '');
  expect(await recallStatus(platform, root)).toBeNull();
});

test('another project, a broken memo and a missing home are no memo', async () => {
  await remember();
  expect(await recallStatus(platform, join(folder, 'other'))).toBeNull();
  expect(await recallStatus(nodePlatform({}), root)).toBeNull();
  const cache = join(folder, 'home', 'cache', 'status');
  const memo = join(cache, (await readdir(cache))[0]!);
  expect(JSON.parse(await readFile(memo, 'utf8'))).toMatchObject({ root });
  await writeFile(memo, '{"marks": 3');
  expect(await recallStatus(platform, root)).toBeNull();
});
