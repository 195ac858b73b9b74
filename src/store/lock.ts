/**
 * The lock of a project: one process writes its state at a time.
 *
 * 1. The lock is a file that appears whole, with its holder inside and a token that is never used again.
 * 2. A living holder keeps it, also when it is stopped; only its own process removes it.
 * 3. The lock of a dead holder is removed by one contender alone: the one that holds a second lock, named after the dead one's token.
 *    Whoever holds that looks again before removing, so a lock that was taken meanwhile is never touched.
 * 4. A holder on another host, or in another set of process numbers, cannot be judged from here and counts as living.
 */
import { dirname, join } from 'node:path';
import { z } from '../domain/zod.ts';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { ownIdentity, processIdentity } from '../platform/process-identity.ts';

const HolderSchema = z.object({
  token: z.string().regex(/^[0-9a-f]+$/),
  pid: z.number().int(),
  started: z.string(),
  boot: z.string(),
  namespace: z.string(),
  host: z.string(),
  command: z.string(),
  since: z.string(),
});
export type Holder = z.infer<typeof HolderSchema>;

export interface Lock {
  /** Removes the lock if it is still this one; may be called again. */
  release(): Promise<void>;
}

const ATTEMPTS = 200;
const UNREADABLE = 'unreadable';

/** Throws a HarnessError with exit 9 when a living process holds the lock. */
export async function acquireLock(platform: Platform, path: string, command: string): Promise<Lock> {
  await platform.files.mkdir(dirname(path));
  const mine = await newHolder(platform, command);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lock = await tryLock(platform, path, mine);
    if (lock.kind === 'taken') return lock.lock;
    if (lock.kind === 'held') throw lockedError(path, lock.holder);
    await platform.clock.sleep(2 + (attempt % 20));
  }
  throw new HarnessError(`The lock ${path} could not be taken over.`, {
    exitCode: EXIT.locked,
    details: ['Other processes keep trying at the same moment. Run the command again.'],
  });
}

/** Whatever happens inside, the lock is given back, and what went wrong first is what is told. */
export async function withLock<Result>(platform: Platform, path: string, command: string, work: () => Promise<Result>): Promise<Result> {
  const lock = await acquireLock(platform, path, command);
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await lock.release().catch(() => {});
    throw error;
  }
  await lock.release();
  return result;
}

/** The process that holds the lock now; `null` when none does. */
export async function readHolder(platform: Platform, path: string): Promise<Holder | null> {
  const holder = await readLock(platform, path);
  return holder !== null && holder !== UNREADABLE && (await isAlive(holder)) ? holder : null;
}

/** Locks in a folder whose holders are dead, by their names, those of take-overs first: each is taken over and given back. */
export async function sweepLocks(platform: Platform, folder: string): Promise<string[]> {
  const entries = await platform.files.list(folder).catch(() => []);
  const names = entries.map(({ name }) => name).filter((name) => LOCK_NAME.test(name));
  const removed: string[] = [];
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const path = join(folder, name);
    if ((await readHolder(platform, path)) !== null || !(await platform.files.exists(path))) continue;
    // Whoever is faster clears it away as well.
    await withLock(platform, path, 'sweep', async () => void removed.push(path)).catch(() => {});
  }
  return removed;
}

const LOCK_NAME = /^lock(?:\.takeover-[0-9a-z]+)*$/;

type Attempt = { kind: 'taken'; lock: Lock } | { kind: 'held'; holder: Holder } | { kind: 'again' };

async function tryLock(platform: Platform, path: string, mine: Holder): Promise<Attempt> {
  if (await platform.files.createExclusive(path, `${JSON.stringify(mine)}\n`)) {
    return { kind: 'taken', lock: { release: () => removeIf(platform, path, mine.token) } };
  }
  const holder = await readLock(platform, path);
  if (holder === null) return { kind: 'again' };
  if (holder !== UNREADABLE && (await isAlive(holder))) return { kind: 'held', holder };
  const token = holder === UNREADABLE ? UNREADABLE : holder.token;
  const takeover = await tryLock(platform, `${path}.takeover-${token.slice(0, 12)}`, { ...mine, token: platform.random.id(12) });
  if (takeover.kind === 'taken') {
    await removeIf(platform, path, token);
    await takeover.lock.release();
  }
  return { kind: 'again' };
}

async function removeIf(platform: Platform, path: string, token: string): Promise<void> {
  const holder = await readLock(platform, path);
  if (holder === null) return;
  if ((holder === UNREADABLE ? UNREADABLE : holder.token) === token) await platform.files.remove(path);
}

async function readLock(platform: Platform, path: string): Promise<Holder | typeof UNREADABLE | null> {
  const text = await platform.files.readTextIfExists(path);
  if (text === null) return null;
  try {
    const holder = HolderSchema.safeParse(JSON.parse(text));
    return holder.success ? holder.data : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

async function newHolder(platform: Platform, command: string): Promise<Holder> {
  return { token: platform.random.id(12), ...(await ownIdentity()), command, since: isoNow(platform.clock) };
}

async function isAlive(holder: Holder): Promise<boolean> {
  const here = await ownIdentity();
  if (holder.host !== here.host) return true;
  if (holder.boot !== here.boot) return false;
  if (holder.namespace !== here.namespace) return true;
  const found = await processIdentity(holder.pid);
  return found !== null && found.started === holder.started;
}

function lockedError(path: string, holder: Holder): HarnessError {
  return new HarnessError(
    `Another harness process holds this project: process ${holder.pid} (${holder.command}) on ${holder.host}, since ${holder.since}.`,
    {
      exitCode: EXIT.locked,
      next: 'retry_at',
      details: ['Wait until it ends, or end it with: harness stop', `If you are certain that it no longer runs, remove ${path}`],
    },
  );
}
