import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import type { Capture } from '../domain/tree.ts';
import { prepareWorkspace, reopenWorkspace, type AgentCopy } from './agent-copy.ts';
import { captureWorkspace } from './capture.ts';
import { NOTHING_HELD, type HeldCopy } from './held-copy.ts';
import { MANY_FILES } from '../domain/tree.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
let copy: AgentCopy;

const FILLING = Object.fromEntries(Array.from({ length: MANY_FILES + 200 }, (_, at) => [`part-${at % 10}/file-${at}.txt`, `${at}`]));

beforeEach(async () => {
  bench = createBench();
  bench.write({ ...FILLING, 'a.txt': 'aaaa', 'sub/b.txt': 'b', 'run.sh': 'r', '.gitignore': '*.log\nbuild/\n', 'old.log': 'tracked' });
  symlinkSync('a.txt', join(bench.root, 'link'));
  bench.git('add', '-f', 'old.log');
  bench.commit();
  await prepare();
});
afterEach(() => bench.dispose());

async function prepare(tree = 'HEAD^{tree}'): Promise<void> {
  const home = await bench.home();
  copy = await prepareWorkspace(bench.platform, {
    home,
    harnessHome: bench.harnessHome,
    base: home.head!,
    tree: bench.git('rev-parse', tree),
  });
}

async function capture(held: HeldCopy = copy.held, afterCrash = false): Promise<Capture> {
  const home = await bench.home();
  return captureWorkspace(bench.platform, {
    home,
    copy: { path: copy.path, held },
    baseTree: 'HEAD',
    ref: 'refs/harness/candidates/1',
    message: 'candidate',
    afterCrash,
  });
}

function seenIn({ tree, findings, changed }: Capture): unknown {
  return { tree, findings: findings.map((one) => `${one.kind} ${one.path}`).sort(), changed: changed.map((one) => one.path) };
}

const at = (path: string): string => join(copy.path, path);

const CHANGES: Record<string, () => void> = {
  nothing: () => {},
  'a file with the same size and time': () => {
    writeFileSync(at('a.txt'), 'bbbb');
    execFileSync('touch', ['-r', at('run.sh'), at('a.txt')]);
  },
  'new, changed, moved and deleted files': () => {
    writeFileSync(at('new.txt'), 'n');
    mkdirSync(at('deep/er'), { recursive: true });
    writeFileSync(at('deep/er/file.txt'), 'd');
    renameSync(at('part-1/file-1.txt'), at('part-2/moved.txt'));
    unlinkSync(at('part-3/file-3.txt'));
    rmSync(at('part-4'), { recursive: true });
    writeFileSync(at('old.log'), 'changed though it is ignored');
  },
  'rights of a file': () => chmodSync(at('run.sh'), 0o755),
  'ignored files, and folders that runs leave': () => {
    writeFileSync(at('x.log'), 'l');
    for (const folder of ['build', 'node_modules/m', 'sub/node_modules/m', '.venv/bin']) mkdirSync(at(folder), { recursive: true });
    for (const file of ['build/out.js', 'node_modules/m/i.js', 'sub/node_modules/m/i.js', '.venv/bin/tool']) writeFileSync(at(file), 'x');
  },
  'rules of its own': () => writeFileSync(at('.gitignore'), '*.txt\n'),
  'a link in the place of a folder': () => {
    renameSync(at('part-5'), at('elsewhere'));
    symlinkSync('elsewhere', at('part-5'));
  },
  'a folder in the place of a file, and a file in the place of a folder': () => {
    unlinkSync(at('a.txt'));
    mkdirSync(at('a.txt'));
    writeFileSync(at('a.txt/inside'), 'i');
    rmSync(at('sub'), { recursive: true });
    writeFileSync(at('sub'), 's');
  },
  'two folders that change places': () => {
    renameSync(at('part-6'), at('aside'));
    renameSync(at('part-7'), at('part-6'));
    renameSync(at('aside'), at('part-7'));
  },
  'a hard link to another file, and links that lead out': () => {
    unlinkSync(at('part-0/file-0.txt'));
    linkSync(at('a.txt'), at('part-0/file-0.txt'));
    unlinkSync(at('link'));
    symlinkSync('/etc/passwd', at('link'));
    symlinkSync('../outside', at('sub/out'));
  },
  'repositories, pipes and names for other systems': () => {
    mkdirSync(at('vendor/.git'), { recursive: true });
    writeFileSync(at('vendor/.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(at('vendor/lib.js'), 'l');
    execFileSync('mkfifo', [at('pipe')]);
    writeFileSync(at('git~1'), 'g');
    writeFileSync(at('A.TXT'), 'A');
  },
  'a file instead of .git, a link instead of node_modules': () => {
    rmSync(at('.git'), { recursive: true });
    writeFileSync(at('.git'), 'gitdir: /elsewhere\n');
    rmSync(at('node_modules'), { recursive: true, force: true });
    symlinkSync('sub', at('node_modules'));
  },
  'a name that is not UTF-8': () => writeFileSync(Buffer.concat([Buffer.from(`${copy.path}/part-8/bad-`), Buffer.from([0xff, 0xfe])]), 'x'),
  'a folder that nobody may look into': () => chmodSync(at('part-9'), 0o000),
};

const TOGETHER = Object.keys(CHANGES).filter((name) => !/same size|not UTF-8|nobody|rules|place of a file/.test(name));
const ONE_BY_ONE = Object.keys(CHANGES).map((name) => [name, [name]] as const);

test.each([['many at once', TOGETHER] as const, ...(isLong ? ONE_BY_ONE : [])])(
  'looks tell what looking at every file tells, and the next copy is whole: %s',
  async (_, names) => {
    expect(copy.held.look).not.toBeNull();
    for (const name of names) CHANGES[name]!();
    expect(seenIn(await capture())).toEqual(seenIn(await capture(NOTHING_HELD)));
    await prepare();
    expect(seenIn(await capture(NOTHING_HELD))).toMatchObject({ tree: bench.git('rev-parse', 'HEAD^{tree}'), changed: [] });
    expect(seenIn(await capture())).toMatchObject({ changed: [], findings: [] });
  },
);

test('work that goes on is told against the base, also where it is handed over as it was', async () => {
  CHANGES['new, changed, moved and deleted files']!();
  symlinkSync('/etc/hosts', at('out'));
  const first = await capture();
  await prepare(first.tree);
  expect(copy.held.look?.tree).toBe(first.tree);
  expect(seenIn(await capture())).toEqual(seenIn(first));
  writeFileSync(at('new.txt'), 'again');
  const second = await capture();
  expect(seenIn(second)).toEqual(seenIn(await capture(NOTHING_HELD)));
  expect(bench.git('show', `${second.tree}:new.txt`)).toBe('again');
});

test('the next copy is looked at once and not file by file, and a crash is captured with what was handed over', async () => {
  bench.write({ 'a.txt': 'next' });
  bench.commit();
  await prepare();
  expect(copy).toMatchObject({ files_changed: 1, held: { manifest: null } });
  const home = await bench.home();
  const reopened = await reopenWorkspace(bench.platform, { home, harnessHome: bench.harnessHome });
  expect(reopened?.held.look?.tree).toBe(bench.git('rev-parse', 'HEAD^{tree}'));
  writeFileSync(at('run.sh'), '');
  writeFileSync(at('sub/b.txt'), 'by the agent');
  expect((await capture(reopened!.held, true)).changed.map((one) => one.path)).toEqual(['sub/b.txt']);
  expect((await capture(reopened!.held)).changed.map((one) => one.path)).toEqual(['run.sh', 'sub/b.txt']);
});

test('a damaged look is none, and a project that became small has notes for its files again', async () => {
  writeFileSync(join(copy.folder, 'manifest.look'), 'damaged');
  writeFileSync(at('a.txt'), 'b');
  await prepare();
  expect(seenIn(await capture(NOTHING_HELD))).toMatchObject({ changed: [] });
  for (let part = 0; part < 10; part++) rmSync(join(bench.root, `part-${part}`), { recursive: true });
  bench.commit();
  await prepare();
  expect(copy.held).toMatchObject({ look: null, manifest: { tree: expect.any(String) } });
  expect(seenIn(await capture())).toMatchObject({ changed: [], findings: [] });
  const again = await reopenWorkspace(bench.platform, { home: await bench.home(), harnessHome: bench.harnessHome });
  expect(again?.held.look).toBeNull();
});
