/**
 * Home in a fleet: a clone on this machine, published to the project's bare repository.
 *
 * 1. What a state names is at home before the state is written: `publish` pushes what is new, and nothing when nothing is.
 * 2. Every push is atomic and moves the lease on. A process whose lease was taken over meanwhile changes nothing there and gets `Lost`.
 * 3. Only the owner of the lease moves refs of the harness; a branch moves by compare and swap, because people push to it too.
 * 4. Refs that describe this clone alone, such as a commit that is on its way into the working tree, stay here.
 */
import { tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { openHome, resolveRevision, type Home } from './home.ts';
import { claimLease, type Lease, type LeaseOptions } from './lease.ts';
import { refreshClone } from './project-clone.ts';
import { HARNESS_REF_FOLDERS, HARNESS_REFS, harnessRef } from './refs.ts';

export interface PublishedHome extends Home {
  /** What a state names is at home before the state is written. */
  publish(): Promise<void>;
  /** Moves the branch there from `base` to `commit`. `moved`: it is elsewhere, and this clone has followed. Throws `Lost`. */
  land(branch: string, base: string, commit: string): Promise<'landed' | 'moved'>;
}

export interface PublishedHomeOptions extends LeaseOptions {
  /** Where the clone is, or will be. */
  folder: string;
  branch: string;
}

/** Takes the lease, and brings the clone to what is at home. Only for who holds the clone's folder. */
export async function openPublishedHome(platform: Platform, options: PublishedHomeOptions): Promise<PublishedHome> {
  const lease = await claimLease(platform, options);
  await refreshClone(platform, options);
  await dropLandedPins(platform, options);
  const home = await openHome(platform, options.folder);
  const inTurn = turns();
  const mine = await refsHere(platform, home);
  return {
    ...home,
    publish: () => inTurn(() => publish(platform, home, { lease, branch: options.branch, mine })),
    land: (branch, base, commit) => inTurn(() => land(platform, home, { lease, branch, base, commit, remote: options.remote })),
  };
}

/** Describe the clone, not the project. */
const OWN_REFS = new Set<string>([HARNESS_REFS.pending, HARNESS_REFS.upstream, HARNESS_REFS.folder, HARNESS_REFS.base, HARNESS_REFS.hooks]);
const OWN_FOLDERS = [`${HARNESS_REF_FOLDERS.loans}/`, `${HARNESS_REF_FOLDERS.leases}/`];
const PUBLISHED = ['refs/harness/', 'refs/heads/harness/'];

interface Publishing {
  lease: Lease;
  branch: string;
  /** Refs that were here; what others push there is not ours to delete. */
  mine: Map<string, string>;
}

async function publish(platform: Platform, home: Home, { lease, branch, mine }: Publishing): Promise<void> {
  const here = await refsHere(platform, home);
  for (const [name, oid] of here) mine.set(name, oid);
  const there = lease.refs;
  const changed = [...here].filter(([name, oid]) => there.get(name) !== oid);
  const updates = [
    ...changed.map(([ref, to]) => ({ ref, to })),
    ...[...mine.keys()].filter((name) => there.has(name) && !here.has(name)).map((ref) => ({ ref, to: null })),
  ];
  const moved = await branchUpdate(platform, home, { lease, branch });
  if (updates.length === 0 && moved.length === 0) return;
  if ((await lease.push([...updates, ...moved])) === 'moved') await lease.push(updates);
}

/** A rollback or a commit of files moved the branch here. */
async function branchUpdate(platform: Platform, home: Home, { lease, branch }: { lease: Lease; branch: string }) {
  const ref = `refs/heads/${branch}`;
  const [here, there] = [await resolveRevision(platform, home, ref), lease.refs.get(ref) ?? null];
  return here === null || here === there ? [] : [{ ref, to: here, from: there }];
}

interface Landing {
  lease: Lease;
  remote: string;
  branch: string;
  base: string;
  commit: string;
}

async function land(platform: Platform, home: Home, { lease, remote, branch, base, commit }: Landing): Promise<'landed' | 'moved'> {
  const ref = `refs/heads/${branch}`;
  const known = lease.refs.get(ref) ?? null;
  const pushed = known === base ? await lease.push([{ ref, to: commit, from: base }]) : 'moved';
  if (pushed === 'done') {
    await tryGit(platform, ['update-ref', '-d', harnessRef('landing', commit)], { cwd: home.root });
    return 'landed';
  }
  const now = await lease.look();
  if (now.get(ref) === commit) return 'landed';
  await refreshClone(platform, { folder: home.root, remote, branch, keep: true });
  const isThere = await tryGit(platform, ['merge-base', '--is-ancestor', commit, ref], { cwd: home.root });
  return isThere.code === 0 ? 'landed' : 'moved';
}

/** Commits that were on their way to the branch, and are in it. */
async function dropLandedPins(platform: Platform, { folder, branch }: PublishedHomeOptions): Promise<void> {
  const pins = `${HARNESS_REF_FOLDERS.landing}/`;
  const args = ['for-each-ref', `--merged=refs/heads/${branch}`, '--format=delete %(refname)', pins];
  const landed = await tryGit(platform, args, { cwd: folder });
  if (landed.stdout.length > 0) await tryGit(platform, ['update-ref', '--stdin'], { cwd: folder, stdin: landed.stdout });
}

async function refsHere(platform: Platform, home: Home): Promise<Map<string, string>> {
  const listing = await tryGit(platform, ['for-each-ref', '--format=%(objectname) %(refname)', ...PUBLISHED], { cwd: home.root });
  const lines = listing.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  const refs = lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const);
  return new Map(refs.filter(([name]) => isPublished(name)));
}

function isPublished(ref: string): boolean {
  return PUBLISHED.some((folder) => ref.startsWith(folder)) && !OWN_REFS.has(ref) && !OWN_FOLDERS.some((folder) => ref.startsWith(folder));
}

/** One push at a time: each moves the lease on from the one before. */
function turns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine;
    return mine;
  };
}
