/**
 * Sockets in folders where daemons keep them, held open or not: those of containers are not in the kernel's list of this process.
 * Looking is bounded: a folder that cannot be read or is very large is not followed to its end.
 */
import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { turn } from './at-once.ts';

const MOST_FOLDERS = 4_000;
const DEEPEST = 6;
const REMEMBERED_MS = 30_000;
/** What package managers keep about packages: thousands of files, and no program listens there. */
const OF_PACKAGES: ReadonlySet<string> = new Set(
  ['lib/dpkg', 'lib/apt', 'cache/apt', 'cache/man', 'lib/rpm', 'cache/dnf', 'lib/pacman', 'cache/pacman'].map((path) => `/var/${path}`),
);
const remembered = new Map<string, { at: number; sockets: Promise<string[]> }>();

/** Sockets that lie below a folder, held open or not, apart from those in folders that are hidden anyway; asked again only after a while. */
export function socketsBelow(folder: string, hidden: readonly string[]): Promise<string[]> {
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
