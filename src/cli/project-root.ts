/** From a directory to the project it belongs to, the way git finds a repository. */
import { dirname, join } from 'node:path';
import type { Platform } from '../platform/platform.ts';

/** The nearest directory upwards with a `.harness.yaml`, not past the top of the repository; else that top; outside of one the directory itself. */
export async function findProjectRoot(platform: { files: Pick<Platform['files'], 'exists'> }, cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await platform.files.exists(join(folder, '.harness.yaml'))) return folder;
    if (await platform.files.exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
