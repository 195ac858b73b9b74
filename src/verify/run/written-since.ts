/** Files of a room that a run wrote or took away, by the time at which each was last touched, which nobody in the run can set. */
import { join } from 'node:path';
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
      : paths.filter(
          (path) => touched.has(path) || touched.has(folderOf(path)) || (lost.size > 0 && foldersOf(path).some((one) => lost.has(one))),
        );
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
  for (const folder of allFolders(paths)) {
    if (!touched.has(folderOf(folder))) continue;
    const info = await platform.files.lstat(join(room, folder)).catch(() => null);
    if (info?.isDirectory() !== true) lost.add(folder);
  }
  return lost;
}

/** Neighbours stand together, and most lie in a folder that is known already. */
function allFolders(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = folderOf(path); folder !== '.' && !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  return folders;
}

function folderOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '.' : path.slice(0, cut);
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
