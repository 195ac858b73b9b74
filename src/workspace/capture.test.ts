import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Capture } from '../domain/tree.ts';
import { prepareWorkspace, type AgentCopy } from './agent-copy.ts';
import { captureWorkspace } from './capture.ts';
import { NOTHING_HELD } from './held-copy.ts';
import { createBench, picture, pictureOfTree, type Bench } from './test-support.ts';

let bench: Bench;
let copy: AgentCopy;

beforeEach(async () => {
  bench = createBench();
});
afterEach(() => bench.dispose());

async function start(files: Parameters<Bench['write']>[0]): Promise<void> {
  bench.write(files);
  const base = bench.commit();
  const home = await bench.home();
  copy = await prepareWorkspace(bench.platform, {
    home,
    harnessHome: bench.harnessHome,
    base,
    tree: bench.git('rev-parse', 'HEAD^{tree}'),
  });
}

async function capture(): Promise<Capture> {
  return captureWorkspace(bench.platform, {
    home: await bench.home(),
    copy,
    baseTree: 'HEAD',
    ref: 'refs/harness/candidates/1',
    message: 'candidate',
  });
}

const kinds = (result: Capture): string[] => result.findings.map((finding) => `${finding.kind} ${finding.path}`).sort();

describe('capturing a workspace', () => {
  test('an untouched copy gives the base tree itself', async () => {
    await start({ 'a.txt': 'a', 'bin/run': { run: '#!/bin/sh\n' }, link: { link: 'a.txt' }, empty: '' });
    const result = await capture();
    expect(result.tree).toBe(bench.git('rev-parse', 'HEAD^{tree}'));
    expect(result.changed).toEqual([]);
    expect(result.findings).toEqual([]);
    expect(bench.git('rev-parse', 'refs/harness/candidates/1^{tree}')).toBe(result.tree);
  });

  test('the captured tree equals an independent walk over unusual names, modes, links and bytes', async () => {
    await start({
      'keep.txt': 'same',
      'dir/old.txt': 'old',
      'was-file': 'x',
      'was-dir/inner': 'y',
      'script.sh': 'echo',
      'to-link': 'text',
    });
    const at = copy.path;
    rmSync(join(at, 'was-file'));
    rmSync(join(at, 'was-dir'), { recursive: true });
    rmSync(join(at, 'to-link'));
    bench.write(
      {
        'with space.txt': '1',
        'new\nline': '2',
        'tab\there': '3',
        '-dash': '4',
        '"quoted"': '5',
        'ünï/côde ☃': '6',
        'back\\slash': '7',
        ':colon': '8',
        '*star?': '9',
        "it's": '10',
        ' leading': '11',
        'trailing ': '12',
        '#hash': '13',
        '!bang': '14',
        'was-file/now-dir': '15',
        'was-dir': 'now file',
        'to-link': { link: 'keep.txt' },
        'inner-link': { link: './dir/../keep.txt' },
        'bin/x': { run: 'x' },
        empty: '',
        'binary.bin': new Uint8Array([0, 255, 13, 10, 0]),
        'crlf.txt': 'a\r\nb\r\n',
        '.gitattributes': '* text=auto eol=crlf filter=evil ident\n',
        'ident.c': '$Id$\n',
        __proto__: 'p',
        'a/b/c/d/e/f/g': 'deep',
        '.gitmodules': '[submodule "x"]\n',
        '.dot/..double': 'd',
        '~': 'tilde',
        $HOME: 'dollar',
      },
      at,
    );
    chmodSync(join(at, 'script.sh'), 0o755);
    const result = await capture();
    expect(result.findings).toEqual([]);
    expect(pictureOfTree(bench, result.tree)).toEqual(picture(at, ['.git', 'node_modules']));
    expect(result.changed.find((change) => change.path === 'dir/old.txt')).toBeUndefined();
    expect(result.changed.find((change) => change.path === 'was-file')?.status).toBe('deleted');
  });

  test('home itself can be captured where the agent works in place', async () => {
    bench.write({ 'a.txt': 'a', '.gitignore': '*.env\n' });
    bench.commit();
    bench.write({ 'a.txt': 'b', 'new.txt': 'n', 'k.env': 'secret', '.harness/state': 's' });
    const home = await bench.home();
    const result = await captureWorkspace(bench.platform, {
      home,
      copy: { path: bench.root, held: NOTHING_HELD },
      baseTree: 'HEAD',
      ref: 'refs/harness/candidates/2',
      message: 'in place',
    });
    expect(result.changed.map((change) => `${change.status} ${change.path}`)).toEqual(['modified a.txt', 'added new.txt']);
    expect(bench.git('status', '--porcelain').split('\n')[0]).toBe(' M a.txt');
  });

  test('a change that keeps size and modification time is seen', async () => {
    await start({ 'a.txt': 'aaaa' });
    writeFileSync(join(copy.path, 'a.txt'), 'bbbb');
    execFileSync('touch', ['-d', '2001-01-01T00:00:00Z', join(copy.path, 'a.txt')]);
    const before = copy.held.manifest!.entries.get('a.txt')!;
    execFileSync('touch', [
      '-d',
      `@${Number(BigInt(before[5]) / 1_000_000_000n)}.${String(BigInt(before[5]) % 1_000_000_000n).padStart(9, '0')}`,
      join(copy.path, 'a.txt'),
    ]);
    expect((await capture()).changed.map((change) => change.path)).toEqual(['a.txt']);
  });

  test('a change in the same instant as the hand-over is seen', async () => {
    await start({ 'a.txt': 'aaaa' });
    writeFileSync(join(copy.path, 'a.txt'), 'bbbb');
    expect((await capture()).changed.map((change) => change.path)).toEqual(['a.txt']);
  });

  test('ignore rules come from the trusted tree, and tracked files are captured even where they are ignored', async () => {
    await start({
      '.gitignore': 'build/\n*.log\n!keep.log\n/data/*\n!/data/wanted\n',
      'sub/.gitignore': 'secret\n',
      'build/seed.js': 'seed',
    });
    bench.git('add', '-f', 'build/seed.js');
    await start({ 'build/seed.js': 'seed' });
    bench.write(
      {
        'build/seed.js': 'changed',
        'build/out.js': 'o',
        'x.log': 'l',
        'keep.log': 'k',
        'data/junk': 'j',
        'data/wanted': 'w',
        'sub/secret': 's',
        'sub/open': 'o',
        'src/build/deep': 'd',
        'evil.ts': 'e',
        '.gitignore': 'evil.ts\n!x.log\n',
      },
      copy.path,
    );
    const result = await capture();
    expect(result.changed.map((change) => change.path).sort()).toEqual([
      '.gitignore',
      'build/seed.js',
      'data/wanted',
      'evil.ts',
      'keep.log',
      'sub/open',
    ]);
  });

  test("home's own excludes and the user's global ones count too", async () => {
    writeFileSync(join(bench.root, '.git/info/exclude'), 'mine.txt\n');
    mkdirSync(join(bench.folder, 'user/.config/git'), { recursive: true });
    writeFileSync(join(bench.folder, 'user/.config/git/ignore'), '*.swp\n');
    await start({ 'a.txt': 'a' });
    bench.write({ 'mine.txt': 'm', 'b.swp': 's', 'c.txt': 'c' }, copy.path);
    expect((await capture()).changed.map((change) => change.path)).toEqual(['c.txt']);
  });

  test('dependencies, the git directory and harness state in the copy are not captured', async () => {
    await start({ 'a.txt': 'a' });
    bench.write(
      {
        'node_modules/x/index.js': 'x',
        'packages/p/node_modules/y/index.js': 'y',
        '.harness/session_state.json': '{}',
        '.git/evil': 'e',
        'packages/p/src.js': 's',
      },
      copy.path,
    );
    expect((await capture()).changed.map((change) => change.path)).toEqual(['packages/p/src.js']);
  });

  test('caches that a run leaves behind are not captured, unless the project tracks them', async () => {
    await start({ 'a.txt': 'a', 'kept/__pycache__/a.pyc': 'old' });
    bench.write(
      {
        'src/__pycache__/b.cpython-311.pyc': 'b',
        '.pytest_cache/.gitignore': '*',
        '.pytest_cache/README.md': 'x',
        'kept/__pycache__/a.pyc': 'new',
        'src/b.py': 'b',
      },
      copy.path,
    );
    expect((await capture()).changed.map((change) => change.path)).toEqual(['kept/__pycache__/a.pyc', 'src/b.py']);
  });

  test('an agent that removed its git directory is captured all the same', async () => {
    await start({ 'a.txt': 'a' });
    rmSync(join(copy.path, '.git'), { recursive: true });
    bench.write({ 'b.txt': 'b' }, copy.path);
    expect((await capture()).changed.map((change) => change.path)).toEqual(['b.txt']);
  });

  test('nothing that the agent put into its git directory or attributes ever runs', async () => {
    await start({ 'a.txt': 'a' });
    const mark = join(bench.folder, 'ran');
    const evil = `touch ${mark}`;
    const at = copy.path;
    bench.write(
      {
        '.git/hooks/post-index-change': { run: `#!/bin/sh\n${evil}\n` },
        '.git/hooks/pre-commit': { run: `#!/bin/sh\n${evil}\n` },
        '.gitattributes': '* filter=evil diff=evil\n',
        'b.txt': 'b',
      },
      at,
    );
    bench.gitIn(at, 'config', 'core.fsmonitor', evil);
    bench.gitIn(at, 'config', 'filter.evil.clean', `sh -c '${evil}; cat'`);
    bench.gitIn(at, 'config', 'filter.evil.process', evil);
    bench.gitIn(at, 'config', 'diff.evil.command', evil);
    bench.gitIn(at, 'config', 'core.excludesFile', join(at, 'a.txt'));
    writeFileSync(join(at, '.git/info/attributes'), '* filter=evil\n');
    const result = await capture();
    expect(result.changed.map((change) => change.path).sort()).toEqual(['.gitattributes', 'b.txt']);
    const home = await bench.home();
    await prepareWorkspace(bench.platform, { home, harnessHome: bench.harnessHome, base: home.head!, tree: result.tree });
    expect(existsSync(mark)).toBe(false);
  });
});

describe('findings of a capture', () => {
  test('links that leave the tree are findings when they are new or changed, and are captured as links', async () => {
    await start({ 'a.txt': 'a', 'old-outside': { link: '/etc/hosts' }, 'moved-link': { link: 'a.txt' } });
    unlinkSync(join(copy.path, 'moved-link'));
    bench.write(
      {
        absolute: { link: '/etc/passwd' },
        'dir/up': { link: '../../home' },
        'dir/inside': { link: '../a.txt' },
        'moved-link': { link: '..' },
        dangling: { link: 'nowhere' },
      },
      copy.path,
    );
    const result = await capture();
    expect(kinds(result)).toEqual(['symlink_outside absolute', 'symlink_outside dir/up', 'symlink_outside moved-link']);
    expect(pictureOfTree(bench, result.tree)['absolute']).toBe('link /etc/passwd');
  });

  test('a directory replaced by a link to home is captured as a link and nothing behind it is read', async () => {
    await start({ 'src/a.txt': 'a', 'b.txt': 'b' });
    rmSync(join(copy.path, 'src'), { recursive: true });
    symlinkSync(bench.root, join(copy.path, 'src'));
    const result = await capture();
    expect(kinds(result)).toEqual(['symlink_outside src']);
    expect(Object.keys(pictureOfTree(bench, result.tree)).sort()).toEqual(['b.txt', 'src']);
  });

  test('nested git directories, special files, bad names, huge and unreadable files are named', async () => {
    await start({ 'a.txt': 'a' });
    const at = copy.path;
    mkdirSync(join(at, 'vendor'));
    bench.gitIn(join(at, 'vendor'), 'init', '-q');
    bench.write(
      {
        'vendor/lib.js': 'l',
        'sub/.git': 'gitdir: /elsewhere\n',
        '.GIT/config': 'x',
        'git~1': 'x',
        'x/.git ': 'x',
        'closed.txt': 'c',
        'huge.bin': '',
        'n/.g\u200cit': 'x',
      },
      at,
    );
    symlinkSync('a.txt', join(at, 'n/.gitmodules'));
    execFileSync('mkfifo', [join(at, 'pipe')]);
    truncateSync(join(at, 'huge.bin'), 101 * 1024 * 1024);
    chmodSync(join(at, 'closed.txt'), 0o000);
    const result = await capture();
    expect(kinds(result)).toEqual([
      'invalid_name .GIT/config',
      'invalid_name git~1',
      'invalid_name n/.gitmodules',
      'invalid_name n/.g\u200cit',
      'invalid_name x/.git ',
      'nested_git sub/.git',
      'nested_git vendor/.git',
      'special_file pipe',
      'too_large huge.bin',
      'unreadable closed.txt',
    ]);
    expect(Object.keys(pictureOfTree(bench, result.tree)).sort()).toEqual(['a.txt', 'vendor/lib.js']);
  });

  test('names that collide by case or Unicode form are findings when one of them is new', async () => {
    await start({ 'README.md': 'r', 'old/x': '1', 'Old/x': '2' });
    bench.write({ 'readme.md': 'r', 'caf\u00e9': '1', 'cafe\u0301': '2', 'stra\u00dfe': '3', STRASSE: '4', 'OLD/y': '5' }, copy.path);
    const result = await capture();
    expect(result.findings.every((finding) => finding.kind === 'name_collision')).toBe(true);
    expect(result.findings.map((finding) => finding.path.normalize('NFC').toLowerCase())).toEqual(
      expect.arrayContaining(['readme.md', 'café', 'old']),
    );
    expect(result.findings).toHaveLength(4);
  });

  test('names that are not UTF-8 are findings, and the next preparation gets rid of them', async () => {
    await start({ 'a.txt': 'a' });
    for (const folder of ['', '.git/'])
      writeFileSync(Buffer.concat([Buffer.from(`${copy.path}/${folder}bad-`), Buffer.from([0xff, 0xfe])]), 'x');
    expect(kinds(await capture())).toEqual(['invalid_name bad-\ufffd\ufffd']);
    const home = await bench.home();
    copy = await prepareWorkspace(bench.platform, {
      home,
      harnessHome: bench.harnessHome,
      base: home.head!,
      tree: bench.git('rev-parse', 'HEAD^{tree}'),
    });
    expect(picture(copy.path)).toEqual(picture(bench.root));
  });

  test('a submodule keeps its entry, and files put inside it are a finding', async () => {
    bench.write({ 'a.txt': 'a' });
    const inner = bench.commit();
    bench.git('update-index', '--add', '--cacheinfo', `160000,${inner},lib`);
    bench.git('commit', '-q', '-m', 'link');
    const home = await bench.home();
    copy = await prepareWorkspace(bench.platform, {
      home,
      harnessHome: bench.harnessHome,
      base: home.head!,
      tree: bench.git('rev-parse', 'HEAD^{tree}'),
    });
    expect((await capture()).changed).toEqual([]);
    bench.write({ 'lib/x': 'x' }, copy.path);
    const result = await capture();
    expect(kinds(result)).toEqual(['gitlink lib']);
  });

  test('a copy with many files is captured and prepared again by what changed', async () => {
    const files = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`d${at % 200}/f${at}.txt`, `content ${at}`]));
    await start(files);
    bench.write({ 'd1/new.txt': 'n' }, copy.path);
    const result = await capture();
    expect(result.changed.map((change) => change.path)).toEqual(['d1/new.txt']);
    const home = await bench.home();
    const again = await prepareWorkspace(bench.platform, {
      home,
      harnessHome: bench.harnessHome,
      base: home.head!,
      tree: bench.git('rev-parse', 'HEAD^{tree}'),
    });
    expect(again.files_changed).toBe(1);
    expect(picture(again.path)).toEqual(picture(bench.root));
  }, 60_000);

  test('a hard link between two files does not confuse the capture', async () => {
    await start({ 'a.txt': 'a', 'b.txt': 'b' });
    rmSync(join(copy.path, 'b.txt'));
    linkSync(join(copy.path, 'a.txt'), join(copy.path, 'b.txt'));
    renameSync(join(copy.path, 'a.txt'), join(copy.path, 'c.txt'));
    const result = await capture();
    expect(pictureOfTree(bench, result.tree)).toEqual(picture(copy.path));
  });
});
