/**
 * A manager that the harness fetched, beside the packages that it installed.
 *
 * Scripts call it by name (`pnpm lint && vitest run`), in rooms and in agents' copies, where nothing could fetch it. As a copy it needs no path
 * outside of the packages.
 */
import { join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import { copyTree } from '../copy-tree.ts';
import type { ManagerProgram } from './manager-program.ts';
import { jsonOf, recordOf } from './sources.ts';

const FOLDER = '.manager';

/** Where the project brings a program of that name, that one stays. */
export async function keepManager(platform: Platform, { folder }: Pick<ManagerProgram, 'folder'>, building: string): Promise<void> {
  if (folder === null) return;
  const { files } = platform;
  const modules = join(building, 'node_modules');
  await files.mkdir(join(modules, '.bin'));
  await copyTree(platform, folder, join(modules, FOLDER));
  for (const [name, path] of Object.entries(await programsOf(platform, folder))) {
    const link = join(modules, '.bin', name);
    const isTaken = (await files.lstat(link).catch(() => null)) !== null;
    if (typeof path !== 'string' || isTaken || !(await files.exists(join(modules, FOLDER, path)))) continue;
    await files.chmod(join(modules, FOLDER, path), 0o755);
    await files.symlink(join('..', FOLDER, path), link);
  }
}

/** As the package says it, or corepack for a manager that is a single file. */
async function programsOf({ files }: Platform, folder: string): Promise<Record<string, unknown>> {
  const read = async (name: string) => recordOf(jsonOf((await files.readTextIfExists(join(folder, name))) ?? '{}')['bin']);
  return { ...(await read('.corepack')), ...(await read('package.json')) };
}
