/** The lock that git leaves beside the user's index when it is cut off while it writes. */
import { tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';

/**
 * Removes it, and says where it was; null where there was none, or where a git command still runs in the project.
 * The caller holds the project's lock and knows of a step of the harness's own that was cut off.
 */
export async function dropIndexLock(platform: Platform, home: Home): Promise<string | null> {
  const found = await tryGit(platform, ['rev-parse', '--path-format=absolute', '--git-path', 'index.lock'], { cwd: home.root });
  const path = found.stdout.toString('utf8').trim();
  if (found.code !== 0 || !(await platform.files.exists(path))) return null;
  for (let tries = 0; tries < 20 && (await platform.processes.runningIn(home.root, 'git')).length > 0; tries += 1)
    await platform.clock.sleep(100);
  if ((await platform.processes.runningIn(home.root, 'git')).length > 0 || !(await platform.files.exists(path))) return null;
  await platform.files.remove(path);
  return path;
}
