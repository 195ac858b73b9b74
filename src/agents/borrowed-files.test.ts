import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lendFiles } from './borrowed-files.ts';
import { bench, type Bench } from './test-support.ts';

let at: Bench;
let from: string;
let to: string;
beforeEach(async () => {
  at = await bench();
  from = join(at.task.env['HOME']!, '.agent');
  to = join(at.task.temporary, 'state');
  await mkdir(from);
  await writeFile(join(from, 'login.json'), 'old');
  await writeFile(join(from, 'settings.json'), 'hooks');
});
afterEach(() => at.remove());

const lend = (): Promise<() => Promise<void>> =>
  lendFiles(at.platform, { from, to, given: ['settings.json'], lent: [{ name: 'login.json', sound: (text) => text.startsWith('new') }] });
const login = (): Promise<string> => readFile(join(from, 'login.json'), 'utf8');

test('the agent gets copies for its eyes only, and the folder is gone afterwards', async () => {
  const giveBack = await lend();
  expect(await readFile(join(to, 'login.json'), 'utf8')).toBe('old');
  expect((await stat(join(to, 'login.json'))).mode & 0o777).toBe(0o600);
  expect((await stat(to)).mode & 0o777).toBe(0o700);
  await giveBack();
  await expect(stat(to)).rejects.toThrow(/ENOENT/);
  expect(await login()).toBe('old');
});

test('a renewed login goes back; settings that were only given do not', async () => {
  const giveBack = await lend();
  await writeFile(join(to, 'login.json'), 'new token');
  await writeFile(join(to, 'settings.json'), 'new hooks');
  await giveBack();
  expect(await login()).toBe('new token');
  expect(await readFile(join(from, 'settings.json'), 'utf8')).toBe('hooks');
});

test('a folder in the place of the one that was lent gives nothing back', async () => {
  const giveBack = await lend();
  const elsewhere = join(at.task.temporary, 'elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'login.json'), 'new but elsewhere');
  await rm(to, { recursive: true });
  await symlink(elsewhere, to);
  await giveBack();
  expect(await login()).toBe('old');
  expect(await readFile(join(elsewhere, 'login.json'), 'utf8')).toBe('new but elsewhere');
});

test('what is no login, or a link, or removed, leaves the user with the old one', async () => {
  for (const spoil of [
    () => writeFile(join(to, 'login.json'), 'broken'),
    () => writeFile(join(to, 'login.json'), `new${'x'.repeat(300_000)}`),
    () => rm(join(to, 'login.json')),
    async () => {
      await rm(join(to, 'login.json'));
      await writeFile(join(at.task.temporary, 'secret'), 'new but elsewhere');
      await symlink(join(at.task.temporary, 'secret'), join(to, 'login.json'));
    },
  ]) {
    const giveBack = await lend();
    await spoil();
    await giveBack();
    expect(await login()).toBe('old');
  }
});

test('a login that the user renewed meanwhile stays', async () => {
  const giveBack = await lend();
  await writeFile(join(to, 'login.json'), 'new from the agent');
  await writeFile(join(from, 'login.json'), 'new from the user');
  await giveBack();
  expect(await login()).toBe('new from the user');
});

test('a user without a login lends nothing and gets nothing', async () => {
  await rm(join(from, 'login.json'));
  const giveBack = await lend();
  await writeFile(join(to, 'login.json'), 'new');
  await giveBack();
  await expect(login()).rejects.toThrow(/ENOENT/);
});
