/**
 * The folder of a project's state, and whether it is the harness's own.
 *
 * 1. What git tracks in it, or what a link leads to, came with the project: nothing of it is read or written (exit 6).
 * 2. A folder that the settings name must hold nothing but state, because `harness abort` moves it as a whole (exit 2).
 * 3. From here on no link below it is followed (`platform/guarded-files.ts`).
 */
import { basename, dirname, join, normalize } from 'node:path';
import { HarnessError, usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { hasCode } from '../platform/files.ts';
import { tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';

const DEFAULT_STATE_DIR = '.harness';

/** Throws where it is not the harness's own. */
export async function openStateFolder(platform: Platform, root: string, stateDir: string): Promise<void> {
  const problem = await foreignState(platform, root, stateDir);
  if (problem !== null) throw problem;
}

/** Guards the folder; gives what is wrong with it. */
export async function foreignState(platform: Platform, root: string, stateDir: string): Promise<HarnessError | null> {
  const path = normalize(stateDir).replace(/\/+$/, '');
  await guardState(platform, join(root, path));
  const link = await firstLink(platform, root, path);
  if (link !== null) return problemWith(path, `${link} is a symbolic link`, `rm ${link}`);
  if (await isTracked(platform, root, path))
    return problemWith(path, `git tracks files in ${path}/`, `git rm -r -q --cached ${path} && git commit -m "Stop tracking ${path}"`);
  const other = path === DEFAULT_STATE_DIR ? null : await otherContent(platform, join(root, path));
  return other === null ? null : problemWith(path, other, null);
}

/** Under its name and under the one that all links on the way to the project lead to. */
async function guardState(platform: Platform, folder: string): Promise<void> {
  platform.files.guard(folder);
  const above = await platform.files.realpath(dirname(folder)).catch(() => null);
  if (above !== null) platform.files.guard(join(above, basename(folder)));
}

async function firstLink(platform: Platform, root: string, path: string): Promise<string | null> {
  const parts = path.split('/');
  for (const [index] of parts.entries()) {
    const way = parts.slice(0, index + 1).join('/');
    const found = await platform.files.lstat(join(root, way)).catch(() => null);
    if (found === null) return null;
    if (found.isSymbolicLink()) return way;
  }
  return null;
}

/** In the index, in whatever spelling the file system takes for the same, or in the current commit. */
async function isTracked(platform: Platform, root: string, path: string): Promise<boolean> {
  const [index, head] = await Promise.all([
    tryGit(platform, ['ls-files', '-z', '--', `:(icase,literal)${path}`], { cwd: root }),
    tryGit(platform, ['ls-tree', '-z', 'HEAD', '--', path], { cwd: root }),
  ]);
  return [index, head].some(({ code, stdout }) => code === 0 && stdout.length > 0);
}

/** Made by the harness, or with nothing in it yet. */
async function otherContent(platform: Platform, folder: string): Promise<string | null> {
  try {
    const names = (await platform.files.list(folder)).map(({ name }) => name);
    if (names.length === 0 || names.includes(STATE_FILE)) return null;
    if ((await platform.files.readTextIfExists(join(folder, '.gitignore'))) === '*\n') return null;
    return `it contains other files (${names.toSorted().slice(0, 3).join(', ')})`;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    if (hasCode(error, 'ENOTDIR')) return 'it is a file';
    throw error;
  }
}

/** Of a version that wrote no `.gitignore`. */
const STATE_FILE = 'session_state.json';

function problemWith(path: string, cause: string, command: string | null): HarnessError {
  const elsewhere = 'set paths.state_dir in .harness.yaml to another folder, for example .harness-state';
  if (path !== DEFAULT_STATE_DIR) return usageError(`paths.state_dir: ${path} cannot be the state folder: ${cause}.`, `fix: ${elsewhere}`);
  return new HarnessError(`${path} did not come from the harness: ${cause}. Nothing in it was read or written.`, {
    exitCode: EXIT.preflight,
    details: [`To start without it: ${command}`, `To keep it: ${elsewhere}.`],
  });
}
