/** Keeps the stack of a defect where the next reader looks for it: the project's logs, else the user's. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { HARNESS_VERSION } from '../domain/version.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { foreignState } from '../store/state-folder.ts';
import { findStateDir } from '../reading/state-dir.ts';

/** The file written, or null when even that failed: a defect report must not become a second defect. */
export async function recordDefect(platform: Platform, root: string, stack: string): Promise<string | null> {
  try {
    const folder = join((await logHome(platform, root)) ?? harnessFolder(platform), 'logs');
    const file = join(folder, 'defects.log');
    await platform.files.mkdir(folder);
    await platform.files.append(file, `${isoNow(platform.clock)} harness ${HARNESS_VERSION} node ${process.version}\n${stack}\n\n`);
    return file;
  } catch {
    return null;
  }
}

/** Null: the project has no state of the harness's own. */
async function logHome(platform: Platform, root: string): Promise<string | null> {
  const name = await findStateDir(platform, root).catch(() => '.harness');
  const state = join(root, name);
  if (!(await platform.files.exists(join(root, '.harness.yaml'))) && !(await platform.files.exists(state))) return null;
  return (await foreignState(platform, root, name).catch((error: unknown) => error)) === null ? state : null;
}

function harnessFolder({ env }: Platform): string {
  return env['HARNESS_HOME'] || join(env['HOME'] ?? homedir(), '.harness');
}
