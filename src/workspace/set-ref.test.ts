import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepOwnFiles } from './own-index.ts';
import { HARNESS_REF_FOLDERS, harnessRef } from './refs.ts';
import { setRef } from './set-ref.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
  bench.write({ a: 'a' });
  bench.commit();
});
afterEach(() => bench.dispose());

const valueOf = (ref: string): string => bench.git('for-each-ref', '--format=%(objectname)', ref);

test('a ref is there for git, and moves however git keeps it', async () => {
  const home = await bench.home();
  const ref = harnessRef('candidates', 3);
  const [first, second] = [home.head!, bench.commit('second')];
  await setRef(bench.platform, home, ref, first);
  expect(valueOf(ref)).toBe(first);
  await setRef(bench.platform, home, ref, second);
  expect(valueOf(ref)).toBe(second);
  bench.git('pack-refs', '--all');
  expect(existsSync(join(home.commonDir, ref))).toBe(false);
  await setRef(bench.platform, home, ref, first);
  expect(valueOf(ref)).toBe(first);
  bench.git('update-ref', '-d', ref);
  expect(valueOf(ref)).toBe('');
});

test('a ref is set from a linked working tree, beside the ones of the main one', async () => {
  const linked = join(bench.folder, 'linked');
  bench.git('worktree', 'add', '-q', linked);
  const home = { ...(await bench.home()), gitDir: join(bench.root, '.git', 'worktrees', 'linked'), root: linked };
  await setRef(bench.platform, home, harnessRef('checkpoints', 'x-1'), home.head!);
  expect(valueOf(harnessRef('checkpoints', 'x-1'))).toBe(home.head);
});

test('while somebody holds the ref, and where a file stands in its way, git says so', async () => {
  const home = await bench.home();
  const ref = harnessRef('candidates', 4);
  mkdirSync(join(home.commonDir, dirname(ref)), { recursive: true });
  writeFileSync(join(home.commonDir, `${ref}.lock`), '');
  await expect(setRef(bench.platform, home, ref, home.head!)).rejects.toThrow(/update-ref/);
  const below = harnessRef('checkpoints', 'one');
  writeFileSync(join(home.commonDir, dirname(below)), `${home.head}\n`);
  await expect(setRef(bench.platform, home, below, home.head!)).rejects.toThrow(/update-ref/);
});

test.each(Object.keys(HARNESS_REF_FOLDERS) as (keyof typeof HARNESS_REF_FOLDERS)[])(
  'what a dead process left beside refs of %s is invisible to git, and is swept away',
  async (kind) => {
    const home = await bench.home();
    const ref = harnessRef(kind, 5);
    await setRef(bench.platform, home, ref, home.head!);
    const left = join(home.commonDir, dirname(ref), '.harness-tmp-6-p999999999-ab');
    writeFileSync(left, 'half');
    expect(bench.git('for-each-ref', '--format=%(refname)', 'refs/harness/')).toBe(ref);
    await sweepOwnFiles(bench.platform, home);
    expect(existsSync(left)).toBe(false);
    expect(valueOf(ref)).toBe(home.head);
  },
);
