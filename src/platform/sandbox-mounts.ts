/**
 * What stands where in a sandbox, as arguments of bubblewrap; later ones lie on top of earlier ones.
 *
 * 1. The machine read-only, then the private places, then what is shown below them.
 * 2. What is hidden is empty and read-only. What the user allows is seen all the same, and programs that are bared.
 * 3. Sockets of other programs are covered wherever they are found; below /var with the folder they lie in, so that one that is opened
 *    later is out of sight too.
 * 4. What is writable comes last, with what is hidden or read-only inside it.
 */
import { lstatSync, type Stats, readdirSync, type Dirent, mkdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { realPath, turn } from './at-once.ts';
import { boundSockets } from './bound-sockets.ts';
import type { SandboxSpec } from './sandbox-spec.ts';
import { itemAt } from '../domain/items.ts';
import { beforeFirst } from '../domain/text-parts.ts';

/** Where daemons keep sockets that do not end up in the kernel's list of this process. */
const DAEMONS_BELOW = '/var';
/** Who a user is, and which address a name has, is asked there where files do not say it. */
const NAME_SERVICES = ['/etc/resolv.conf', '/run/nscd/socket', '/run/nslcd/socket', '/var/lib/sss/pipes/nss'] as const;

export async function sandboxMounts(spec: SandboxSpec): Promise<string[]> {
  const places = privatePlaces(spec.scratch ?? null);
  const wanted = realPaths(spec.shown ?? []);
  const hidden = realPaths(spec.hidden);
  const bared = realPaths(spec.bared ?? []).filter((path) => !hidden.some((other) => other === path || isBelow(path, other)));
  const allowed = realPaths([...(spec.allowed ?? []), ...(spec.network === 'host' ? NAME_SERVICES : [])]);
  const shown = outermost([...new Set([...wanted, ...allowed, ...bared])].filter((path) => placeOf(places, path) !== undefined));
  const inWritable = (path: string): boolean => spec.writable.some((folder) => isBelow(folder, path));
  const inSight = (path: string): boolean =>
    placeOf(places, path) === undefined || [...shown, ...spec.writable].some((folder) => folder === path || isBelow(folder, path));
  const at = (spec.readOnlyAt ?? []).map(([, inside]) => inside);
  const covered = hidden.filter((path) => !inWritable(path) && inSight(path));
  const isBare = (path: string): boolean =>
    [...bared, ...allowed].some((folder) => isBelow(folder, path)) || !covered.some((other) => other === path || isBelow(other, path));
  const needed = [...shown, ...spec.writable, ...at];
  const tops = topFolders(places, needed);
  const found = await foundSockets(spec, shown, covered);
  const sockets = found.sockets.filter(
    (path) => inSight(path) && !inWritable(path) && !allowed.some((other) => other === path || isBelow(other, path)) && isBare(path),
  );
  const inUse = [...needed, ...wanted, ...allowed];
  const args = [
    ...mountPrivate(places),
    ...tops.flatMap((path) => ['--tmpfs', path]),
    ...shown.flatMap((path) => ['--ro-bind-try', path, path]),
    ...hide(covered),
    ...[...bared, ...allowed]
      .filter((path) => covered.some((folder) => isBelow(folder, path)))
      .flatMap((path) => ['--ro-bind-try', path, path]),
    ...hide(sockets.map((path) => coverOf(path, inUse))),
    ...hide(found.folders.filter((folder) => inSight(folder) && isBare(folder) && !holds(folder, inUse))),
    ...spec.writable.flatMap((path) => ['--bind', path, path]),
    ...(spec.writableAt ?? []).flatMap(([outside, inside]) => ['--bind', outside, inside]),
    ...hide(hidden.filter(inWritable)),
    ...(spec.readOnly ?? []).flatMap((path) => ['--ro-bind-try', path, path]),
    ...(spec.readOnlyAt ?? []).flatMap(([outside, inside]) => ['--ro-bind', outside, inside]),
    ...(spec.writableOver ?? []).flatMap(([outside, inside]) => ['--bind', outside, inside]),
  ];
  return [...args, ...closed(args, places)];
}

/** Over the real path: a link to a directory of secrets hides the directory, under all its names. */
function realPaths(paths: readonly string[]): string[] {
  return [...new Set(paths.map(realPath).filter((path) => path !== null))];
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function outermost(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => isBelow(other, path)));
}

async function foundSockets(
  spec: SandboxSpec,
  shown: readonly string[],
  covered: readonly string[],
): Promise<{ sockets: string[]; folders: string[] }> {
  const [bound, ...looked] = await Promise.all([
    boundSockets(),
    ...[DAEMONS_BELOW, ...shown].map((folder) => socketsBelow(folder, covered)),
  ]);
  const paths = realPaths([...bound.paths, ...looked.flat(), ...(spec.sockets ?? [])]);
  // A name in the kernel's list can be one of another file system, and stand for something else here.
  return { sockets: paths.filter((path) => statOf(path)?.isSocket() === true), folders: realPaths(bound.folders) };
}

/** The folder of a daemon's own, where there is one that holds nothing that is needed; else the socket alone. */
function coverOf(socket: string, needed: readonly string[]): string {
  const folder = dirname(socket);
  const isOwn = folder.startsWith(`${DAEMONS_BELOW}/`) && folder.split('/').length > 3;
  return isOwn && !holds(folder, needed) && !needed.some((path) => isBelow(path, folder)) ? folder : socket;
}

function holds(folder: string, paths: readonly string[]): boolean {
  return paths.some((path) => path === folder || isBelow(folder, path));
}

function hide(paths: readonly string[]): string[] {
  const args: string[] = [];
  for (const path of outermost([...new Set(paths)])) {
    const stat = statOf(path);
    if (stat !== undefined) args.push(...(stat.isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]));
  }
  return args;
}

/** Every folder that was put there empty is read-only, but for the private places themselves. */
function closed(args: readonly string[], places: readonly PrivatePlace[]): string[] {
  const empty = args.flatMap((word, index) => (word === '--tmpfs' ? [itemAt(args, index + 1)] : []));
  return empty.filter((path) => !places.some((place) => place.path === path)).flatMap((path) => ['--remount-ro', path]);
}

/**
 * Sockets in folders where daemons keep them, held open or not: those of containers are not in the kernel's list of this process.
 * Looking is bounded: a folder that cannot be read or is very large is not followed to its end.
 */
const MOST_FOLDERS = 4_000;
const DEEPEST = 6;
const REMEMBERED_MS = 30_000;
/** What package managers keep about packages: thousands of files, and no program listens there. */
const OF_PACKAGES: ReadonlySet<string> = new Set(
  ['lib/dpkg', 'lib/apt', 'cache/apt', 'cache/man', 'lib/rpm', 'cache/dnf', 'lib/pacman', 'cache/pacman'].map((path) => `/var/${path}`),
);
const remembered = new Map<string, { at: number; sockets: Promise<string[]> }>();

/** Sockets that lie below a folder, held open or not, apart from those in folders that are hidden anyway; asked again only after a while. */
function socketsBelow(folder: string, hidden: readonly string[]): Promise<string[]> {
  const inside = hidden.filter((path) => path.startsWith(`${folder}/`));
  const key = [folder, ...inside].join('\0');
  const known = remembered.get(key);
  if (known !== undefined && performance.now() - known.at < REMEMBERED_MS) return known.sockets;
  const sockets = lookBelow(folder, new Set(inside));
  remembered.set(key, { at: performance.now(), sockets });
  return sockets;
}

async function lookBelow(root: string, hidden: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  let level = [root];
  for (let depth = 0, looked = 0; depth < DEEPEST && level.length > 0 && looked < MOST_FOLDERS; depth += 1) {
    const next: string[] = [];
    for (const folder of level.slice(0, MOST_FOLDERS - looked)) {
      looked += 1;
      await turn();
      for (const entry of listed(folder)) {
        const isFolder = entry.isDirectory();
        if (!isFolder && !entry.isSocket()) continue;
        const path = join(folder, entry.name);
        if (!isFolder) found.push(path);
        else if (!hidden.has(path) && !OF_PACKAGES.has(path)) next.push(path);
      }
    }
    level = next;
  }
  return found;
}

function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Places of the machine where programs meet, each sandbox with its own: /tmp, /var/tmp, /run.
 *
 * 1. What is needed below them is bound in at its own path. Everything else there is out of sight, sockets first of all.
 * 2. Where /tmp lies on the disk, so that one command finds what the last one left, nobody inside can put a link in the way of a later
 *    mount: the topmost folder of whatever is bound in is itself a mount, and a mount can be neither renamed nor replaced.
 */
interface PrivatePlace {
  path: string;
  /** The folder that stands there; null: in memory, gone with the process. */
  scratch: string | null;
}

const ON_DISK = { '/tmp': 'tmp', '/var/tmp': 'var-tmp' } as const;
const IN_MEMORY = ['/run', '/var/run'] as const;

function privatePlaces(scratch: string | null): PrivatePlace[] {
  const places = new Map<string, PrivatePlace>();
  for (const [path, name] of [...Object.entries(ON_DISK), ...IN_MEMORY.map((one) => [one, null] as const)]) {
    const real = realPath(path);
    if (real === null || places.has(real)) continue;
    const folder = scratch === null || name === null ? null : join(scratch, name);
    if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 });
    places.set(real, { path: real, scratch: folder });
  }
  return [...places.values()];
}

function mountPrivate(places: readonly PrivatePlace[]): string[] {
  return places.flatMap(({ path, scratch }) => (scratch === null ? ['--tmpfs', path] : ['--bind', scratch, path]));
}

/** The private place that a path lies in; undefined where it lies in none. */
function placeOf(places: readonly PrivatePlace[], path: string): PrivatePlace | undefined {
  return places.find((place) => isBelow(place.path, path));
}

/** Mounts for the topmost folders of what will be bound in below a place on the disk. */
export function topFolders(places: readonly PrivatePlace[], needed: readonly string[]): string[] {
  const tops = new Set<string>();
  for (const path of needed) {
    const place = placeOf(places, path);
    if (place === undefined || place.scratch === null) continue;
    const top = join(place.path, beforeFirst(relative(place.path, path), sep));
    if (top !== path && !needed.includes(top)) tops.add(top);
  }
  return [...tops];
}

/** Strictly below; both absolute. */
function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`) && path !== folder;
}
