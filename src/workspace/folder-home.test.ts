import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TreeEdit } from '../domain/tree.ts';
import { openFolderHome } from './folder-home.ts';
import { treeOf, type Home } from './home.ts';
import { landInFolder } from './land-in-folder.ts';
import { createBench, picture, type Bench } from './test-support.ts';
import { createTreeStore } from './tree-store.ts';

let bench: Bench;
let root = '';

beforeEach(() => {
  bench = createBench();
  root = join(bench.folder, 'plain');
  mkdirSync(root);
  bench.write({ 'a.txt': 'one\n', 'docs/b.md': '# b\r\n', 'run.sh': { run: '#!/bin/sh\n' }, link: { link: 'a.txt' } }, root);
});
afterEach(() => bench.dispose());

const open = (): Promise<Home> => openFolderHome(bench.platform, root, bench.harnessHome);

async function pathsOf(home: Home): Promise<string[]> {
  return (await createTreeStore(bench.platform, home).list(await treeOf(bench.platform, home, home.head!))).map((entry) => entry.path);
}

async function edited(home: Home, edits: readonly TreeEdit[]): Promise<{ base: string; tree: string }> {
  const base = await treeOf(bench.platform, home, home.head!);
  return { base, tree: await createTreeStore(bench.platform, home).compose(base, edits) };
}

describe('a home outside git', () => {
  test('holds the folder as it is, byte for byte, and writes nothing into it', async () => {
    const before = picture(root);
    const home = await open();
    expect(await pathsOf(home)).toEqual(['a.txt', 'docs/b.md', 'link', 'run.sh']);
    const tree = await treeOf(bench.platform, home, home.head!);
    expect((await createTreeStore(bench.platform, home).read(tree, 'docs/b.md'))!.toString()).toBe('# b\r\n');
    expect(picture(root)).toEqual(before);
    expect(existsSync(join(root, '.git'))).toBe(false);
  });

  test('leaves out state, packages, environments and what the folder ignores', async () => {
    bench.write(
      {
        '.gitignore': '*.log\n/secret/\n',
        'sub/.gitignore': '!keep.log\nmine.txt\n',
        'x.log': '',
        'sub/keep.log': '',
        'sub/mine.txt': '',
        'secret/key': 'k',
        '.harness/state.json': '{}',
        'node_modules/p/index.js': '',
        'sub/node_modules/q/index.js': '',
        '.venv/bin/python': '',
        'pkg/__pycache__/m.pyc': '',
      },
      root,
    );
    expect(await pathsOf(await open())).toEqual(['.gitignore', 'a.txt', 'docs/b.md', 'link', 'run.sh', 'sub/.gitignore', 'sub/keep.log']);
  });

  test('moves on with the folder, and not without need', async () => {
    const first = await open();
    expect((await open()).head).toBe(first.head);
    writeFileSync(join(root, 'a.txt'), 'two\n');
    const second = await open();
    expect(second.head).not.toBe(first.head);
    expect(second.branch).toBe('main');
  });

  test('cannot be around the harness itself', async () => {
    await expect(openFolderHome(bench.platform, bench.folder, bench.harnessHome)).rejects.toThrow('lies inside the folder');
  });
});

describe('accepted work in a folder', () => {
  test('changes, adds, removes, and keeps what was there before', async () => {
    chmodSync(join(root, 'a.txt'), 0o600);
    const home = await open();
    const work = await edited(home, [
      { path: 'a.txt', kind: 'write', content: 'new\n' },
      { path: 'deep/er/c.txt', kind: 'write', content: 'c\n', mode: '100755' },
      { path: 'docs/b.md', kind: 'delete' },
    ]);
    writeFileSync(join(root, 'mine.txt'), 'of the user, meanwhile\n');
    const landed = await landInFolder(bench.platform, { home, root, ...work });
    expect(landed).toMatchObject({ kind: 'landed', changed: ['a.txt', 'deep/er/c.txt', 'docs/b.md'] });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('new\n');
    expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'deep/er/c.txt')).mode & 0o111).not.toBe(0);
    expect(existsSync(join(root, 'docs'))).toBe(false);
    expect(readFileSync(join(root, 'mine.txt'), 'utf8')).toBe('of the user, meanwhile\n');
    const saved = landed.kind === 'landed' ? landed.saved : '';
    expect(bench.gitIn(home.root, 'show', `${saved}:a.txt`)).toBe('one');
    expect(bench.gitIn(home.root, 'show', 'HEAD:a.txt')).toBe('new');
  });

  test('is refused by name, whole, when a file there is no longer what it was', async () => {
    const home = await open();
    const work = await edited(home, [
      { path: 'a.txt', kind: 'write', content: 'new\n' },
      { path: 'docs/b.md', kind: 'delete' },
      { path: 'fresh.txt', kind: 'write', content: 'x' },
      { path: 'other.txt', kind: 'write', content: 'x' },
    ]);
    writeFileSync(join(root, 'docs/b.md'), 'edited by the user');
    writeFileSync(join(root, 'fresh.txt'), 'of the user');
    const before = picture(root);
    expect(await landInFolder(bench.platform, { home, root, ...work })).toMatchObject({
      kind: 'conflict',
      paths: ['docs/b.md', 'fresh.txt'],
    });
    expect(picture(root)).toEqual(before);
  });

  test('never goes through a link out of the folder', async () => {
    const outside = join(bench.folder, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'b.md'), '# b\r\n');
    const home = await open();
    const work = await edited(home, [
      { path: 'docs/b.md', kind: 'write', content: 'changed' },
      { path: 'docs/c.md', kind: 'write', content: 'added' },
    ]);
    rmSync(join(root, 'docs'), { recursive: true });
    symlinkSync(outside, join(root, 'docs'));
    const refused = await landInFolder(bench.platform, { home, root, ...work });
    expect(refused).toMatchObject({ kind: 'conflict', paths: ['docs/b.md', 'docs/c.md'] });
    expect(readFileSync(join(outside, 'b.md'), 'utf8')).toBe('# b\r\n');
    expect(existsSync(join(outside, 'c.md'))).toBe(false);
  });

  test('makes no link that leaves the folder and touches nothing of the harness there', async () => {
    const home = await open();
    const store = createTreeStore(bench.platform, home);
    const escape = { path: 'way-out', mode: '120000', oid: await store.writeBlob('/etc/passwd') };
    const inside = { path: 'docs/near', mode: '120000', oid: await store.writeBlob('../a.txt') };
    const bad = await edited(home, [
      { path: 'way-out', kind: 'entry', entry: escape },
      { path: '.harness/state.json', kind: 'write', content: '{}' },
    ]);
    expect(await landInFolder(bench.platform, { home, root, ...bad })).toMatchObject({
      kind: 'conflict',
      paths: ['.harness/state.json', 'way-out'],
    });
    const good = await edited(home, [{ path: 'docs/near', kind: 'entry', entry: inside }]);
    expect(await landInFolder(bench.platform, { home, root, ...good })).toMatchObject({ kind: 'landed' });
    expect(lstatSync(join(root, 'docs/near')).isSymbolicLink()).toBe(true);
  });

  test('goes on where a landing was cut off', async () => {
    const home = await open();
    const work = await edited(home, [
      { path: 'a.txt', kind: 'write', content: 'new\n' },
      { path: 'docs/b.md', kind: 'delete' },
      { path: 'z.txt', kind: 'write', content: 'z\n' },
    ]);
    writeFileSync(join(root, 'a.txt'), 'new\n');
    rmSync(join(root, 'docs'), { recursive: true });
    expect(await landInFolder(bench.platform, { home, root, ...work })).toMatchObject({ kind: 'landed' });
    expect(readFileSync(join(root, 'z.txt'), 'utf8')).toBe('z\n');
  });

  test('lets a directory take the place of a file and a file that of a directory', async () => {
    const home = await open();
    const work = await edited(home, [
      { path: 'a.txt', kind: 'delete' },
      { path: 'a.txt/inner', kind: 'write', content: 'i' },
      { path: 'docs/b.md', kind: 'delete' },
      { path: 'docs', kind: 'write', content: 'd' },
      { path: 'link', kind: 'write', content: 'no link any more' },
    ]);
    expect(await landInFolder(bench.platform, { home, root, ...work })).toMatchObject({ kind: 'landed' });
    expect(readFileSync(join(root, 'a.txt/inner'), 'utf8')).toBe('i');
    expect(readFileSync(join(root, 'docs'), 'utf8')).toBe('d');
    expect(lstatSync(join(root, 'link')).isFile()).toBe(true);
  });
});
