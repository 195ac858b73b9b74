/**
 * $HARNESS_HOME: settings, secrets and everything of every project. Only its owner may enter it; agents and test runs see nothing of it
 * but what is bound in for them.
 */
import { join, relative, sep } from 'node:path';
import { realPath } from '../platform/at-once.ts';
import type { Platform } from '../platform/platform.ts';
import { isExecutable } from '../platform/program-folder.ts';
import { isInside } from './paths.ts';
import { beforeFirst } from '../domain/text-parts.ts';

/** What the harness keeps there; hidden one by one where the whole cannot be. */
const OWN_ENTRIES = [
  'work',
  'rooms',
  'scratch',
  'cache',
  'identity',
  'roles',
  'config.yaml',
  'secret',
  'ui.json',
  'projects.json',
] as const;
/** Files that may lead elsewhere, such as into a folder of dotfiles. */
const OWN_FILES = ['config.yaml', 'secret'] as const;
/** Where a person may keep programs of their own, such as agents. */
const FOLDERS_OF_PROGRAMS: ReadonlySet<string> = new Set(['agents', 'bin', 'tools']);

/** Makes it where it is missing, and closes it to others. A folder that also holds the user's home directory is left as it is. */
export async function openHarnessHome(platform: Platform, harnessHome: string): Promise<void> {
  await (holdsUser(platform, harnessHome) ? platform.files.mkdir(harnessHome) : platform.files.mkdirPrivate(harnessHome));
}

export function hiddenOfHarness(platform: Platform, harnessHome: string): string[] {
  if (holdsUser(platform, harnessHome)) return OWN_ENTRIES.map((name) => join(harnessHome, name));
  const files = OWN_FILES.map((name) => realPath(join(harnessHome, name))).filter((path) => path !== null);
  return [harnessHome, ...files];
}

/** Of these files and folders of programs those that may be seen although they are below $HARNESS_HOME. */
export function programsBelow(harnessHome: string, paths: readonly string[]): string[] {
  return paths.filter((path) => {
    if (path === harnessHome || !isInside(harnessHome, path)) return false;
    const way = relative(harnessHome, path);
    const isLoose = !way.includes(sep) && !OWN_ENTRIES.some((name) => name === way);
    return FOLDERS_OF_PROGRAMS.has(beforeFirst(way, sep)) || (isLoose && isExecutable(path));
  });
}

function holdsUser({ env }: Platform, harnessHome: string): boolean {
  const home = env['HOME'];
  return home !== undefined && home !== '' && isInside(harnessHome, home);
}
