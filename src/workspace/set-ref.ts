/**
 * Moves a ref of the harness's own, wherever it stood. Not for branches: those move by compare and swap, with a note in their log.
 *
 * A ref that is new gets a file of its own without a process. Git moves one that is there already: it may be packing it at this moment.
 */
import { dirname, join } from 'node:path';
import { git } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';

export async function setRef(platform: Platform, home: Home, ref: string, commit: string): Promise<void> {
  if (await isNew(platform, home, ref)) {
    const path = join(home.commonDir, ref);
    await platform.files.mkdir(dirname(path)).catch(() => {});
    await platform.files.writeAtomic(path, `${commit}\n`);
  } else await git(platform, ['update-ref', '--end-of-options', ref, commit], { cwd: home.root });
}

async function isNew({ files }: Platform, { commonDir }: Home, ref: string): Promise<boolean> {
  if (!/^refs\/harness\/[a-z]+\/[\w-]+$/.test(ref)) return false;
  const taken = await Promise.all(['reftable', ref, `${ref}.lock`].map((name) => files.exists(join(commonDir, name))));
  if (taken.includes(true)) return false;
  const folder = await files.lstat(join(commonDir, dirname(ref))).catch(() => null);
  const packed = await files.readTextIfExists(join(commonDir, 'packed-refs')).catch(() => null);
  return folder?.isDirectory() !== false && !`${packed ?? ''}`.includes(` ${ref}\n`);
}
