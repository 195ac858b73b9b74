/**
 * The user's branch at its remote.
 *
 * 1. A branch goes where its settings say (`branch.<name>.remote` and `.merge`), else to `origin` under its own name. Never by force, but for
 *    the branches of the harness's own.
 * 2. Nobody is asked for a password, hooks do not run, and a remote that says nothing for two minutes is given up.
 */
import { gitLine, tryGit, type GitResult } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';
import { HARNESS_REFS } from './refs.ts';
import { onlyOne } from '../domain/items.ts';

export interface Upstream {
  remote: string;
  /** `refs/heads/...` over there. */
  ref: string;
}

export type Pushed =
  | { kind: 'pushed' }
  /** The branch over there has commits that this one does not have. */
  | { kind: 'rejected'; detail: string }
  | { kind: 'failed'; detail: string };

const PATIENCE_MS = 120_000;
const FETCHED = HARNESS_REFS.upstream;

/** null: there is no remote to push to. */
export async function upstreamOf(platform: Platform, home: Home, branch: string): Promise<Upstream | null> {
  const setting = async (key: string): Promise<string> =>
    (await tryGit(platform, ['config', '--get', `branch.${branch}.${key}`], { cwd: home.root })).stdout.toString('utf8').trim();
  const remotes = (await gitLine(platform, ['remote'], { cwd: home.root })).split('\n').filter((name) => name !== '');
  const [remote, merge] = await Promise.all([setting('remote'), setting('merge')]);
  if (remote !== '' && remote !== '.') return { remote, ref: merge === '' ? `refs/heads/${branch}` : merge };
  const only = remotes.includes('origin') ? 'origin' : onlyOne(remotes);
  return only === null ? null : { remote: only, ref: `refs/heads/${branch}` };
}

export async function pushBranch(platform: Platform, home: Home, branch: string, to: Upstream): Promise<Pushed> {
  return await pushRef(platform, home, `refs/heads/${branch}`, to);
}

/** A commit, or a ref, to this place over there; never by force. */
export async function pushRef(platform: Platform, home: Home, from: string, to: Upstream): Promise<Pushed> {
  const result = await tryGit(platform, ['push', '--porcelain', to.remote, `${from}:${to.ref}`], {
    cwd: home.root,
    timeoutMs: PATIENCE_MS,
  });
  if (result.code === 0) return { kind: 'pushed' };
  const refused = result.stdout
    .toString('utf8')
    .split('\n')
    .find((line) => line.startsWith('!'));
  const detail = refused?.replace(/^!\s*/, '').replaceAll('\t', ' ') ?? lastWords(result);
  return refused?.includes('[rejected]') === true ? { kind: 'rejected', detail } : { kind: 'failed', detail };
}

/** A branch of the harness's own, whatever stood there. Null: it is there; else why not. */
export async function replaceBranch(platform: Platform, home: Home, branch: string, remote: string): Promise<string | null> {
  if (!branch.startsWith('harness/')) throw new Error(`${branch} is no branch of the harness`);
  const result = await tryGit(platform, ['push', '--porcelain', remote, `+refs/heads/${branch}:refs/heads/${branch}`], {
    cwd: home.root,
    timeoutMs: PATIENCE_MS,
  });
  return result.code === 0 ? null : lastWords(result);
}

/** Where the branch stands over there now; its objects are here afterwards. */
export async function fetchUpstream(platform: Platform, home: Home, from: Upstream): Promise<{ commit: string } | { failed: string }> {
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', from.remote, `+${from.ref}:${FETCHED}`];
  const result = await tryGit(platform, args, { cwd: home.root, timeoutMs: PATIENCE_MS });
  if (result.code !== 0) return { failed: lastWords(result) };
  return { commit: await gitLine(platform, ['rev-parse', '--verify', `${FETCHED}^{commit}`], { cwd: home.root }) };
}

/** Commits of the branch that are not at `upstream`, oldest first. */
export async function unpushed(platform: Platform, home: Home, branch: string, upstream: string): Promise<string[]> {
  const listing = await gitLine(platform, ['rev-list', '--reverse', '--no-merges', `${upstream}..refs/heads/${branch}`], {
    cwd: home.root,
  });
  return listing.split('\n').filter((line) => line !== '');
}

function lastWords(result: GitResult): string {
  return result.stderr.trim().split('\n').slice(-3).join(' ') || 'the remote did not answer';
}
