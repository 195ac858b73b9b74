/**
 * What changed in a large directory since a moment, by the times that the file system gives: only what was touched is compared.
 *
 * 1. Whatever is written, or loses its name, its rights or its place, or holds something like that, gets a change time from the moment on.
 *    Everything in a folder that was touched is compared by its record, and whole folders by their inodes, so that swaps are seen.
 * 2. `null` where this cannot tell: the clock was set back, there are too many changes, or a folder is not the one that was there.
 *    Then everything has to be looked at.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import { isUsual, recordOf, takeTouched } from './look.ts';
import { childrenIn, pathsBelow, recordIn, type Look } from './look-pieces.ts';
import { parseRecord, type LookedAt } from './look-record.ts';
import { takeTime } from './manifest.ts';
import { walkDirectory } from './walk.ts';
import { mustHave } from '../domain/must-have.ts';

/** From it on, changes have a later time; none from before has. */
export interface Moment {
  ns: bigint;
  now: number;
  /** The start of the machine, and the time since then. */
  boot: string;
  ms: number;
}

export interface Differences {
  gone: LookedAt[];
  come: LookedAt[];
  /** Those of `come`, as they would be printed. */
  records: string[];
}

const MOST_FOLDERS = 64;
const MOST_ENTRIES = 4_000;
const SLACK_MS = 2;

/** `newestNs`: what was made before and must not be taken for a change. `moment`: null where this machine has no clock to hold against its time. */
export async function takeMoment(platform: Platform, beside: string, newestNs: bigint): Promise<{ ns: bigint; moment: Moment | null }> {
  const [now, since] = [platform.clock.now(), platform.clock.sinceBoot?.() ?? null];
  const ns = await takeTime(platform, beside, newestNs);
  return { ns, moment: since === null ? null : { ns, now, ...since } };
}

export async function changesSince(
  platform: Platform,
  root: string,
  { look, since }: { look: Look; since: Moment },
  except: readonly string[] = [],
): Promise<Differences | null> {
  if (wasSetBack(platform, since)) return null;
  const touched = await takeTouched(platform, root, { except, since: since.ns });
  if (touched === null) return null;
  const entries = touched.map((record) => ({ record, ...parseRecord(record) }));
  const folders = entries.filter((entry) => entry.kind === 'd');
  if (folders.length > MOST_FOLDERS || entries.length > MOST_ENTRIES) return null;
  const now = new Map(entries.filter((entry) => entry.path !== '').map((entry) => [entry.path, entry.record]));
  const gone = new Set<string>();
  const before = new Map<string, string | null>();
  const recordBefore = (path: string): string | null => {
    const known = before.get(path) ?? recordIn(look, path);
    before.set(path, known);
    return known;
  };
  for (const { path, record } of folders) {
    if (path !== '' && recordBefore(path) === null) continue;
    if (path !== '' && recordBefore(path) !== record) return null;
    const [then, here] = [childrenIn(look, path), await childrenOf(platform, root, path, path === '' ? except : [])];
    if (here === null) return null;
    for (const [child, own] of then) if (!here.has(child)) for (const one of lostWith(look, child, own)) gone.add(one);
    for (const [child, own] of here) {
      const old = then.get(child);
      if (old === own) continue;
      if (old?.startsWith('d ') === true) return null;
      now.set(child, own);
      before.set(child, old ?? null);
      const below = own.startsWith('d ') ? await everythingIn(platform, root, child) : [];
      if (below === null) return null;
      for (const [one, its] of below) now.set(one, its);
    }
  }
  for (const [path, record] of now) {
    if (recordBefore(path) === record) now.delete(path);
    else if (recordBefore(path) !== null) gone.add(path);
  }
  if ([...now.values()].some((record) => !isUsual(record)) || wasSetBack(platform, since)) return null;
  const records = [...now.values()];
  const come = records.map(parseRecord);
  const lost = [...gone].map((path) => parseRecord(mustHave(recordBefore(path), 'what is gone was there before')));
  return [...come, ...lost].some(({ path }) => path.includes('\ufffd')) ? null : { gone: lost, come, records };
}

/** The clock by which files get their times did not go on as time did, or nobody can say. */
function wasSetBack({ clock }: Platform, since: Moment): boolean {
  const [now, later] = [clock.now(), clock.sinceBoot?.() ?? null];
  return later === null || later.boot !== since.boot || now - since.now < later.ms - since.ms - SLACK_MS;
}

/** A folder is lost with all that it held. */
function lostWith(look: Look, path: string, record: string): string[] {
  return record.startsWith('d ') ? [path, ...pathsBelow(look, path)] : [path];
}

async function childrenOf(
  platform: Platform,
  root: string,
  folder: string,
  except: readonly string[],
): Promise<Map<string, string> | null> {
  const names = await platform.files.list(join(root, folder)).catch(() => null);
  if (names === null || names.length > MOST_ENTRIES) return null;
  const found = await concurrently(names, 8, async (entry) => {
    if (entry.isDirectory() && except.includes(entry.name)) return null;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const stat = await platform.files.lstat(join(root, path)).catch(() => null);
    return [path, stat === null ? '' : recordOf(path, stat)] as const;
  });
  const children = new Map(found.filter((one) => one !== null));
  return [...children].some(([path, record]) => record === '' || path.includes('\ufffd')) ? null : children;
}

async function everythingIn(platform: Platform, root: string, folder: string): Promise<[string, string][] | null> {
  const walk = await walkDirectory(platform, join(root, folder));
  if (walk.unreadable.length > 0 || walk.files.length + walk.directories.length > MOST_ENTRIES) return null;
  return [...walk.directories, ...walk.files].map(({ path, stat }) => [`${folder}/${path}`, recordOf(`${folder}/${path}`, stat)]);
}
