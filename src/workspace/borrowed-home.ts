/**
 * A repository that reads the objects of a user's repository and keeps what is added to itself.
 *
 * 1. Nothing is written into the user's repository: no object, no ref, no index file.
 * 2. Each use has a repository of its own, which is removed afterwards; those of dead processes are removed by the next use.
 * 3. `head` is what the caller trusts, not what is checked out.
 */
import { join } from 'node:path';
import { git, gitLine } from '../platform/git.ts';
import { isLeftBehind, ownName } from '../platform/own-name.ts';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';

export async function withBorrowedHome<Result>(
  platform: Platform,
  { home, trusted, folder }: { home: Home; trusted: string; folder: string },
  work: (borrowed: Home) => Promise<Result>,
): Promise<Result> {
  await platform.files.mkdirPrivate(folder);
  await removeLeftovers(platform, folder);
  const gitDir = join(folder, ownName('objects', platform.random.id(6)));
  try {
    const format = await gitLine(platform, ['rev-parse', '--show-object-format'], { cwd: home.root });
    await git(platform, ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, gitDir], { cwd: folder });
    await platform.files.mkdir(join(gitDir, 'objects', 'info'));
    await platform.files.writeAtomic(join(gitDir, 'objects', 'info', 'alternates'), `${join(home.commonDir, 'objects')}\n`);
    return await work({ ...home, gitDir, commonDir: gitDir, head: trusted });
  } finally {
    await platform.files.remove(gitDir);
  }
}

async function removeLeftovers(platform: Platform, folder: string): Promise<void> {
  for (const { name } of await platform.files.list(folder))
    if (name.startsWith('objects-') && (await isLeftBehind(name))) await platform.files.remove(join(folder, name));
}
