/**
 * The lease of a project: a ref in its bare repository that only the owner can move on.
 *
 * 1. It points to a token, a commit that names the owner, the owner's number and the push. No two tokens are equal.
 * 2. Claiming, in this order: read the ref; take a number from a sequence that only grows; ask whether the work is still ours; swap the ref
 *    from what was read. So a claim that was overtaken at any point moves nothing.
 * 3. A push is one transaction there: all of its refs and the lease, or none. An answer that was lost is found out by looking for the token.
 * 4. Before anything leaves the machine, the member is asked whether it is sure to be alive.
 */
import { Lost } from '../domain/lost.ts';
import { usageError } from '../domain/errors.ts';
import { gitLine, GitError, tryGit, type GitResult } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { pinningCommit } from './commit.ts';
import { harnessRef } from './refs.ts';
import { openClone, remoteEnvironment } from './project-clone.ts';
import { formatOf, objectId, writeObjects } from './write-objects.ts';

export interface LeaseOptions {
  folder: string;
  remote: string;
  project: string;
  member: { id: string; sure(): boolean; lost: AbortSignal };
  claim: { owns(): Promise<boolean>; epoch(): Promise<number> };
}

export interface RefUpdate {
  ref: string;
  /** null: it is deleted. */
  to: string | null;
  /** Where it has to be, null where it must not exist; absent: wherever it is. */
  from?: string | null;
}

export interface Lease {
  /** What is known to be at home. */
  refs: ReadonlyMap<string, string>;
  look(): Promise<ReadonlyMap<string, string>>;
  /** `moved`: a ref with `from` is elsewhere; nothing was changed. Throws `Lost`. */
  push(updates: readonly RefUpdate[]): Promise<'done' | 'moved'>;
}

const TRIES = 8;
const PATIENCE_MS = 120_000;
const PAUSE_MS = 200;

export async function claimLease(platform: Platform, options: LeaseOptions): Promise<Lease> {
  const { project, member, claim, remote, folder } = options;
  const lease = harnessRef('leases', project);
  await openClone(platform, { folder, remote });
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const refs = await lookAt(platform, options);
    const before = refs.get(lease) ?? null;
    const number = await claim.epoch();
    if (before !== null && (await numberOf(platform, options, before)) > number) throw new Lost(project, 'A later claim has the lease.');
    if (!(await claim.owns()) || !member.sure() || member.lost.aborted) throw new Lost(project, 'The work is no longer ours.');
    const token = await newToken(platform, options, { number, push: 0 });
    const result = await pushOnce(platform, options, [{ ref: lease, to: token, from: before }]).catch(() => null);
    const now = await lookAt(platform, options);
    if (now.get(lease) === token) return openLease(platform, options, { number, token, refs: now });
    if (result?.code === 0) throw new Lost(project, 'A later claim has the lease.');
    await platform.clock.sleep(PAUSE_MS);
  }
  throw new Lost(project, 'The lease could not be taken: others keep moving it.');
}

function openLease(platform: Platform, options: LeaseOptions, start: { number: number; token: string; refs: Map<string, string> }): Lease {
  const { project, member } = options;
  const lease = harnessRef('leases', project);
  let { token, refs } = start;
  let count = 0;
  let lost = false;
  const look = async (): Promise<Map<string, string>> => {
    refs = await lookAt(platform, options);
    return refs;
  };
  const push: Lease['push'] = async (updates) => {
    const tried: string[] = [];
    for (let attempt = 0; ; attempt += 1) {
      if (lost || member.lost.aborted || !member.sure()) throw new Lost(project);
      count += 1;
      const next = await newToken(platform, options, { number: start.number, push: count });
      tried.push(next);
      const result = await pushOnce(platform, options, [{ ref: lease, to: next, from: token }, ...updates]);
      const now = result.code === 0 ? null : await look().catch(() => undefined);
      if (now === undefined && attempt < TRIES) {
        await platform.clock.sleep(PAUSE_MS * 2 ** attempt);
        continue;
      }
      if (now === undefined) throw new GitError(['push', '--atomic', lease], result);
      const there = now?.get(lease);
      if (now === null || (there !== undefined && tried.includes(there))) {
        token = there ?? next;
        refs = withUpdates(refs, [{ ref: lease, to: token }, ...updates]);
        return 'done';
      }
      lost = there !== token;
      if (lost) throw new Lost(project, 'Another member of the fleet has taken the lease over.');
      if (updates.some(({ ref, from }) => from !== undefined && (now.get(ref) ?? null) !== from)) return 'moved';
      if (attempt >= TRIES) throw new GitError(['push', '--atomic', lease], result);
      await platform.clock.sleep(PAUSE_MS);
    }
  };
  return {
    get refs() {
      return refs;
    },
    look,
    push,
  };
}

function withUpdates(refs: ReadonlyMap<string, string>, updates: readonly RefUpdate[]): Map<string, string> {
  const next = new Map(refs);
  for (const { ref, to } of updates)
    if (to === null) next.delete(ref);
    else next.set(ref, to);
  return next;
}

async function pushOnce(platform: Platform, { folder, remote }: LeaseOptions, updates: readonly RefUpdate[]): Promise<GitResult> {
  const expected = updates.flatMap(({ ref, from }) => (from === undefined ? [] : [`--force-with-lease=${ref}:${from ?? ''}`]));
  const specs = updates.map(({ ref, to, from }) => `${from === undefined ? '+' : ''}${to ?? ''}:${ref}`);
  return await tryGit(platform, ['push', '--quiet', '--atomic', '--no-verify', ...expected, '--', remote, ...specs], {
    cwd: folder,
    env: remoteEnvironment(remote),
    timeoutMs: PATIENCE_MS,
  });
}

async function lookAt(platform: Platform, { folder, remote }: LeaseOptions): Promise<Map<string, string>> {
  const args = ['ls-remote', '--quiet', '--', remote, 'refs/harness/*', 'refs/heads/*'];
  const result = await tryGit(platform, args, { cwd: folder, env: remoteEnvironment(remote), timeoutMs: PATIENCE_MS });
  if (result.code !== 0) throw new GitError(args, result);
  const lines = result.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]));
}

async function newToken(platform: Platform, options: LeaseOptions, { number, push }: { number: number; push: number }): Promise<string> {
  const { folder, project, member } = options;
  const gitDir = await gitLine(platform, ['rev-parse', '--absolute-git-dir'], { cwd: folder });
  const tree = await gitLine(platform, ['hash-object', '-t', 'tree', '-w', '--stdin'], { cwd: folder, stdin: '' });
  const message = `Lease of ${project}\n\nNumber: ${number}\nMember: ${member.id}\nPush: ${push}\nSalt: ${platform.random.id(8)}`;
  const commit = pinningCommit(tree, [], message, platform.clock.now());
  await writeObjects(platform, gitDir, [commit], formatOf(tree));
  return objectId(commit, formatOf(tree));
}

async function numberOf(platform: Platform, { folder, remote, project }: LeaseOptions, token: string): Promise<number> {
  const fetching = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--', remote, token];
  await tryGit(platform, fetching, { cwd: folder, env: remoteEnvironment(remote), timeoutMs: PATIENCE_MS });
  const text = await tryGit(platform, ['cat-file', 'commit', token], { cwd: folder });
  const number = /^Number: (\d+)$/m.exec(text.stdout.toString('utf8'))?.[1];
  // It was moved on since it was listed; the swap finds that out.
  if (text.code !== 0) return 0;
  if (number === undefined) throw usageError(`The lease of ${project} at ${remote} was not written by harness.`, `Found: ${token}`);
  return Number(number);
}
