/** Once for a test run: builds the bundle, and makes the home directory that the tests' homes are made of. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { changedBlocks, livedInHome } from './lived-in-home.ts';

export async function setup(): Promise<() => Promise<void>> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root });
  const home = livedInHome();
  return async () => {
    const changed = changedBlocks();
    await rm(home, { recursive: true, force: true });
    if (changed.length > 0) throw new Error(`A test wrote into a user's package cache (blocks ${changed.join(', ')}).`);
  };
}
