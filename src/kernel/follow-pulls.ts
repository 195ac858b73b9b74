/**
 * The harness's own pull requests at a place: which are open, what is wanted of them, and what is remembered.
 *
 * 1. Own are those from the branches `harness/<id>` that a branch here is published under, in this repository and not in a fork.
 * 2. One that a person merged or closed is settled, and forgotten.
 * 3. What was taken up is on the disk before a session begins, so that no crash begins one twice.
 */
import { HARNESS_VERSION } from '../domain/version.ts';
import { HubFailure, type FollowHub, type OpenPull } from '../github/contract.ts';
import { replyOnce, standingOf, type Followed, type Standing, type Wish } from '../github/follow.ts';
import { tryGit } from '../platform/git.ts';
import type { Place } from './place.ts';
import { pullAccess } from './pull-requests.ts';

export type { Wish };
export type OwnPull = OpenPull & Followed;

export interface Following {
  hub: FollowHub;
  repository: string;
  /** The branch here that is followed. */
  branch: string;
  /** Between two looks. */
  pauseMs: number;
}

const PAUSE_MS = 60_000;
/** A server on this machine is asked as often as one likes. */
const LOOPBACK_PAUSE_MS = 100;

export async function openFollowing(place: Place, branch: string): Promise<Following | { none: string }> {
  const access = await pullAccess(place, branch);
  if (access.kind === 'none') return { none: access.why };
  const { createFollowHub } = await import('../github/follow-hub.ts');
  const { repository, baseUrl } = access.options;
  const isLoopback = /^https?:\/\/(?:127\.|localhost|\[::1\])/.test(baseUrl);
  return { hub: createFollowHub(access.options), repository, branch, pauseMs: isLoopback ? LOOPBACK_PAUSE_MS : PAUSE_MS };
}

export function isOwnBranch(name: string, branch: string): boolean {
  const own = `harness/${pullId(branch)}`;
  return name === own || name.startsWith(`${own}-`);
}

/** A branch's name as part of another's. */
export function pullId(branch: string): string {
  return branch.replaceAll(/[^A-Za-z0-9._-]+/g, '-');
}

/** Those that are open now, with what is remembered of each; the rest is settled. */
export async function openOnes(place: Place, { hub, repository, branch }: Following): Promise<OwnPull[]> {
  const known = await readFollowed(place, repository);
  const open = (await hub.openPulls()).filter((pull) => isOwnBranch(pull.branch, branch));
  for (const { number } of known.filter((one) => !open.some((pull) => pull.number === one.number)))
    place.emit({ type: 'progress', message: `pull request #${number} is settled: it was merged or closed` });
  const all = open.map((pull) => ({ ...pull, ...(known.find(({ number }) => number === pull.number) ?? fresh(pull)) }));
  const ones = [...new Map(all.map((one) => [one.number, one])).values()];
  await writeFollowed(place, repository, ones);
  return ones;
}

function fresh({ number, branch }: Pick<OpenPull, 'number' | 'branch'>): Followed {
  return { number, branch, attempts: 0, handled: [], owes: null };
}

export async function changeFollowed(place: Place, repository: string, changed: Followed): Promise<void> {
  const others = (await readFollowed(place, repository)).filter(({ number }) => number !== changed.number);
  await writeFollowed(place, repository, [...others, changed]);
}

/** A pull request that was just made is known from then on, also if it is not followed. */
export async function rememberPull(place: Place, pull: Pick<OpenPull, 'number' | 'branch'>): Promise<void> {
  const repository = place.config.github.repo ?? place.config.project.github_repo ?? '';
  const known = await readFollowed(place, repository);
  if (!known.some(({ number }) => number === pull.number)) await writeFollowed(place, repository, [...known, fresh(pull)]);
}

/** Numbers of the open ones, if the user wants them followed. */
export async function pullsToWatch({ documents }: Pick<Place, 'documents'>): Promise<number[]> {
  const known = await documents.read('follow', { writer: false });
  return known?.followed === true ? known.pulls.map(({ number }) => number) : [];
}

/** What is remembered of another repository says nothing about this one. */
export async function readFollowed({ documents }: Pick<Place, 'documents'>, repository: string): Promise<Followed[]> {
  const known = await documents.read('follow', { writer: false });
  return known === null || known.repository !== repository ? [] : known.pulls;
}

async function writeFollowed({ documents, config }: Place, repository: string, pulls: readonly Followed[]): Promise<void> {
  const kept = pulls.map(({ number, branch, attempts, handled, owes }) => ({ number, branch, attempts, handled: [...handled], owes }));
  await documents.write('follow', {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    repository,
    followed: config.github.follow === true,
    pulls: kept,
  });
}

export function lookAtPull({ hub }: Following, pull: OwnPull): Promise<Standing> {
  return standingOf(hub, pull, pull);
}

/** Nothing is owed afterwards. */
export async function replyTo(place: Place, { hub, repository }: Following, pull: OwnPull, text: string): Promise<void> {
  if (pull.owes === null) return;
  await replyOnce(hub, pull.number, { key: pull.owes.key, text });
  await changeFollowed(place, repository, { ...pull, owes: null });
}

/** Null: no failure of GitHub, or a person's own interrupt. `passes`: it may be over with the next look. */
export function hubTrouble(error: unknown): { message: string; passes: boolean } | null {
  if (!(error instanceof HubFailure) || error.kind === 'interrupted') return null;
  return { message: error.message, passes: error.kind === 'network' };
}

/** Whether the branch here holds all that the branch over there does: else what comes next could not be pushed without force. */
export async function isHere({ platform, home }: Place, commit: string, branch: string): Promise<boolean> {
  return (await tryGit(platform, ['merge-base', '--is-ancestor', commit, `refs/heads/${branch}`], { cwd: home.root })).code === 0;
}
