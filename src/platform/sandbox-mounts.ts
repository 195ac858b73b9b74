/**
 * What stands where in a sandbox, as arguments of bubblewrap; later ones lie on top of earlier ones.
 *
 * 1. The machine read-only, then the private places, then what is shown below them.
 * 2. What is hidden is empty and read-only. What the user allows is seen all the same, and programs that are bared.
 * 3. Sockets of other programs are covered wherever they are found; below /var with the folder they lie in, so that one that is opened
 *    later is out of sight too.
 * 4. What is writable comes last, with what is hidden or read-only inside it.
 */
import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { realPath } from './at-once.ts';
import { boundSockets } from './bound-sockets.ts';
import { isBelow, mountPrivate, placeOf, privatePlaces, topFolders, type PrivatePlace } from './private-places.ts';
import type { SandboxSpec } from './sandbox-spec.ts';
import { socketsBelow } from './sockets.ts';
import { itemAt } from '../domain/items.ts';

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
