import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareWorkspace, reopenWorkspace, type AgentCopy } from './agent-copy.ts';
import { captureWorkspace } from './capture.ts';
import { createBench, landCommit, picture, type Bench } from './test-support.ts';

let bench: Bench;

beforeEach(() => {
  bench = createBench();
  bench.write({ 'a.txt': 'one', 'dir/run.sh': { run: '#!/bin/sh\n' }, 'crlf.txt': 'a\r\nb\r\n' });
  bench.commit('first');
  bench.write({ 'a.txt': 'two' });
  bench.commit('second');
});
afterEach(() => bench.dispose());

async function prepare(options: { tree?: string; base?: string; lane?: string } = {}): Promise<AgentCopy> {
  const home = await bench.home();
  const base = options.base ?? home.head!;
  return prepareWorkspace(bench.platform, {
    home,
    harnessHome: bench.harnessHome,
    base,
    tree: options.tree ?? bench.git('rev-parse', `${base}^{tree}`),
    ...(options.lane === undefined ? {} : { lane: options.lane }),
  });
}

test('the copy lies outside home and holds the same files with a clean status', async () => {
  const copy = await prepare();
  expect(copy.path.startsWith(join(bench.harnessHome, 'work', 'project-'))).toBe(true);
  expect(picture(copy.path)).toEqual(picture(bench.root));
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
  expect(bench.gitIn(copy.path, 'diff-files', '--name-only')).toBe('');
});

test('git knows the copy from its index, links and odd names included, before it has looked at a file', async () => {
  bench.write({
    'läng ☃\n': 'x',
    'a-b/c': 'c',
    'a/b': 'b',
    'a.b': 'd',
    link: { link: 'a.txt' },
    [`long/${'n'.repeat(200)}`]: 'n',
    empty: '',
  });
  bench.commit('third');
  const copy = await prepare();
  expect(bench.gitIn(copy.path, 'diff-files', '--name-only')).toBe('');
  expect(bench.gitIn(copy.path, 'ls-files', '-s', '-z').replaceAll(' 0\t', '\t')).toBe(
    bench.git('ls-tree', '-r', '-z', 'HEAD').replaceAll(/ (blob|commit) /g, ' '),
  );
  writeFileSync(join(copy.path, 'a.txt'), 'TWO');
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe(' M a.txt');
  bench.gitIn(copy.path, 'commit', '-qam', 'by the agent');
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
});

test('its git has the history of the base, an identity, the branch and nothing else', async () => {
  bench.git('branch', 'secret-branch');
  bench.git('tag', 'v1');
  bench.git('remote', 'add', 'origin', 'https://example.invalid/x.git');
  bench.git('config', 'http.extraHeader', 'Authorization: secret');
  const copy = await prepare();
  expect(bench.gitIn(copy.path, 'log', '--format=%s')).toBe('second\nfirst');
  expect(bench.gitIn(copy.path, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  expect(bench.gitIn(copy.path, 'remote')).toBe('');
  expect(readFileSync(join(copy.path, '.git/config'), 'utf8')).not.toContain('secret');
  expect(readdirSync(join(copy.path, '.git/hooks'))).toEqual([]);
  bench.write({ 'b.txt': 'b' }, copy.path);
  bench.gitIn(copy.path, 'add', '-A');
  bench.gitIn(copy.path, 'commit', '-q', '-m', 'by the agent');
  expect(bench.gitIn(copy.path, 'log', '-1', '--format=%s %an')).toBe('by the agent Harness Agent');
  expect(bench.gitIn(copy.path, 'fsck', '--no-dangling')).toBe('');
  expect(bench.git('log', '-1', '--format=%s')).toBe('second');
});

test('work in progress shows as uncommitted changes', async () => {
  const base = bench.git('rev-parse', 'HEAD');
  bench.write({ 'a.txt': 'three', 'new.txt': 'n' });
  bench.commit('wip');
  const tree = bench.git('rev-parse', 'HEAD^{tree}');
  bench.git('reset', '-q', '--hard', base);
  const copy = await prepare({ tree });
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe(' M a.txt\n?? new.txt');
});

test('a new session undoes everything the last agent did, its git directory included', async () => {
  const first = await prepare();
  rmSync(join(first.path, '.git'), { recursive: true });
  mkdirSync(join(first.path, '.git/hooks'), { recursive: true });
  bench.write({ '.git/hooks/post-checkout': { run: '#!/bin/sh\n' }, 'junk.txt': 'j', 'a.txt': 'broken', 'dir/x': 'x' }, first.path);
  const second = await prepare();
  expect(second.path).toBe(first.path);
  expect(picture(second.path)).toEqual(picture(bench.root));
  expect(readdirSync(join(second.path, '.git/hooks'))).toEqual([]);
  expect(bench.gitIn(second.path, 'status', '--porcelain')).toBe('');
});

test('a git directory or tree replaced by a link to home leaves home untouched', async () => {
  const first = await prepare();
  const before = picture(bench.root, []);
  rmSync(join(first.path, '.git'), { recursive: true });
  symlinkSync(join(bench.root, '.git'), join(first.path, '.git'));
  rmSync(join(first.path, 'dir'), { recursive: true });
  symlinkSync(bench.root, join(first.path, 'dir'));
  const second = await prepare();
  expect(lstatSync(join(second.path, '.git')).isSymbolicLink()).toBe(false);
  expect(picture(second.path)).toEqual(picture(bench.root));
  expect(picture(bench.root, [])).toEqual(before);
});

test('after a rollback the later commits cannot be found in the copy', async () => {
  const later = bench.git('rev-parse', 'HEAD');
  await prepare();
  bench.git('reset', '-q', '--hard', 'HEAD~1');
  const copy = await prepare();
  expect(() => bench.gitIn(copy.path, 'cat-file', '-e', later)).toThrow();
  expect(bench.gitIn(copy.path, 'log', '--format=%s')).toBe('first');
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
});

test('the next commit of home is fetched into the same copy', async () => {
  await prepare();
  bench.write({ 'b/c.txt': 'c' });
  bench.commit('third');
  const copy = await prepare();
  expect(bench.gitIn(copy.path, 'log', '--format=%s')).toBe('third\nsecond\nfirst');
  expect(picture(copy.path)).toEqual(picture(bench.root));
});

test('it works from a linked worktree and from a shallow clone', async () => {
  const linked = join(bench.folder, 'linked');
  bench.git('worktree', 'add', '-q', '-b', 'feature/x', linked);
  const shallow = join(bench.folder, 'shallow');
  bench.gitIn(bench.folder, 'clone', '-q', '--depth=1', `file://${bench.root}`, shallow);
  for (const [root, branch, log] of [
    [linked, 'feature/x', 'second\nfirst'],
    [shallow, 'main', 'second'],
  ] as const) {
    const { openHome } = await import('./home.ts');
    const home = await openHome(bench.platform, root);
    const copy = await prepareWorkspace(bench.platform, {
      home,
      harnessHome: bench.harnessHome,
      base: home.head!,
      tree: bench.gitIn(root, 'rev-parse', 'HEAD^{tree}'),
    });
    expect(bench.gitIn(copy.path, 'symbolic-ref', '--short', 'HEAD')).toBe(branch);
    expect(bench.gitIn(copy.path, 'log', '--format=%s')).toBe(log);
    expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
  }
});

test('a repository with SHA-256 ids is prepared, captured and landed on', async () => {
  rmSync(join(bench.root, '.git'), { recursive: true });
  bench.git('init', '-q', '-b', 'main', '--object-format=sha256');
  for (const [key, value] of [
    ['user.name', 'Person'],
    ['user.email', 'person@example.com'],
  ] as const)
    bench.git('config', key, value);
  const base = bench.commit('sha256');
  const copy = await prepare();
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
  rmSync(join(copy.path, 'crlf.txt'));
  const home = await bench.home();
  const captured = await captureWorkspace(bench.platform, {
    home,
    copy,
    baseTree: base,
    ref: 'refs/harness/candidates/1',
    message: 'candidate',
  });
  expect(captured.changed.map((change) => `${change.status} ${change.path}`)).toEqual(['deleted crlf.txt']);
  expect((await landCommit(bench.platform, { home, branch: 'main', base, tree: captured.tree, message: 'landed' })).kind).toBe('landed');
  expect(bench.git('status', '--porcelain')).toBe('');
});

test('history is bounded', async () => {
  for (let at = 0; at < 60; at++) bench.git('commit', '-q', '--allow-empty', '-m', `empty ${at}`);
  const copy = await prepare();
  expect(bench.gitIn(copy.path, 'rev-list', '--count', 'HEAD')).toBe('50');
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
});

test('a repository that lacks something of its past, as partial clones do, is copied without its past', async () => {
  bench.write({ 'once.txt': 'only then\n' });
  bench.commit();
  const lost = bench.git('rev-parse', 'HEAD:once.txt');
  rmSync(join(bench.root, 'once.txt'));
  bench.commit();
  rmSync(join(bench.root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  const copy = await prepare();
  expect(bench.gitIn(copy.path, 'rev-list', '--count', 'HEAD')).toBe('1');
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
  bench.git('commit', '-q', '--allow-empty', '-m', 'one more');
  expect(bench.gitIn((await prepare()).path, 'status', '--porcelain')).toBe('');
});

test('lanes have copies of their own, and a copy can be reopened while it is there', async () => {
  const [one, two] = [await prepare({ lane: 'one' }), await prepare({ lane: 'two' })];
  expect(one.path).not.toBe(two.path);
  const home = await bench.home();
  const reopened = await reopenWorkspace(bench.platform, { home, harnessHome: bench.harnessHome, lane: 'one' });
  expect(reopened?.path).toBe(one.path);
  expect(reopened?.held.manifest?.entries.size).toBe(3);
  rmSync(one.path, { recursive: true });
  expect(await reopenWorkspace(bench.platform, { home, harnessHome: bench.harnessHome, lane: 'one' })).toBeNull();
});

test('a harness home inside the project is refused', async () => {
  const home = await bench.home();
  await expect(
    prepareWorkspace(bench.platform, { home, harnessHome: join(bench.root, '.harness/home'), base: home.head!, tree: 'HEAD' }),
  ).rejects.toThrow(/HARNESS_HOME .* lies inside the project/);
});

test("the user's global hooks and signing do not reach the agent's commits", async () => {
  mkdirSync(join(bench.folder, 'hooks'));
  bench.write({ 'pre-commit': { run: '#!/bin/sh\nexit 1\n' } }, join(bench.folder, 'hooks'));
  writeFileSync(
    join(bench.folder, 'user/.gitconfig'),
    `[core]\n\thooksPath = ${join(bench.folder, 'hooks')}\n\tautocrlf = true\n[commit]\n\tgpgsign = true\n`,
  );
  const copy = await prepare();
  expect(bench.gitIn(copy.path, 'status', '--porcelain')).toBe('');
  bench.gitIn(copy.path, 'commit', '-q', '--allow-empty', '-m', 'fine');
  expect(bench.gitIn(copy.path, 'log', '-1', '--format=%s')).toBe('fine');
});
