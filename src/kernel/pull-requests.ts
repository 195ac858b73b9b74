/**
 * Accepted work as pull requests: its branch is pushed, and one pull request stands for it.
 *
 * 1. Only where `git.push` is on and a repository is named; else a text says what is missing. Failures change nothing here.
 * 2. Branches of the harness's own (`harness/<id>`) are replaced over there; no other branch ever is.
 */
import { HARNESS_VERSION } from '../domain/version.ts';
import { HubFailure, type PullHub, type PullText } from '../github/contract.ts';
import type { HubOptions } from '../github/octokit-hub.ts';
import type { Published } from '../github/pulls.ts';
import { replaceBranch, upstreamOf, type Upstream } from '../workspace/push.ts';
import { DEFAULT_API, findToken } from './mirror.ts';
import type { Place } from './place.ts';

export interface Work extends PullText {
  /** Without `harness/`. */
  id: string;
}

export type PullReport = { kind: 'none'; why: string } | { kind: 'published'; pulls: (Published & { id: string })[] };

export async function publishWork(place: Place, base: string, works: readonly Work[]): Promise<PullReport> {
  const { platform, home, config } = place;
  if (!config.git.push) return { kind: 'none', why: 'git.push is off' };
  const access = await pullAccess(place, base);
  if (access.kind === 'none') return access;
  const { hub, upstream } = access;
  const { publishPull } = await import('../github/pulls.ts');
  const pulls: (Published & { id: string })[] = [];
  for (const { id, title, body } of works) {
    const branch = `harness/${id}`;
    const pushed = await replaceBranch(platform, home, branch, upstream.remote);
    if (pushed !== null) return { kind: 'none', why: `${branch} could not be pushed: ${pushed}` };
    try {
      pulls.push({ id, ...(await publishPull(hub, branch, upstream.ref.replace('refs/heads/', ''), { title, body })) });
    } catch (error) {
      if (!(error instanceof HubFailure)) throw error;
      return { kind: 'none', why: error.message };
    }
  }
  return { kind: 'published', pulls };
}

/** GitHub, and where the branch goes; a text says what is missing. */
export async function pullAccess(
  place: Place,
  base: string,
): Promise<{ kind: 'open'; hub: PullHub; upstream: Upstream; options: HubOptions } | { kind: 'none'; why: string }> {
  const { platform, home, config, signal } = place;
  const repository = config.github.repo ?? config.project.github_repo;
  if (repository === null) return { kind: 'none', why: 'no repository is named: set github.repo to owner/name in .harness.yaml' };
  const upstream = await upstreamOf(platform, home, base);
  if (upstream === null) return { kind: 'none', why: 'there is no remote to push to' };
  const token = await findToken(platform);
  if (token === null) return { kind: 'none', why: 'there is no token: set GITHUB_TOKEN, or log in with: gh auth login' };
  // Loaded when used: most missions make no pull requests.
  const { createPullHub } = await import('../github/octokit-hub.ts');
  const options: HubOptions = {
    repository,
    token,
    baseUrl: platform.env['GITHUB_API_URL'] ?? DEFAULT_API,
    version: HARNESS_VERSION,
    clock: platform.clock,
    signal,
    waits: (seconds) => place.emit({ type: 'progress', message: `GitHub asks to wait ${seconds} s before the pull requests go on` }),
  };
  return { kind: 'open', hub: createPullHub(options), upstream, options };
}
