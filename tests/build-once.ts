/** Builds the bundle once before the tests that start the program. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export async function setup(): Promise<void> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: root });
}
