/** The fleet's own clone of a project on this machine: nothing in it is a person's, and home decides what it holds. */
import { join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { git, GitError, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { HARNESS_REF_FOLDERS } from './refs.ts';

const PATIENCE_MS = 10 * 60_000;
const THERE = 'refs/remotes/home';

/** Made where it is missing; nothing is fetched yet. */
export async function openClone(platform: Platform, { folder, remote }: { folder: string; remote: string }): Promise<void> {
  checkRemote(remote);
  if (await platform.files.exists(join(folder, '.git'))) return;
  await platform.files.mkdir(folder);
  await git(platform, ['init', '--quiet', '--template='], { cwd: folder });
}

export interface CloneTarget {
  folder: string;
  remote: string;
  branch: string;
  /** Only the branch follows, and changes of the working tree stay: for a clone in which work is under way. */
  keep?: boolean;
}

/** Branch, working tree and the harness's refs as they are at home. */
export async function refreshClone(platform: Platform, { folder, remote, branch, keep = false }: CloneTarget): Promise<void> {
  const own = ['+refs/harness/*:refs/harness/*', `^${HARNESS_REF_FOLDERS.leases}/*`, '+refs/heads/harness/*:refs/heads/harness/*'];
  const specs = [`+refs/heads/${branch}:${THERE}/${branch}`, ...(keep ? [] : own)];
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', ...(keep ? [] : ['--prune'])];
  const fetched = await tryGit(platform, [...args, '--', remote, ...specs], {
    cwd: folder,
    env: remoteEnvironment(remote),
    timeoutMs: PATIENCE_MS,
  });
  if (fetched.code !== 0) throw new GitError(['fetch', remote], fetched);
  if (keep) {
    await git(platform, ['reset', '--quiet', '--keep', `${THERE}/${branch}`], { cwd: folder });
    return;
  }
  await platform.files.remove(join(folder, '.git', 'index.lock'));
  await git(platform, ['checkout', '--quiet', '--force', '--no-track', '-B', branch, `${THERE}/${branch}`], { cwd: folder });
}

/** https, ssh and files; git's own protocol carries no identity and is for this machine alone. */
export function checkRemote(remote: string): void {
  if (remote.startsWith('-') || /[\0\n]/.test(remote))
    throw usageError(`${JSON.stringify(remote)} is not the address of a repository.`, 'Name an https, ssh or file address.');
}

export function remoteEnvironment(remote: string): Record<string, string> {
  const isHere = /^git:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/]/.test(remote);
  return { GIT_ALLOW_PROTOCOL: isHere ? 'https:ssh:file:git' : 'https:ssh:file' };
}
