/**
 * Places of the machine where programs meet, each sandbox with its own: /tmp, /var/tmp, /run.
 *
 * 1. What is needed below them is bound in at its own path. Everything else there is out of sight, sockets first of all.
 * 2. Where /tmp lies on the disk, so that one command finds what the last one left, nobody inside can put a link in the way of a later
 *    mount: the topmost folder of whatever is bound in is itself a mount, and a mount can be neither renamed nor replaced.
 */
import { mkdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { realPath } from './at-once.ts';
import { beforeFirst } from '../domain/text-parts.ts';

export interface PrivatePlace {
  path: string;
  /** The folder that stands there; null: in memory, gone with the process. */
  scratch: string | null;
}

const ON_DISK = { '/tmp': 'tmp', '/var/tmp': 'var-tmp' } as const;
const IN_MEMORY = ['/run', '/var/run'] as const;

export function privatePlaces(scratch: string | null): PrivatePlace[] {
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

export function mountPrivate(places: readonly PrivatePlace[]): string[] {
  return places.flatMap(({ path, scratch }) => (scratch === null ? ['--tmpfs', path] : ['--bind', scratch, path]));
}

/** The private place that a path lies in; undefined where it lies in none. */
export function placeOf(places: readonly PrivatePlace[], path: string): PrivatePlace | undefined {
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
export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`) && path !== folder;
}
