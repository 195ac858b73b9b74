/**
 * A room's `node_modules`: a folder of links to the harness's own install.
 *
 * 1. Making hundreds of links and removing them again costs more than many a test run, so a folder of links is kept between runs and
 *    moved into the next room. Whatever a run did to it is undone first: what does not belong there goes, what is missing or points
 *    elsewhere is linked anew.
 * 2. Whoever moves a folder out of the store has it alone. A store that cannot be used costs time and nothing else.
 */
import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Room } from '../../domain/tree.ts';
import { isThroughLink } from '../../platform/contained-path.ts';
import { WRITTEN_IN_PACKAGES } from '../../domain/written-in-packages.ts';
import type { Platform } from '../../platform/platform.ts';
import { mustHave } from '../../domain/must-have.ts';

/** Folders of links that are kept for one install, and installs for which any are kept. */
const MOST_KEPT = 6;
const MOST_INSTALLS = 4;

/** Links every package; the returned call takes away what was made, and nothing that the room had of its own. */
export async function linkDependencies(platform: Platform, room: Room, scratch: string): Promise<() => Promise<void>> {
  const made: { folder: string; target: string; store: string }[] = [];
  if (room.dependencies !== null)
    for (const folder of ['node_modules', ...(room.nested ?? [])]) {
      if (await isThroughLink(platform, room.path, folder)) continue;
      const target = join(room.path, folder);
      const source = join(dirname(room.dependencies), folder);
      const there = await platform.files.lstat(target).catch(() => null);
      const isOwn = there?.isDirectory() === true;
      if (there !== null && !isOwn) await platform.files.remove(target);
      const store = join(scratch, 'links', createHash('sha256').update(source).digest('hex').slice(0, 24));
      if (!isOwn) {
        await takeKept(platform, store, target);
        made.push({ folder, target, store });
      }
      await linkPackages(platform, room, source, { target, isOwn });
    }
  return async () => {
    // The run may have put a link in the way, and what lies behind it is nothing of the room.
    for (const { folder, target, store } of made)
      if (!(await isThroughLink(platform, room.path, folder))) await keep(platform, store, target);
  };
}

async function takeKept(platform: Platform, store: string, target: string): Promise<void> {
  await platform.files.mkdir(dirname(target));
  for (const entry of await platform.files.list(store).catch(() => []))
    if (
      await platform.files.rename(join(store, entry.name), target).then(
        () => true,
        () => false,
      )
    )
      return;
}

async function keep(platform: Platform, store: string, target: string): Promise<void> {
  try {
    await platform.files.mkdir(store);
    if ((await platform.files.list(store)).length < MOST_KEPT) await platform.files.rename(target, join(store, platform.random.id(8)));
    await dropOldStores(platform, dirname(store));
  } catch {
    // Kept or not, it has to leave the room.
  }
  await platform.files.remove(target);
}

async function dropOldStores(platform: Platform, stores: string): Promise<void> {
  const found = (await platform.files.listStats(stores)).flatMap(({ name, stat }) => (stat === null ? [] : [{ name, stat }]));
  const old = found.toSorted((one, other) => Number(other.stat.mtimeMs - one.stat.mtimeMs)).slice(MOST_INSTALLS);
  for (const { name } of old) await platform.files.remove(join(stores, name));
}

interface Target {
  target: string;
  /** The room's own folder: what is there stays. */
  isOwn: boolean;
}

/** Programs, the manager that a fetch brought (`kept-manager.ts`), the stores that programs of pnpm, bun and yarn name by a path relative to
 * their own, and what yarn asks before it runs a script. */
const WITH_A_DOT: ReadonlySet<string> = new Set(['.bin', '.manager', '.pnpm', '.bun', '.store', '.yarn-state.yml']);

async function linkPackages(platform: Platform, room: Room, folder: string, { target, isOwn }: Target): Promise<void> {
  const entries = (await platform.files.list(folder)).filter((entry) => !entry.name.startsWith('.') || WITH_A_DOT.has(entry.name));
  const names = entries.map((entry) => entry.name);
  await tidy(platform, target, { names, isOwn, isFolder: (name) => name.startsWith('@') });
  for (const name of names) {
    const [from, to] = [join(folder, name), join(target, name)];
    if (!name.startsWith('@')) await linkOnce(platform, room, from, { target: to, isOwn });
    else {
      const scoped = (await platform.files.list(from)).map((entry) => entry.name);
      await tidy(platform, to, { names: scoped, isOwn, isFolder: () => false });
      for (const one of scoped) await linkOnce(platform, room, join(from, one), { target: join(to, one), isOwn });
    }
  }
}

/** A folder at this place that holds links alone, and none with another name. */
async function tidy(
  platform: Platform,
  folder: string,
  { names, isOwn, isFolder }: { names: readonly string[]; isOwn: boolean; isFolder: (name: string) => boolean },
): Promise<void> {
  const there = await platform.files.lstat(folder).catch(() => null);
  if (there === null) return await platform.files.mkdir(folder);
  if (isOwn) return;
  if (!there.isDirectory()) {
    await platform.files.remove(folder);
    return await platform.files.mkdir(folder);
  }
  const wanted = new Set(names);
  for (const entry of await platform.files.list(folder)) {
    const isRight = wanted.has(entry.name) && (isFolder(entry.name) ? entry.isDirectory() : entry.isSymbolicLink());
    if (!isRight) await platform.files.remove(join(folder, entry.name));
  }
}

/** A package of the project itself is the one in the room; where it was installed only its package file lies. */
async function linkOnce(platform: Platform, room: Room, from: string, { target, isOwn }: Target): Promise<void> {
  const now = await platform.files.readlink(target).catch(() => null);
  if (now === null ? await platform.files.exists(target) : isOwn) return;
  const link = await platform.files.readlink(from).catch(() => null);
  const inside =
    link === null
      ? null
      : relative(dirname(mustHave(room.dependencies, 'a room with links has dependencies')), resolve(dirname(from), link));
  const isOfProject = inside !== null && !inside.startsWith('..') && !isAbsolute(inside) && !inside.split(sep).includes('node_modules');
  const wanted = isOfProject ? join(room.path, inside) : from;
  if (now === wanted) return;
  if (now !== null) await platform.files.remove(target);
  await platform.files.symlink(wanted, target);
}

/** An empty file of the run's own over each that a tool writes into its package. [own file, place] */
export async function writtenInPackages(platform: Platform, { dependencies }: Room, folder: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  if (dependencies === null) return found;
  for (const path of WRITTEN_IN_PACKAGES) {
    const place = await platform.files.realpath(join(dependencies, path)).catch(() => null);
    if (place === null) continue;
    const own = join(folder, `written-${found.length}`);
    await platform.files.write(own, '');
    found.push([own, place]);
  }
  return found;
}
