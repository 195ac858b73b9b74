import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitState, openHome, restoreStash, stashChanges, treeOf } from './home.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

test('home is found from a subdirectory, before and after the first commit', async () => {
  mkdirSync(join(bench.root, 'sub'));
  const fresh = await openHome(bench.platform, join(bench.root, 'sub'));
  expect(fresh).toEqual({
    root: bench.root,
    gitDir: join(bench.root, '.git'),
    commonDir: join(bench.root, '.git'),
    branch: 'main',
    head: null,
  });
  expect((await gitState(bench.platform, fresh)).noCommits).toBe(true);
  const head = bench.commit();
  expect((await bench.home()).head).toBe(head);
});

test('a linked worktree has a git directory of its own and shares the common one', async () => {
  bench.commit();
  const linked = join(bench.folder, 'linked');
  bench.git('worktree', 'add', '-q', '-b', 'side', linked);
  const home = await openHome(bench.platform, linked);
  expect(home).toMatchObject({
    root: linked,
    gitDir: join(bench.root, '.git/worktrees/linked'),
    commonDir: join(bench.root, '.git'),
    branch: 'side',
  });
});

test('outside a repository, in a missing directory and in a bare one the message says what to do', async () => {
  await expect(openHome(bench.platform, bench.folder)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('not the working tree of a git repository'),
  });
  await expect(openHome(bench.platform, join(bench.folder, 'missing'))).rejects.toMatchObject({ exitCode: 2 });
  bench.gitIn(bench.folder, 'init', '-q', '--bare', 'bare.git');
  await expect(openHome(bench.platform, join(bench.folder, 'bare.git'))).rejects.toMatchObject({ exitCode: 2 });
});

test('modified, staged and deleted tracked files are dirty; untracked files and harness state are not', async () => {
  bench.write({ 'a b.txt': '1', 'new\nline': '2', 'c.txt': '3', '.harness/x': '4' });
  bench.git('add', '-f', '.');
  bench.git('commit', '-q', '-m', 'x');
  bench.write({ 'a b.txt': 'changed', 'new\nline': 'changed', '.harness/x': 'changed', untracked: 'u' });
  bench.git('rm', '-q', 'c.txt');
  const state = await gitState(bench.platform, await bench.home());
  expect(state.dirty.sort()).toEqual(['a b.txt', 'c.txt', 'new\nline']);
  expect(state).toMatchObject({ detached: false, operation: null, unmerged: [] });
});

test('a detached head and an unfinished merge with conflicts are seen', async () => {
  bench.write({ 'a.txt': '1' });
  bench.commit();
  bench.git('switch', '-q', '-c', 'side');
  bench.write({ 'a.txt': '2' });
  bench.commit();
  bench.git('switch', '-q', 'main');
  bench.write({ 'a.txt': '3' });
  bench.commit();
  expect(() => bench.git('merge', '-q', 'side')).toThrow();
  expect(await gitState(bench.platform, await bench.home())).toMatchObject({ operation: 'merge', unmerged: ['a.txt'], dirty: ['a.txt'] });
  bench.git('merge', '--abort');
  bench.git('switch', '-q', '--detach');
  expect(await gitState(bench.platform, await bench.home())).toMatchObject({ detached: true, branch: null, operation: null });
});

test('stashed changes come back with their staging, and stay on the list when they no longer fit', async () => {
  bench.write({ 'a.txt': '1', 'b.txt': '1' });
  bench.commit();
  const home = await bench.home();
  expect(await stashChanges(bench.platform, home, 'nothing')).toBeNull();
  bench.write({ 'a.txt': '2', 'b.txt': '2', 'u.txt': 'u' });
  bench.git('add', 'a.txt');
  const first = await stashChanges(bench.platform, home, 'harness');
  expect(bench.git('status', '--porcelain')).toBe('?? u.txt');
  expect(await restoreStash(bench.platform, home, first!)).toEqual({ restored: true, detail: '' });
  expect(bench.git('status', '--porcelain')).toBe('M  a.txt\n M b.txt\n?? u.txt');
  const second = await stashChanges(bench.platform, home, 'harness');
  bench.write({ 'a.txt': 'other' });
  bench.git('commit', '-q', '-am', 'other');
  expect((await restoreStash(bench.platform, home, second!)).restored).toBe(false);
  expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('other');
  expect(bench.git('stash', 'list')).toContain('harness');
});

test('a revision that does not exist is named', async () => {
  bench.commit();
  const home = await bench.home();
  expect(await treeOf(bench.platform, home, 'HEAD')).toBe(bench.git('rev-parse', 'HEAD^{tree}'));
  await expect(treeOf(bench.platform, home, '--nonsense')).rejects.toThrow(/"--nonsense"/);
});

test("the user's hooks and fsmonitor do not run when home is looked at", async () => {
  bench.commit();
  const mark = join(bench.folder, 'ran');
  bench.git('config', 'core.fsmonitor', `touch ${mark}`);
  writeFileSync(join(bench.root, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  await gitState(bench.platform, await bench.home());
  expect(() => readFileSync(mark)).toThrow();
});

test('a plain repository is told by its files as git tells it; where settings or owners are others, git says so', async () => {
  bench.commit();
  const asked: string[][] = [];
  const { processes } = bench.platform;
  const platform = {
    ...bench.platform,
    processes: { ...processes, run: (spec: Parameters<typeof processes.run>[0]) => (asked.push([...spec.args]), processes.run(spec)) },
  };
  const open = async (): Promise<string[]> => {
    asked.length = 0;
    const { root, gitDir, commonDir } = await openHome(platform, bench.root);
    expect(asked.length === 0 ? 'files' : 'git', JSON.stringify(asked)).toBe(wanted);
    return [root, gitDir, commonDir];
  };
  let wanted = 'files';
  const plain = await open();
  expect(plain).toEqual(bench.git('rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir').split('\n'));
  wanted = 'git';
  const config = readFileSync(join(bench.root, '.git/config'), 'utf8');
  for (const more of ['[core]\n\tworktree = ..\n', '[include]\n\tpath = other\n', '[extensions]\n\tnoop = true\n', '[core]\n\tbare\n']) {
    writeFileSync(join(bench.root, '.git/config'), config + more);
    if (more.includes('bare')) await expect(openHome(platform, bench.root)).rejects.toMatchObject({ exitCode: 2 });
    else expect(await open()).toEqual(plain);
  }
  writeFileSync(join(bench.root, '.git/config'), config);
  await expect(openHome({ ...platform, env: { ...platform.env, PATH: bench.folder } }, bench.root)).rejects.toMatchObject({ exitCode: 2 });
});

test.runIf(process.getuid?.() === 0)('a repository of somebody else is not taken for one of this user', async () => {
  bench.commit();
  chownSync(join(bench.root, '.git'), 12_345, 12_345);
  await expect(openHome(bench.platform, bench.root)).rejects.toMatchObject({ exitCode: 2 });
});
