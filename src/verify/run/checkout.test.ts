import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { repositoryFor } from './checkout.ts';
import { createSpares } from './furnished.ts';

test('the repository of a room is whole in the eyes of git, with a history that ends at its branch', async () => {
  const room = mkdtempSync(join(tmpdir(), 'checkout-'));
  const env = { PATH: process.env['PATH'], HOME: room, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (...args: string[]): string => execFileSync('git', ['-C', room, ...args], { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const platform = nodePlatform(process.env);
    await createSpares(platform, room).place('repository', join(room, '.git'), () => repositoryFor(platform));
    expect(git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
    git('verify-pack', ...execFileSync('sh', ['-c', 'ls .git/objects/pack/*.idx'], { cwd: room, encoding: 'utf8' }).trim().split('\n'));
    const log = git('log', '--format=%H %an %s').split('\n');
    expect(log.length).toBeGreaterThanOrEqual(4);
    expect(git('rev-parse', 'main')).toBe(log[0]!.split(' ')[0]);
    expect(git('reflog', '--format=%H').split('\n')).toEqual(log.map((line) => line.split(' ')[0]));
    expect(git('status', '--porcelain')).toBe('');
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
});
