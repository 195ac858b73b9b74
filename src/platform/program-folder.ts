/**
 * The folder that a program needs around it: what was installed together with it, and no more.
 *
 * 1. Below `node_modules`: the outermost `node_modules`. In `bin` beside `lib` and the like: the folder of both.
 * 2. Else the folder of the file, or the folder that was named; where that is a place that everybody uses, the file alone.
 */
import { lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isThere } from './at-once.ts';

/** A search path without folders that depend on where a process stands: there a repository could put programs of its own. */
export function withoutRelative(path: string): string {
  return path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .join(':');
}

const SHARED = new Set(['/', '/tmp', '/var', '/var/tmp', '/run', '/home', '/root', '/opt', '/srv', '/mnt']);
const BESIDE_PROGRAMS = ['lib', 'lib64', 'libexec', 'share', 'pyvenv.cfg'];

export function programFolder(file: string): string {
  const packages = file.indexOf('/node_modules/');
  if (packages > 0) return file.slice(0, packages + '/node_modules'.length);
  if (isThere(file) && lstatSync(file).isDirectory()) return file;
  const folder = dirname(file);
  if (SHARED.has(folder)) return file;
  return installationAround(folder);
}

/** For a folder of programs: the folder around it where that holds their installation; else the folder itself. */
export function installationAround(folder: string): string {
  const around = dirname(folder);
  if (basename(folder) === '.bin') return around;
  if (!/^s?bin$/.test(basename(folder)) || SHARED.has(around)) return folder;
  return BESIDE_PROGRAMS.some((name) => isThere(join(around, name))) ? around : folder;
}

/** A plain file that its owner may start. */
export function isExecutable(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o100) !== 0;
}
