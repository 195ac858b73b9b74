import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitFiles } from './commit-files.ts';
import { withTrailers } from './commit.ts';
import { finishLanding, makeCommit, type LandResult } from './land.ts';
import { createBench, landCommit, picture, type Bench } from './test-support.ts';
import { createTreeStore } from './tree-store.ts';

let bench: Bench;
let base: string;

beforeEach(() => {
  bench = createBench();
  bench.write({ 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c', '.gitignore': '*.secret\nnode_modules/\n' });
  base = bench.commit('base');
});
afterEach(() => bench.dispose());

async function treeWith(files: Record<string, string>, gone: string[] = []): Promise<string> {
  const store = createTreeStore(bench.platform, await bench.home());
  return store.compose(`${base}^{tree}`, [
    ...gone.map((path) => ({ path, kind: 'delete' as const })),
    ...Object.entries(files).map(([path, content]) => ({ path, kind: 'write' as const, content })),
  ]);
}

async function land(tree: string, branch = 'main'): Promise<LandResult> {
  return landCommit(bench.platform, {
    home: await bench.home(),
    branch,
    base,
    tree,
    message: withTrailers('Feature 1', { 'Harness-Session': 1, 'Harness-Feature': 1 }),
  });
}

describe('landing', () => {
  test('branch, index and working tree follow, with the identity of the user and readable trailers', async () => {
    const tree = await treeWith({ 'a.txt': 'A', 'new/n.txt': 'n' }, ['dir/c.txt']);
    const result = await land(tree);
    expect(result).toEqual({ kind: 'landed', commit: bench.git('rev-parse', 'HEAD') });
    expect(bench.git('rev-parse', 'HEAD^{tree}')).toBe(tree);
    expect(bench.git('rev-parse', 'HEAD^')).toBe(base);
    expect(bench.git('status', '--porcelain')).toBe('');
    expect(bench.git('log', '-1', '--format=%an <%ae>|%(trailers:key=Harness-Session,valueonly)').trim()).toBe(
      'Person <person@example.com>|1',
    );
    expect(Object.keys(picture(bench.root))).toEqual(['.gitignore', 'a.txt', 'b.txt', 'new/n.txt']);
  });

  test('what the user staged, changed, ignored, stashed or left untracked elsewhere stays byte for byte', async () => {
    bench.write({ 'dir/c.txt': 'stash me' });
    bench.git('stash', 'push', '-q');
    bench.write({ 'b.txt': 'staged' });
    bench.git('add', 'b.txt');
    bench.write({
      'b.txt': 'staged and changed',
      'untracked.txt': 'u',
      'k.secret': 's',
      'node_modules/x/i.js': 'x',
      'staged-new.txt': 'sn',
    });
    bench.git('add', 'staged-new.txt');
    const before = picture(bench.root);
    expect((await land(await treeWith({ 'a.txt': 'A' }))).kind).toBe('landed');
    expect(picture(bench.root)).toEqual({ ...before, 'a.txt': `file ${Buffer.from('A').toString('base64')}` });
    expect(bench.git('status', '--porcelain')).toBe('MM b.txt\nA  staged-new.txt\n?? untracked.txt');
    expect(bench.git('stash', 'list').split('\n')).toHaveLength(1);
  });

  test('a branch that moved is left alone', async () => {
    const tree = await treeWith({ 'a.txt': 'A' });
    bench.write({ 'b.txt': 'B' });
    const head = bench.commit('meanwhile');
    const before = picture(bench.root);
    expect(await land(tree)).toEqual({ kind: 'moved', head });
    expect(picture(bench.root)).toEqual(before);
    expect(bench.git('rev-parse', 'HEAD')).toBe(head);
  });

  test.each([
    ['a modified file', { 'a.txt': 'mine' }, { 'a.txt': 'A' }, 'a.txt'],
    ['an untracked file', { 'n.txt': 'mine' }, { 'n.txt': 'theirs' }, 'n.txt'],
    ['an ignored file', { 'k.secret': 'mine' }, { 'k.secret': 'theirs' }, 'k.secret'],
    ['an untracked file where a directory has to be', { new: 'mine' }, { 'new/x': 'x' }, 'new'],
    ['an untracked directory where a file has to be', { 'new/x': 'mine' }, { new: 'x' }, 'new/x'],
    ['an ignored file in a directory that becomes a file', { 'dir/k.secret': 'mine' }, { dir: 'x' }, 'dir/k.secret'],
  ])('%s in the way is a conflict, and nothing changes', async (_, mine, theirs, path) => {
    bench.write(mine);
    const before = picture(bench.root);
    const status = bench.git('status', '--porcelain');
    const gone = 'dir' in theirs ? ['dir/c.txt'] : [];
    const result = await land(await treeWith(theirs as Record<string, string>, gone));
    expect(result.kind).toBe('conflict');
    expect(result.kind === 'conflict' && result.paths).toEqual([path]);
    expect(picture(bench.root)).toEqual(before);
    expect(bench.git('status', '--porcelain')).toBe(status);
    expect(bench.git('rev-parse', 'HEAD')).toBe(base);
  });

  test('a link in place of a directory is never written through', async () => {
    const elsewhere = join(bench.folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(bench.root, 'new'));
    expect((await land(await treeWith({ 'new/x': 'x' }))).kind).toBe('conflict');
    expect(Object.keys(picture(elsewhere))).toEqual([]);
  });

  test('an untracked file with the very same content is no conflict', async () => {
    bench.write({ 'n.txt': 'same' });
    expect((await land(await treeWith({ 'n.txt': 'same' }))).kind).toBe('landed');
    expect(bench.git('status', '--porcelain')).toBe('');
  });

  test('an interrupted landing is finished wherever it stopped, and finishing twice changes nothing', async () => {
    const home = await bench.home();
    const tree = await treeWith({ 'a.txt': 'A', 'n.txt': 'n', 'b.txt': 'B' }, ['dir/c.txt']);
    const stops: (() => void)[] = [
      () => undefined,
      () => bench.git('update-ref', 'refs/heads/main', commit, base),
      () => {
        bench.git('update-ref', 'refs/heads/main', commit, base);
        writeFileSync(join(bench.root, 'a.txt'), 'A');
        writeFileSync(join(bench.root, 'n.txt'), 'n');
        rmSync(join(bench.root, 'dir/c.txt'));
      },
    ];
    const commit = await makeCommit(bench.platform, { home, base, tree, message: 'm' });
    for (const stop of stops) {
      bench.git('reset', '-q', '--hard', base);
      stop();
      for (let times = 0; times < 2; times++) {
        expect(await finishLanding(bench.platform, { home, branch: 'main', base, commit })).toEqual({ kind: 'landed', commit });
        expect(bench.git('status', '--porcelain')).toBe('');
        expect(bench.git('rev-parse', 'HEAD')).toBe(commit);
        expect(readFileSync(join(bench.root, 'b.txt'), 'utf8')).toBe('B');
      }
    }
  });

  test('a landing that was cut off has landed also where others have gone on from it', async () => {
    const home = await bench.home();
    const tree = await treeWith({ 'a.txt': 'A', 'new.txt': 'n' });
    const commit = await makeCommit(bench.platform, { home, base, tree, message: 'Feature 1' });
    const finish = (): Promise<LandResult> => finishLanding(bench.platform, { home, branch: 'main', base, commit });
    const store = createTreeStore(bench.platform, home);
    bench.git('update-ref', 'refs/heads/main', commit);
    const other = await store.compose(tree, [{ path: 'other.txt', kind: 'write', content: 'o' }]);
    expect(await landCommit(bench.platform, { home, branch: 'main', base: commit, tree: other, message: 'Feature 2' })).toMatchObject({
      kind: 'landed',
    });
    expect(await finish()).toEqual({ kind: 'landed', commit });
    expect(bench.git('status', '--porcelain')).toBe('');
    expect(bench.git('rev-parse', 'HEAD^')).toBe(commit);
    bench.write({ 'a.txt': 'by a person' });
    bench.git('rm', '-q', '--cached', 'new.txt');
    rmSync(join(bench.root, 'new.txt'));
    const last = bench.commit('By a person');
    expect(await finish()).toEqual({ kind: 'landed', commit });
    expect([bench.git('rev-parse', 'HEAD'), bench.git('status', '--porcelain')]).toEqual([last, '']);
    bench.git('reset', '-q', '--hard', base);
    bench.write({ 'else.txt': 'e' });
    bench.commit('Elsewhere');
    expect(await finish()).toMatchObject({ kind: 'moved' });
  });

  test('a branch that is not checked out moves without touching the working tree', async () => {
    bench.git('switch', '-q', '-c', 'other');
    const before = picture(bench.root);
    const result = await land(await treeWith({ 'a.txt': 'A' }));
    expect(result.kind).toBe('landed');
    expect(bench.git('show', 'main:a.txt')).toBe('A');
    expect(picture(bench.root)).toEqual(before);
    expect(bench.git('status', '--porcelain')).toBe('');
  });

  test('a branch checked out in another worktree is a conflict', async () => {
    bench.git('switch', '-q', '-c', 'other');
    bench.git('worktree', 'add', '-q', join(bench.folder, 'linked'), 'main');
    expect((await land(await treeWith({ 'a.txt': 'A' }))).kind).toBe('conflict');
  });

  test('without an identity of the user nothing lands', async () => {
    bench.git('config', '--unset', 'user.name');
    await expect(land(await treeWith({ 'a.txt': 'A' }))).rejects.toMatchObject({ exitCode: 6, reasons: ['git.identity'] });
    bench.git('config', 'author.name', 'A');
    bench.git('config', 'committer.name', 'C');
    await land(await treeWith({ 'a.txt': 'A' }));
    expect(bench.git('log', '-1', '--format=%an %cn')).toBe('A C');
    bench.git('config', '--unset', 'user.email');
    await expect(land(await treeWith({ 'a.txt': 'B' }))).rejects.toThrow('no commit can be made');
  });

  test('signing is honoured: where it cannot be done, nothing lands', async () => {
    bench.git('config', 'commit.gpgsign', 'true');
    bench.git('config', 'gpg.program', '/bin/false');
    await expect(land(await treeWith({ 'a.txt': 'A' }))).rejects.toThrow(/could not be signed/);
    expect(bench.git('rev-parse', 'HEAD')).toBe(base);
  });
});

describe('committing named files', () => {
  test('only they are in the commit, and everything else staged or changed stays', async () => {
    bench.write({ 'b.txt': 'staged', 'features.json': '{}\n', 'u.txt': 'u' });
    bench.git('add', 'b.txt');
    const result = await commitFiles(bench.platform, await bench.home(), {
      files: [{ path: 'features.json' }, { path: 'init.sh', content: '#!/bin/sh\n', executable: true }],
      message: 'list',
    });
    expect(result).toEqual({ kind: 'committed', commit: bench.git('rev-parse', 'HEAD') });
    expect(bench.git('show', '--format=', '--name-only', 'HEAD').split('\n').sort()).toEqual(['features.json', 'init.sh']);
    expect(bench.git('ls-files', '-s', 'init.sh').slice(0, 6)).toBe('100755');
    expect(bench.git('status', '--porcelain')).toBe('M  b.txt\n?? u.txt');
  });

  test('nothing to commit is no commit', async () => {
    expect(await commitFiles(bench.platform, await bench.home(), { files: [{ path: 'a.txt', content: 'a' }], message: 'none' })).toEqual({
      kind: 'unchanged',
      head: base,
    });
    expect(bench.git('rev-parse', 'HEAD')).toBe(base);
  });

  test('it makes the first commit of a repository', async () => {
    const fresh = createBench();
    try {
      const result = await commitFiles(fresh.platform, await fresh.home(), {
        files: [{ path: 'x y.txt', content: 'x' }],
        message: 'first',
      });
      expect(result.kind).toBe('committed');
      expect(fresh.git('log', '--format=%s')).toBe('first');
      expect(fresh.git('status', '--porcelain')).toBe('');
    } finally {
      fresh.dispose();
    }
  });

  test('a deleted file is committed as deleted, and a path outside is refused', async () => {
    rmSync(join(bench.root, 'a.txt'));
    expect((await commitFiles(bench.platform, await bench.home(), { files: [{ path: 'a.txt' }], message: 'gone' })).kind).toBe('committed');
    expect(bench.git('status', '--porcelain')).toBe('');
    await expect(
      commitFiles(bench.platform, await bench.home(), { files: [{ path: '../x', content: 'x' }], message: 'bad' }),
    ).rejects.toThrow(/not a path inside/);
  });
});
