/**
 * Lends an agent program private copies of its own folders, at the paths where it looks for them.
 *
 * 1. The user's folders stay out of reach: what an agent wrote there (a hook, a tool server, a plugin) would run outside the sandbox later.
 * 2. Of a copy only logins go back, as `lendFiles` says.
 * 3. Settings and the like are copied, up to a bound; histories and large files are not.
 */
import { basename, join } from 'node:path';
import type { StateFolder } from '../platform/agent-state.ts';
import type { Platform } from '../platform/platform.ts';
import { jsonObject, lendFiles } from './borrowed-files.ts';

export interface LentState {
  /** [private copy, the user's folder] */
  at: [string, string][];
  /** Takes renewed logins back and removes the copies. */
  giveBack(): Promise<void>;
}

const MOST_FILES = 1_000;
const LARGEST_BYTES = 1024n * 1024n;
const LEFT_OUT = /^(?:projects|todos|sessions|file-history|shell-snapshots|history.*|logs?|cache|tmp|\..*\.lock)$/;

export async function lendState(platform: Platform, folders: readonly StateFolder[], below: string): Promise<LentState> {
  const at: [string, string][] = [];
  const ends: (() => Promise<void>)[] = [];
  for (const [index, { path, logins }] of folders.entries()) {
    await platform.files.mkdir(path);
    const to = join(below, `${index}-${basename(path)}`);
    const lent = logins.map((name) => ({ name, sound: (text: string) => jsonObject(text) !== null }));
    ends.push(await lendFiles(platform, { from: path, to, given: [], lent }));
    await copyRest(platform, path, to, new Set(logins));
    at.push([to, path]);
  }
  return { at, giveBack: async () => void (await Promise.all(ends.map((end) => end()))) };
}

async function copyRest({ files }: Platform, from: string, to: string, except: ReadonlySet<string>): Promise<void> {
  let copied = 0;
  const level = [''];
  for (let folder = level.shift(); folder !== undefined && copied < MOST_FILES; folder = level.shift()) {
    for (const { name } of await files.list(join(from, folder)).catch(() => [])) {
      const path = join(folder, name);
      const stat = LEFT_OUT.test(name) || except.has(path) ? null : await files.lstat(join(from, path)).catch(() => null);
      if (stat?.isDirectory() === true) {
        await files.mkdir(join(to, path));
        level.push(path);
      } else if (stat?.isFile() === true && stat.size <= LARGEST_BYTES && copied < MOST_FILES) {
        copied += 1;
        const content = await files.read(join(from, path)).catch(() => null);
        if (content !== null) await files.write(join(to, path), content, Number(stat.mode) & 0o700);
      }
    }
  }
}
