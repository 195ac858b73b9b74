import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareWorkspace, type AgentCopy } from './agent-copy.ts';
import { beyondTotal, boundFindings, LARGEST_TOTAL, outOfBounds } from './capture-bounds.ts';
import { captureWorkspace } from './capture.ts';
import { NOTHING_HELD, type HeldCopy } from './held-copy.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

const MEGABYTE = 1024 * 1024;

async function prepare(): Promise<AgentCopy> {
  const home = await bench.home();
  return prepareWorkspace(bench.platform, {
    home,
    harnessHome: bench.harnessHome,
    base: home.head!,
    tree: bench.git('rev-parse', 'HEAD^{tree}'),
  });
}

async function capture(copy: { path: string; held: HeldCopy }): Promise<{ kinds: string[]; files: string[] }> {
  const home = await bench.home();
  const result = await captureWorkspace(bench.platform, {
    home,
    copy,
    baseTree: 'HEAD',
    ref: 'refs/harness/candidates/1',
    message: 'work',
  });
  return {
    kinds: result.findings.map((one) => one.kind).sort(),
    files: bench.git('ls-tree', '-r', '--name-only', result.tree).split('\n'),
  };
}

test('depth and length are bounded by what a path is, not by what it is called', () => {
  expect(outOfBounds('a/b/c.txt')).toBeNull();
  expect(outOfBounds(Array(100).fill('d').join('/'))).toBeNull();
  expect(outOfBounds(Array(101).fill('d').join('/'))).toBe('too_deep');
  expect(outOfBounds(`${'x'.repeat(250)}/`.repeat(4) + 'y'.repeat(20))).toBeNull();
  expect(outOfBounds(`${'ü'.repeat(120)}/`.repeat(5))).toBe('path_too_long');
});

test('many paths out of bounds are one finding, with a path that can be read', () => {
  const deep = `${'folder/'.repeat(120)}`;
  const [finding, ...others] = boundFindings([`${deep}a`, `${deep}b`, `${deep}c`]);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ kind: 'too_deep', detail: 'the limit is 100 folders, and 2 more' });
  expect(finding!.path.length).toBeLessThan(200);
});

test('of too much only little is kept, the smallest files first', () => {
  const files = [
    { path: 'large', size: 90 * MEGABYTE },
    { path: 'small', size: 10 },
    { path: 'other', size: 20 * MEGABYTE },
  ];
  const { leftOut, finding } = beyondTotal(files);
  expect([...leftOut].sort()).toEqual(['large', 'other']);
  expect(finding).toMatchObject({ kind: 'too_much', path: 'large' });
  expect(beyondTotal([{ path: 'just', size: LARGEST_TOTAL }])).toEqual({ leftOut: new Set(), finding: null });
});

test('folders deeper than a path is long are a finding, the rest is captured, and the next preparation clears them away', async () => {
  bench.write({ 'a.txt': 'a' });
  bench.commit();
  const copy = await prepare();
  const script = 'for(let i=0;i<3000;i++){fs.mkdirSync("ddddd");process.chdir("ddddd")};fs.writeFileSync("x","1")';
  execFileSync(process.execPath, ['-e', script], { cwd: copy.path });
  execFileSync(process.execPath, ['-e', script], { cwd: join(copy.path, '.git') });
  writeFileSync(join(copy.path, 'b.txt'), 'b');
  expect(await capture(copy)).toMatchObject({ kinds: ['too_deep'], files: ['a.txt', 'b.txt'] });
  const next = await prepare();
  expect(existsSync(join(next.path, 'ddddd'))).toBe(false);
  expect(await capture(next)).toMatchObject({ kinds: [], files: ['a.txt'] });
});

test('a path longer than the limit is left out and named', async () => {
  bench.write({ 'a.txt': 'a' });
  bench.commit();
  const copy = await prepare();
  execFileSync('sh', ['-c', `n=$(printf '%0200d' 0); mkdir -p $n/$n/$n/$n/$n && echo x > $n/$n/$n/$n/$n/$n`], { cwd: copy.path });
  expect(await capture(copy)).toMatchObject({ kinds: ['path_too_long'], files: ['a.txt'] });
});

test('hundreds of megabytes of new files leave little in the repository', async () => {
  bench.write({ 'a.txt': 'a' });
  bench.commit();
  const copy = await prepare();
  for (const name of ['1.bin', '2.bin', '3.bin']) writeFileSync(join(copy.path, name), randomFillSync(Buffer.alloc(45 * MEGABYTE)));
  writeFileSync(join(copy.path, 'b.txt'), 'b');
  expect(await capture(copy)).toMatchObject({ kinds: ['too_much'], files: ['a.txt', 'b.txt'] });
  const stored = [...bench.git('count-objects', '-v').matchAll(/^size(?:-pack)?: (\d+)$/gm)];
  expect(stored.reduce((sum, [, kilobytes]) => sum + Number(kilobytes), 0)).toBeLessThan(10_000);
});

test('a large project does not count against the session that left it as it was', async () => {
  for (const name of ['1.bin', '2.bin', '3.bin']) bench.write({ [name]: Buffer.alloc(45 * MEGABYTE, name) });
  bench.commit();
  const copy = await prepare();
  writeFileSync(join(copy.path, 'b.txt'), 'b');
  expect(await capture({ path: copy.path, held: NOTHING_HELD })).toMatchObject({ kinds: [], files: ['1.bin', '2.bin', '3.bin', 'b.txt'] });
});
