import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMountedBelow, mountPoints } from './mounts.ts';
import { nodePlatform } from './node-platform.ts';

test('mount points are read with their blanks', () => {
  const list = '36 35 98:0 / / rw - ext4 /dev/root rw\n40 36 98:0 /x /work/my\\040docs rw shared:1 - ext4 /dev/root rw\n';
  expect(mountPoints(list)).toEqual(['/', '/work/my docs']);
  expect(mountPoints('')).toEqual([]);
});

const mayMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'harness-mount-'));
  try {
    execFileSync('mount', ['--bind', folder, folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
const allowed = mayMount();

test.runIf(allowed)('a directory that is mounted below the root is seen, and its neighbours are not', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-mount-')));
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  for (const path of [join(root, 'docs'), join(root, 'plain'), outside]) mkdirSync(path, { recursive: true });
  execFileSync('mount', ['--bind', outside, join(root, 'docs')]);
  try {
    const platform = nodePlatform({});
    expect(await isMountedBelow(platform, root, join(root, 'docs/a.md'))).toBe(true);
    expect(await isMountedBelow(platform, root, join(root, 'plain/a.md'))).toBe(false);
    expect(await isMountedBelow(platform, join(root, 'docs'), join(root, 'docs/a.md'))).toBe(false);
  } finally {
    execFileSync('umount', [join(root, 'docs')]);
    rmSync(folder, { recursive: true, force: true });
  }
});
