import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { checkReference, inspectReference, readReference } from './reference.ts';

const platform = nodePlatform({});
let folder: string;
let root: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'harness-reference-')));
  root = join(folder, 'root');
  await mkdir(join(root, 'docs', 'dir.md'), { recursive: true });
  await writeFile(join(root, 'docs', 'style.md'), 'be kind\n\u001b[31mred\u001b[0m\n');
  await writeFile(join(folder, 'secret.md'), 'secret\n');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inspect = (path: string) => inspectReference({ platform, root }, path);
const fault = async (path: string) => {
  const found = await inspect(path);
  return found.ok ? 'ok' : found.check === 'path' ? found.rule : found.fault;
};

test('a text file of the project is taken in its normalised spelling, without control sequences', async () => {
  expect(await inspect('./docs//style.md')).toEqual({ ok: true, path: 'docs/style.md', text: 'be kind\nred\n' });
});

test('paths that may not be used are refused by their rule', async () => {
  expect(await Promise.all(['../secret.md', '/etc/passwd.md', '.harness/x.md', '.git/x.md', ''].map(fault))).toEqual([
    'parent',
    'absolute',
    'private',
    'git',
    'empty',
  ]);
});

test('only three extensions are taken, whether or not the file is there', async () => {
  for (const path of ['.env', 'a.json', 'a.pem', 'a.md.exe', 'md']) expect(await fault(path)).toBe('extension');
  for (const path of ['a.txt', 'a.MARKDOWN', 'a.md']) expect(await fault(path)).toBe('missing');
});

test('links are refused, at the end and on the way, wherever they lead', async () => {
  await symlink(join(folder, 'secret.md'), join(root, 'out.md'));
  await symlink('docs/style.md', join(root, 'near.md'));
  await symlink('docs', join(root, 'way'));
  await symlink('nowhere.md', join(root, 'gone.md'));
  expect(await Promise.all(['out.md', 'near.md', 'way/style.md', 'gone.md', 'docs/dir.md'].map(fault))).toEqual([
    'leafLink',
    'leafLink',
    'wayLink',
    'leafLink',
    'notFile',
  ]);
});

test('the limits are 200 KB and 5000 lines', async () => {
  await writeFile(join(root, 'fits.md'), `${'x'.repeat(39)}\n`.repeat(5000));
  await writeFile(join(root, 'long.md'), '\n'.repeat(5001));
  await writeFile(join(root, 'big.md'), 'x'.repeat(200 * 1024 + 1));
  await writeFile(join(root, 'binary.md'), Buffer.from([0x61, 0, 0x62]));
  await writeFile(join(root, 'latin.md'), Buffer.from([0x61, 0xe4, 0x0a]));
  expect(await Promise.all(['fits.md', 'long.md', 'big.md', 'binary.md', 'latin.md'].map(fault))).toEqual([
    'ok',
    'lines',
    'size',
    'binary',
    'binary',
  ]);
});

test('a refusal ends with exit 2 and names the path and the check in the language of the person', async () => {
  await expect(checkReference({ platform, root }, 'a.json', 'de')).rejects.toMatchObject({
    exitCode: 2,
    message: '--reference a.json ist nicht verwendbar: nur Dateien mit .md, .txt und .markdown können Referenz sein.',
  });
  await expect(checkReference({ platform, root }, '../x.md', 'fr')).rejects.toThrow(
    '--reference ../x.md cannot be used: the path must not contain ".."',
  );
});

test('a file that was good is checked again when it is read later', async () => {
  expect(await checkReference({ platform, root }, 'docs/style.md', 'en')).toBe('docs/style.md');
  await rm(join(root, 'docs', 'style.md'));
  await symlink(join(folder, 'secret.md'), join(root, 'docs', 'style.md'));
  await expect(readReference({ platform, root }, 'docs/style.md', 'en')).rejects.toThrow('symbolic link');
});
