import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadManifest, saveManifest, type Manifest } from './manifest.ts';
import { materialise } from './materialise.ts';
import { createBench, picture, type Bench } from './test-support.ts';
import { createTreeStore, type HomeTreeStore } from './tree-store.ts';

let bench: Bench;
let store: HomeTreeStore;
let path: string;

beforeEach(async () => {
  bench = createBench();
  bench.write({
    'a.txt': 'a',
    'dir/b.txt': 'b',
    'dir/deep/c.txt': 'c',
    run: { run: '#!/bin/sh\n' },
    link: { link: 'dir/b.txt' },
    out: { link: '/etc/hosts' },
    empty: '',
    'crlf.txt': 'x\r\ny\n',
    '.gitattributes': 'a.txt text eol=crlf\n',
    'sp ace/ünï\n': 'n',
  });
  bench.commit();
  store = createTreeStore(bench.platform, await bench.home());
  path = join(bench.folder, 'room');
});
afterEach(() => bench.dispose());

const make = (tree: string, manifest: Manifest | null, keep?: string[]): ReturnType<typeof materialise> =>
  materialise(bench.platform, store, {
    path,
    tree: bench.git('rev-parse', `${tree}^{tree}`),
    manifest,
    ...(keep === undefined ? {} : { keep }),
  });

test('a directory holds the raw bytes, modes and links of the tree', async () => {
  await make('HEAD', null);
  expect(picture(path)).toEqual(picture(bench.root));
  expect(lstatSync(join(path, 'run')).mode & 0o111).not.toBe(0);
});

test('only what changed is written again, and what the tree lacks is removed', async () => {
  const first = await make('HEAD', null);
  const again = await make('HEAD', first.manifest);
  expect([again.written, again.removed]).toEqual([0, 0]);
  const inode = lstatSync(join(path, 'a.txt')).ino;
  rmSync(join(bench.root, 'dir'), { recursive: true });
  bench.write({ dir: 'now a file', 'new/x': 'x' });
  bench.commit();
  const next = await make('HEAD', again.manifest);
  expect(next.written).toBe(2);
  expect(lstatSync(join(path, 'a.txt')).ino).toBe(inode);
  expect(picture(path)).toEqual(picture(bench.root));
});

test('whatever was done to the directory is undone', async () => {
  const first = await make('HEAD', null);
  writeFileSync(join(path, 'a.txt'), 'b');
  rmSync(join(path, 'dir/deep'), { recursive: true });
  chmodSync(join(path, 'run'), 0o644);
  mkdirSync(join(path, 'empty-folder/inside'), { recursive: true });
  writeFileSync(join(path, 'dir/extra'), 'extra');
  rmSync(join(path, 'empty'));
  mkdirSync(join(path, 'empty'));
  rmSync(join(path, 'link'));
  symlinkSync('a.txt', join(path, 'link'));
  chmodSync(join(path, 'sp ace'), 0o000);
  await make('HEAD', first.manifest);
  expect(picture(path)).toEqual(picture(bench.root));
});

test('a parent replaced by a link to elsewhere is replaced, and nothing is written behind it', async () => {
  const first = await make('HEAD', null);
  const elsewhere = join(bench.folder, 'elsewhere');
  mkdirSync(join(elsewhere, 'deep'), { recursive: true });
  writeFileSync(join(elsewhere, 'b.txt'), 'precious');
  rmSync(join(path, 'dir'), { recursive: true });
  symlinkSync(elsewhere, join(path, 'dir'));
  await make('HEAD', first.manifest);
  expect(readFileSync(join(elsewhere, 'b.txt'), 'utf8')).toBe('precious');
  expect(picture(path)).toEqual(picture(bench.root));
});

test('a hard link to a file outside is cut, not filled', async () => {
  const first = await make('HEAD', null);
  const outside = join(bench.folder, 'outside.txt');
  writeFileSync(outside, 'precious');
  rmSync(join(path, 'a.txt'));
  linkSync(outside, join(path, 'a.txt'));
  await make('HEAD', first.manifest);
  expect(readFileSync(outside, 'utf8')).toBe('precious');
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('a');
});

test('the directory itself replaced by a link is made anew', async () => {
  await make('HEAD', null);
  rmSync(path, { recursive: true });
  symlinkSync(bench.root, path);
  await make('HEAD', null);
  expect(lstatSync(path).isDirectory()).toBe(true);
  expect(picture(path)).toEqual(picture(bench.root));
});

test('kept names stay when they are real directories and go when they are links', async () => {
  await make('HEAD', null);
  mkdirSync(join(path, 'node_modules/x'), { recursive: true });
  symlinkSync(bench.root, join(path, '.venv'));
  await make('HEAD', null, ['node_modules', '.venv']);
  expect(lstatSync(join(path, 'node_modules/x')).isDirectory()).toBe(true);
  expect(lstatSync(join(path, '.venv'), { throwIfNoEntry: false })).toBeUndefined();
});

test('a manifest survives being written and read, and a damaged one is none', async () => {
  const { manifest } = await make('HEAD', null);
  const file = join(bench.folder, 'manifest.json');
  await saveManifest(bench.platform, file, manifest);
  expect(await loadManifest(bench.platform, file)).toEqual(manifest);
  for (const text of [
    '',
    '{',
    '[]',
    '{"schema_version":1}',
    JSON.stringify({ schema_version: 1, tree: 't', taken_at_ns: '1', entries: { a: ['x'] } }),
  ]) {
    writeFileSync(file, text);
    expect(await loadManifest(bench.platform, file)).toBeNull();
  }
});
