/** Files of a room that a run wrote or took away, by the time at which each was last touched, which nobody in the run can set. */
import { dirname, join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';

/** From so many on, one look by a program of the system is cheaper than one at each file. */
const MANY = 500;

export async function writtenSince(platform: Platform, room: string, paths: readonly string[], started: number): Promise<string[]> {
  const touched = paths.length < MANY ? null : await touchedSince(platform, room, started);
  if (touched?.size === 0) return [];
  const lost = touched === null ? new Set<string>() : await lostFolders(platform, room, paths, touched);
  const suspects =
    touched === null
      ? paths
      : paths.filter((path) => touched.has(path) || touched.has(dirname(path)) || foldersOf(path).some((folder) => lost.has(folder)));
  const written: string[] = [];
  for (const path of suspects) {
    const info = await platform.files.lstat(join(room, path)).catch(() => null);
    if (info === null || info.ctimeMs > started) written.push(path);
  }
  return written;
}

/** The outermost folders that are not there any more: what held them was touched. */
async function lostFolders(
  platform: Platform,
  room: string,
  paths: readonly string[],
  touched: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (const folder of new Set(paths.flatMap(foldersOf))) {
    if (!touched.has(dirname(folder))) continue;
    const info = await platform.files.lstat(join(room, folder)).catch(() => null);
    if (info?.isDirectory() !== true) lost.add(folder);
  }
  return lost;
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) folders.push(path.slice(0, cut));
  return folders;
}

/**
 * Files and folders; `.` is the room itself. A folder is touched when something in it is added or taken away, so that what is missing was in one
 * of them, or in a folder that was. `null`: this machine has no program that tells.
 */
async function touchedSince(platform: Platform, room: string, started: number): Promise<ReadonlySet<string> | null> {
  const found = await platform.processes
    .run({
      file: 'find',
      args: ['-P', '.', '-name', '.git', '-prune', '-o', '-newerct', `@${((started - 1) / 1_000).toFixed(3)}`, '-print0'],
      cwd: room,
      env: { PATH: platform.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    })
    .catch(() => null);
  if (found === null || found.code !== 0 || found.truncated) return null;
  const names = found.stdout.toString('utf8').split('\0');
  return names.some((name) => name.includes('\ufffd'))
    ? null
    : new Set(names.filter((name) => name !== '').map((name) => (name === '.' ? '.' : name.slice(2))));
}
