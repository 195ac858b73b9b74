/**
 * Looks for sockets by their inodes: in the folders where they are likely first, then everywhere on their devices, for a bounded time.
 *
 * Folders of packages come last: they are large, and no program listens there.
 */
import { lstatSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { turn } from './at-once.ts';
import { mountPoints } from './mounts.ts';
import type { SocketFile } from './socket-inodes.ts';

export interface Search {
  /** How many names each inode has that are still to be found. */
  wanted: Map<number, number>;
  devices: ReadonlySet<string>;
  likely: readonly string[];
  /** Out of sight in every sandbox. */
  except: readonly string[];
  mostMs: number;
}

export interface Found {
  sockets: { path: string; inode: number }[];
  /** Folders of sockets whose names are no text. */
  folders: string[];
  /** Everything was looked at, or everything was found. */
  isComplete: boolean;
}

const LAST = new Set(['node_modules', '.git', '__pycache__', 'site-packages', 'objects']);
const NO_TEXT = '\ufffd';

export async function findInodes({ wanted, devices, likely, except, mostMs }: Search): Promise<Found> {
  const begin = performance.now();
  const found: Found = { sockets: [], folders: [], isComplete: true };
  const { inside, outside } = mountsOf(devices);
  const seen = new Set<string>([...except, ...outside]);
  const mounts = inside.filter((path) => !except.some((folder) => path.startsWith(`${folder}/`)));
  const [queue, last] = [[...likely, ...mounts], [] as string[]];
  for (let at = 0; wanted.size > 0; at += 1) {
    if (at === queue.length) queue.push(...last.splice(0));
    const folder = queue[at];
    if (folder === undefined) return found;
    if (performance.now() - begin > mostMs) return { ...found, isComplete: false };
    if (seen.has(folder)) continue;
    seen.add(folder);
    await turn();
    for (const entry of listed(folder)) {
      const path = join(folder, entry.name);
      if (entry.isSocket()) take(found, wanted, folder, path);
      else if (entry.isDirectory() && !seen.has(path)) (LAST.has(entry.name) ? last : queue).push(path);
    }
  }
  return found;
}

function take(found: Found, wanted: Map<number, number>, folder: string, path: string): void {
  if (path.includes(NO_TEXT)) {
    found.folders.push(folder);
    return;
  }
  if (found.sockets.some((one) => one.path === path)) return;
  const inode = inodeOf(path);
  const left = inode === null ? undefined : wanted.get(inode);
  if (inode === null || left === undefined) return;
  found.sockets.push({ path, inode });
  if (left <= 1) wanted.delete(inode);
  else wanted.set(inode, left - 1);
}

function inodeOf(path: string): number | null {
  try {
    return Number(lstatSync(path, { bigint: true }).ino & 0xffffffffn);
  } catch {
    return null;
  }
}

function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Where these devices can be reached from here, and where others begin, which are not gone into: one may be on a network that does not answer. */
function mountsOf(devices: ReadonlySet<SocketFile['device']>): { inside: string[]; outside: string[] } {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    const isInside = (line: string): boolean => devices.has(line.split(' ')[2] ?? '');
    const pointsOf = (some: readonly string[]): string[] => mountPoints(some.join('\n'));
    return { inside: pointsOf(lines.filter(isInside)), outside: pointsOf(lines.filter((line) => !isInside(line))) };
  } catch {
    return { inside: [], outside: [] };
  }
}
