/**
 * This machine's clone of a project: where its drives work here.
 *
 * 1. It belongs to the fleet and is brought to where home stands before each drive: what counts is home and the documents.
 * 2. It lies below `$HARNESS_HOME`, apart from any checkout of a person.
 */
import { join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { tryGit } from '../platform/git.ts';
import { harnessHome } from '../platform/harness-home.ts';
import type { Platform } from '../platform/platform.ts';
import { checkName, checkRemote, REMOTE_ENV } from './remotes.ts';

export interface Origin {
  project: string;
  remote: string;
  branch: string;
}

const PATIENCE_MS = 120_000;

export function cloneFolder(platform: Platform, project: string): string {
  return join(harnessHome(platform), 'fleet', checkName(project));
}

export async function openClone(platform: Platform, { project, remote, branch }: Origin): Promise<string> {
  const root = cloneFolder(platform, project);
  checkRemote(remote);
  await platform.files.mkdir(root);
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await tryGit(platform, args, { cwd: root, env: REMOTE_ENV, timeoutMs: PATIENCE_MS });
    if (code !== 0) throw unreachable(remote, stderr);
  };
  if (!(await platform.files.exists(join(root, '.git')))) await run('init', '--quiet', '--initial-branch', branch);
  const known = await tryGit(platform, ['remote', 'get-url', 'origin'], { cwd: root });
  if (known.code !== 0) await run('remote', 'add', 'origin', remote);
  else if (known.stdout.toString('utf8').trim() !== remote) await run('remote', 'set-url', 'origin', remote);
  const refs = [`+refs/heads/${branch}:refs/remotes/origin/${branch}`, '+refs/harness/*:refs/harness/*'];
  await run('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', 'origin', ...refs);
  await run('checkout', '--quiet', '--force', '-B', branch, `origin/${branch}`);
  return root;
}

function unreachable(remote: string, said: string): HarnessError {
  return new HarnessError(`The repository ${remote} cannot be read here.`, {
    exitCode: EXIT.preflight,
    next: 'retry_at',
    details: [`git said: ${said.trim().split('\n').at(-1) ?? ''}`, 'This machine needs its own login for it.'],
  });
}
