/**
 * Commits made by the harness.
 *
 * 1. The user's identity, from home's config or the environment; without one, the harness's own.
 * 2. Signed when home's config asks for it.
 * 3. Making a commit moves no ref: `land.ts` and `commit-files.ts` do that, by compare and swap.
 */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { GitError, gitLine, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';

export interface Identity {
  name: string;
  email: string;
}

export const HARNESS_NAME: Identity = { name: 'harness', email: 'harness@localhost' };

/** For commits that only pin a tree and never reach a branch. */
export const HARNESS_IDENTITY: Readonly<Record<string, string>> = identityVariables(HARNESS_NAME);

export interface CommitSpec {
  tree: string;
  /** Empty for a first commit. */
  parents: readonly string[];
  message: string;
  /** Instead of the user's identity. */
  author?: Identity;
}

export async function createCommit(platform: Platform, home: Home, spec: CommitSpec): Promise<string> {
  const [identity, sign] = await Promise.all([committer(platform, home), wantsSignature(platform, home)]);
  const args = ['commit-tree', ...(sign ? ['-S'] : []), ...spec.parents.flatMap((parent) => ['-p', parent]), spec.tree];
  const author: Record<string, string> =
    spec.author === undefined ? {} : { GIT_AUTHOR_NAME: spec.author.name, GIT_AUTHOR_EMAIL: spec.author.email };
  const result = await tryGit(platform, args, { cwd: home.root, stdin: `${spec.message.trimEnd()}\n`, env: { ...identity, ...author } });
  if (result.code !== 0 && OF_THE_DISK.test(result.stderr)) throw new GitError(args, result);
  if (result.code !== 0) {
    throw new HarnessError(sign ? 'The commit could not be signed.' : 'The commit could not be made.', {
      exitCode: EXIT.preflight,
      details: [
        `git said: ${result.stderr.trim()}`,
        ...(sign ? ['Unlock the signing key, or set commit.gpgsign to false for this repository, and run again.'] : []),
      ],
    });
  }
  return result.stdout.toString('utf8').trim();
}

/** Not the commit's fault, nor the signing key's. */
const OF_THE_DISK = /No space left on device|quota exceeded|Read-only file system|Input\/output error/i;

/** Message with trailers in git's own form: one `Name: value` a line after a blank one. */
export function withTrailers(message: string, trailers: Readonly<Record<string, string | number | readonly string[]>>): string {
  const lines = Object.entries(trailers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${String(one).replace(/\s+/g, ' ').trim()}`),
  );
  return lines.length === 0 ? message.trimEnd() : `${message.trimEnd()}\n\n${lines.join('\n')}`;
}

/** Variables that give the harness's identity where the user has set none. */
async function committer(platform: Platform, home: Home): Promise<Record<string, string>> {
  const [name, email] = await Promise.all([setting(platform, home, 'user.name'), setting(platform, home, 'user.email')]);
  const env: Record<string, string> = {};
  for (const role of ['AUTHOR', 'COMMITTER'] as const) {
    if (name === '' && !platform.env[`GIT_${role}_NAME`]) env[`GIT_${role}_NAME`] = HARNESS_NAME.name;
    if (email === '' && !platform.env[`GIT_${role}_EMAIL`]) env[`GIT_${role}_EMAIL`] = HARNESS_NAME.email;
  }
  return env;
}

async function wantsSignature(platform: Platform, home: Home): Promise<boolean> {
  return (await gitLine(platform, ['config', '--type=bool', '--default=false', '--get', 'commit.gpgsign'], { cwd: home.root })) === 'true';
}

async function setting(platform: Platform, home: Home, key: string): Promise<string> {
  return (await tryGit(platform, ['config', '--get', key], { cwd: home.root })).stdout.toString('utf8').trim();
}

function identityVariables(identity: Identity): Record<string, string> {
  return {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  };
}
