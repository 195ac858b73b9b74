/**
 * The folder that a program needs around it: what was installed together with it, and no more.
 *
 * 1. Below `node_modules`: the outermost `node_modules`. In `bin` beside `lib` and the like: the folder of both.
 * 2. Else the folder of the file, or the folder that was named; where that is a place that everybody uses, the file alone.
 */
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const SHARED = new Set(['/', '/tmp', '/var', '/var/tmp', '/run', '/home', '/root', '/opt', '/srv', '/mnt']);
const BESIDE_PROGRAMS = ['lib', 'lib64', 'libexec', 'share', 'pyvenv.cfg'];

export async function programFolder(file: string): Promise<string> {
  const packages = file.indexOf('/node_modules/');
  if (packages > 0) return file.slice(0, packages + '/node_modules'.length);
  const named = await lstat(file).catch(() => null);
  if (named?.isDirectory() === true) return file;
  const folder = dirname(file);
  if (SHARED.has(folder)) return file;
  return installationAround(folder);
}

/** For a folder of programs: the folder around it where that holds their installation; else the folder itself. */
export async function installationAround(folder: string): Promise<string> {
  const around = dirname(folder);
  if (basename(folder) === '.bin') return around;
  if (!/^s?bin$/.test(basename(folder)) || SHARED.has(around)) return folder;
  const beside = await Promise.all(BESIDE_PROGRAMS.map((name) => lstat(join(around, name)).catch(() => null)));
  return beside.some((stat) => stat !== null) ? around : folder;
}
