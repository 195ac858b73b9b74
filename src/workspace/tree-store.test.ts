import { afterEach, beforeEach, expect, test } from 'vitest';
import { MANY_FILES } from '../domain/tree.ts';
import { createBench, pictureOfTree, type Bench } from './test-support.ts';
import { createTreeStore, type HomeTreeStore } from './tree-store.ts';
import { loadRefused, loadWip, saveWip } from './wip.ts';

let bench: Bench;
let store: HomeTreeStore;
let tree: string;

beforeEach(async () => {
  bench = createBench();
  bench.write({ 'a.txt': 'a\r\n', 'd/b': 'b', 'name\nwith "all" ☃': 'n', run: { run: 'r' }, link: { link: 'a.txt' }, empty: '' });
  bench.commit();
  store = createTreeStore(bench.platform, await bench.home());
  tree = bench.git('rev-parse', 'HEAD^{tree}');
});
afterEach(() => bench.dispose());

test('lists and reads exact names, modes and bytes', async () => {
  expect((await store.list(tree)).map((entry) => `${entry.mode} ${entry.path}`)).toEqual([
    '100644 a.txt',
    '100644 d/b',
    '100644 empty',
    '120000 link',
    '100644 name\nwith "all" ☃',
    '100755 run',
  ]);
  expect((await store.read(tree, 'a.txt'))?.toString()).toBe('a\r\n');
  expect((await store.read(tree, 'empty'))?.length).toBe(0);
  expect(await store.read(tree, 'd')).toBeNull();
});

test('reads many blobs, empty and repeated ones included', async () => {
  const got = new Map<string, string>();
  const entries = await store.list(tree);
  await store.readBlobs(
    [...entries, ...entries].map((entry) => entry.oid),
    async (oid, content) => void got.set(oid, content.toString()),
  );
  expect(entries.map((entry) => got.get(entry.oid))).toEqual(['a\r\n', 'b', '', 'a.txt', 'n', 'r']);
  await expect(store.readBlobs(['0'.repeat(40)], async () => undefined)).rejects.toThrow(/missing/);
});

test('composes a new tree without touching the old one, the index or the working tree', async () => {
  const status = bench.git('status', '--porcelain');
  const composed = await store.compose(tree, [
    { path: 'a.txt', kind: 'delete' },
    { path: 'a.txt/now/dir', kind: 'write', content: 'x' },
    { path: 'd', kind: 'write', content: Buffer.from([0, 1]), mode: '100755' },
    { path: 'copied', kind: 'entry', entry: (await store.list(tree)).find((entry) => entry.path === 'link')! },
    { path: '-x', kind: 'write', content: '' },
  ]);
  expect(Object.keys(pictureOfTree(bench, composed)).sort()).toEqual([
    '-x',
    'a.txt/now/dir',
    'copied',
    'd',
    'empty',
    'link',
    'name\nwith "all" ☃',
    'run',
  ]);
  expect(await store.compose(tree, [])).toBe(tree);
  expect(bench.git('status', '--porcelain')).toBe(status);
  await expect(store.compose(tree, [{ path: '.git/config', kind: 'write', content: 'x' }])).rejects.toThrow(/cannot be in a tree/);
});

test('tells added, modified and deleted files apart, modes and types included', async () => {
  const next = await store.compose(tree, [
    { path: 'run', kind: 'write', content: 'r' },
    { path: 'd/b', kind: 'delete' },
    { path: 'new', kind: 'write', content: 'n' },
    { path: 'link', kind: 'write', content: 'text' },
  ]);
  expect(
    (await store.diff(tree, next)).map((change) => `${change.status} ${change.path} ${change.from?.mode ?? '-'} ${change.to?.mode ?? '-'}`),
  ).toEqual(['deleted d/b 100644 -', 'modified link 120000 100644', 'added new - 100644', 'modified run 100755 100644']);
  expect(await store.diff(tree, tree)).toEqual([]);
  expect((await store.diff(await store.emptyTree(), tree)).every((change) => change.status === 'added')).toBe(true);
});

test('work in progress is kept, follows home where it fits, and is never lost where it does not', async () => {
  const home = await bench.home();
  const base = home.head!;
  expect(await loadWip(bench.platform, { home, feature: 7, head: base, notes: { trees: store, path: 'notes.txt' } })).toBeNull();
  const work = await store.compose(tree, [{ path: 'd/b', kind: 'write', content: 'work' }]);
  const saved = await saveWip(bench.platform, { home, feature: 7, tree: work, base, message: 'WIP: feature 7' });
  expect(await loadWip(bench.platform, { home, feature: 7, head: base, notes: { trees: store, path: 'notes.txt' } })).toMatchObject({
    state: 'current',
    start: work,
    ref: 'refs/harness/wip/7',
  });
  bench.write({ other: 'o' });
  const moved = bench.commit();
  const merged = await loadWip(bench.platform, { home, feature: 7, head: moved, notes: { trees: store, path: 'notes.txt' } });
  expect(merged?.state).toBe('merged');
  expect(pictureOfTree(bench, merged!.start)).toMatchObject({
    other: `file ${Buffer.from('o').toString('base64')}`,
    'd/b': `file ${Buffer.from('work').toString('base64')}`,
  });
  bench.write({ 'd/b': 'theirs' });
  const clash = bench.commit();
  const loaded = await loadWip(bench.platform, { home, feature: 7, head: clash, notes: { trees: store, path: 'notes.txt' } });
  expect(loaded).toMatchObject({ state: 'conflict', start: bench.git('rev-parse', 'HEAD^{tree}'), commit: saved.commit });
  expect(bench.git('rev-parse', saved.ref)).toBe(saved.commit);
  bench.git('update-ref', '-d', saved.ref);
  expect(await loadWip(bench.platform, { home, feature: 7, head: clash, notes: { trees: store, path: 'notes.txt' } })).toBeNull();
});

test('refused work is not thrown away because both sides appended notes', async () => {
  const home = await bench.home();
  const base = home.head!;
  const work = await store.compose(tree, [
    { path: 'd/b', kind: 'write', content: 'work' },
    { path: 'notes.txt', kind: 'write', content: 'SESSION 2\n- mine\n' },
  ]);
  bench.write({ 'notes.txt': 'SESSION 3\n- theirs\n' });
  const head = bench.commit();
  const start = await loadRefused(bench.platform, { home, notes: { trees: store, path: 'notes.txt' }, tree: work, base, head, edits: [] });
  expect((await store.read(start!, 'notes.txt'))?.toString()).toBe('SESSION 3\n- theirs\n\nSESSION 2\n- mine\n');
  expect((await store.read(start!, 'd/b'))?.toString()).toBe('work');
});

const isStored = (oid: string): boolean => bench.git('cat-file', '--batch-check', '--batch-all-objects').includes(oid);
const write = (path: string, content: string) => ({ path, kind: 'write' as const, content });

test('drafts are read like other trees, and leave nothing in the repository', async () => {
  const drafts = store.drafts!();
  const draft = await drafts.compose(tree, [write('d/new', 'new'), { path: 'a.txt', kind: 'delete' }]);
  const next = await drafts.compose(draft, [write('d/more', 'more')]);
  expect([isStored(draft), isStored(next)]).toEqual([false, false]);
  expect(await store.of(tree)).toBe(tree);
  for (const reader of [store, drafts, createTreeStore(bench.platform, await bench.home())]) {
    expect((await reader.list(next)).map(({ path }) => path)).toEqual([
      'd/b',
      'd/more',
      'd/new',
      'empty',
      'link',
      'name\nwith "all" ☃',
      'run',
    ]);
    expect((await reader.read(next, 'd/new'))?.toString()).toBe('new');
    expect((await reader.diff(draft, next)).map(({ path, status }) => [path, status])).toEqual([['d/more', 'added']]);
    const got: string[] = [];
    await reader.readBlobs!(
      (await reader.list(next)).map(({ oid }) => oid),
      async (_, content) => void got.push(content.toString()),
    );
    expect(got.toSorted()).toEqual(['', 'a.txt', 'b', 'more', 'n', 'new', 'r']);
  }
  drafts.drop();
  expect((await store.list(tree)).length).toBe(6);
});

test('what is written on top of a draft is there whole', async () => {
  const drafts = store.drafts!();
  const draft = await drafts.compose(tree, [write('x/y/z', 'deep')]);
  const kept = await store.compose(draft, [write('top', 'top')]);
  const blob = (await store.list(draft)).find(({ path }) => path === 'x/y/z')!;
  const other = await store.compose(tree, [{ path: 'taken', kind: 'entry', entry: blob }]);
  drafts.drop();
  expect(bench.git('ls-tree', '-r', '--name-only', kept).split('\n')).toContain('x/y/z');
  expect(bench.git('cat-file', '-p', `${kept}:x/y/z`)).toBe('deep');
  expect(bench.git('cat-file', '-p', `${other}:taken`)).toBe('deep');
  expect(bench.git('fsck', '--full', '--strict')).not.toMatch(/missing|broken/);
});

test('drafts of a project with many files, or of many bytes, are written as others are', async () => {
  const drafts = store.drafts!();
  const large = await drafts.compose(tree, [write('large', 'x'.repeat(17 * 1024 * 1024))]);
  expect(isStored(large)).toBe(true);
  const many = await store.compose(
    tree,
    Array.from({ length: MANY_FILES }, (_, at) => write(`many/${at}`, String(at % 7))),
  );
  expect(isStored(await drafts.compose(many, [write('many/more', 'more')]))).toBe(true);
});
