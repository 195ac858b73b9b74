/** Copies of the state directory beside it. Each appears whole and ignores itself, so that it never reaches a commit. */
import { basename, join } from 'node:path';
import { TEMPORARY_PREFIX, type Files } from '../../platform/files.ts';
import { ownName } from '../../platform/own-name.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Place } from '../place.ts';

/** `<state>.backup.<date>`, with the time of day where that name is taken. Returns its path. */
export async function backUpState({ platform, stateDir, now }: Pick<Place, 'platform' | 'stateDir' | 'now'>): Promise<string> {
  const stamp = now().replace(/[-:]|\.\d+Z$/g, '');
  const byDay = `${stateDir}.backup.${stamp.slice(0, 8)}`;
  const target = (await platform.files.exists(byDay)) ? `${stateDir}.backup.${stamp}-${platform.random.id(2)}` : byDay;
  const unfinished = join(stateDir, ownName(`${TEMPORARY_PREFIX}backup`, platform.random.id(4)));
  await copyFolder(platform.files, stateDir, unfinished, (name) => isLock(name) || name.startsWith(TEMPORARY_PREFIX));
  await ignoreItself(platform, unfinished);
  await platform.files.rename(unfinished, target);
  return target;
}

export async function ignoreItself(platform: Platform, folder: string): Promise<void> {
  await platform.files.writeAtomic(join(folder, '.gitignore'), '*\n');
}

async function copyFolder(files: Files, from: string, to: string, leaves: (name: string) => boolean): Promise<void> {
  await files.mkdir(to);
  for (const entry of await files.list(from)) {
    if (leaves(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(files, source, target, () => false);
    else if (entry.isSymbolicLink()) await files.symlink(await files.readlink(source), target);
    else if (entry.isFile()) await files.copy(source, target);
  }
}

function isLock(name: string): boolean {
  return basename(name) === 'lock' || name.startsWith('lock.');
}
