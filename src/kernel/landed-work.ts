/**
 * Accepted commits that stand on the branch here as pull requests over there.
 *
 * 1. A branch of the harness's own (`harness/…`) is pushed, never by force: where a person has committed to it, theirs stays and a text says so.
 * 2. One pull request stands for a branch. One that a person merged or closed is settled; work that came later gets a new one.
 */
import { HubFailure, type PullHub } from '../github/contract.ts';
import type { Published } from '../github/pulls.ts';
import { tryGit } from '../platform/git.ts';
import { fetchUpstream, pushRef, type Upstream } from '../workspace/push.ts';
import type { Place } from './place.ts';
import { pullAccess } from './pull-requests.ts';

/** An accepted commit that is not over there yet, oldest first. */
export interface Landed {
  commit: string;
  subject: string;
  features: string;
  verdict: string;
}

export interface Wanted {
  /** Without `harness/`. */
  id: string;
  commit: string;
  title: string;
  body: string;
  /** Ids of earlier ones: it stands on the last of them that is still open. */
  on: readonly string[];
}

export type LandedReport = { kind: 'none'; why: string } | { kind: 'nothing' } | { kind: 'published'; id: string; pull: Published };

export async function publishLanded(
  place: Place,
  branch: string,
  wantedOf: (landed: readonly Landed[]) => Promise<Wanted>,
): Promise<LandedReport> {
  const access = await pullAccess(place, branch);
  if (access.kind === 'none') return access;
  const { hub, upstream } = access;
  const fetched = await fetchUpstream(place.platform, place.home, upstream);
  if ('failed' in fetched) return { kind: 'none', why: `${upstream.remote} could not be reached: ${fetched.failed}` };
  const landed = await landedSince(place, fetched.commit, branch);
  if (landed.length === 0) return { kind: 'nothing' };
  const wanted = await wantedOf(landed);
  const name = `harness/${wanted.id}`;
  const pushed = await pushRef(place.platform, place.home, wanted.commit, { remote: upstream.remote, ref: `refs/heads/${name}` });
  if (pushed.kind === 'rejected') return { kind: 'none', why: `${name} has commits over there that are not here; they are left alone` };
  if (pushed.kind === 'failed') return { kind: 'none', why: `${name} could not be pushed: ${pushed.detail}` };
  try {
    return { kind: 'published', id: wanted.id, pull: await publish(place, hub, { wanted, name, upstream, over: fetched.commit }) };
  } catch (error) {
    if (!(error instanceof HubFailure)) throw error;
    return { kind: 'none', why: error.message };
  }
}

interface Publishing {
  wanted: Wanted;
  name: string;
  upstream: Upstream;
  /** What stands over there. */
  over: string;
}

async function publish(place: Place, hub: PullHub, { wanted, name, upstream, over }: Publishing): Promise<Published> {
  const { publishPull } = await import('../github/pulls.ts');
  const { title, body, commit } = wanted;
  const base = (await openBelow(hub, wanted.on)) ?? upstream.ref.replace('refs/heads/', '');
  const pull = await publishPull(hub, name, base, { title, body });
  if (pull.kind !== 'merged' || !(await differs(place, over, commit))) return pull;
  return { kind: 'created', number: (await hub.createPull(name, base, { title, body })).number };
}

async function openBelow(hub: PullHub, ids: readonly string[]): Promise<string | null> {
  for (const id of ids.toReversed()) if ((await hub.pullFrom(`harness/${id}`))?.state === 'open') return `harness/${id}`;
  return null;
}

/** Also merged as one commit, the work is there. */
async function differs({ platform, home }: Place, one: string, other: string): Promise<boolean> {
  return (await tryGit(platform, ['diff', '--quiet', one, other], { cwd: home.root })).code !== 0;
}

async function landedSince({ platform, home }: Place, over: string, branch: string): Promise<Landed[]> {
  const trailer = (key: string): string => `%(trailers:key=${key},valueonly,separator=%x20)`;
  const format = ['%H', '%s', trailer('Harness-Feature'), trailer('Harness-Verdict')].join('%x00');
  const asked = await tryGit(platform, ['log', '--reverse', '--no-merges', `--format=${format}`, `${over}..refs/heads/${branch}`], {
    cwd: home.root,
  });
  const lines = asked.stdout.toString('utf8').split('\n');
  return lines.flatMap((line) => {
    const [commit = '', subject = '', features = '', verdict = ''] = line.split('\0');
    return verdict.trim() === '' ? [] : [{ commit, subject, features: features.trim(), verdict: verdict.trim() }];
  });
}
