/** A digest of a directory's names, types, sizes, inodes and change times: any touch changes it, and reading no content makes it cheap. */
import { createHash } from 'node:crypto';
import type { Platform } from '../platform/platform.ts';
import { walkDirectory } from './walk.ts';

export async function fingerprint(platform: Platform, folder: string): Promise<string> {
  const walk = await walkDirectory(platform, folder);
  const lines = [
    ...walk.files.map(({ path, stat }) => `${path}\0${stat.mode}\0${stat.size}\0${stat.ino}\0${stat.ctimeNs}`),
    ...walk.directories.map(({ path, stat }) => `${path}\0${stat.mode}\0d`),
    ...walk.unreadable.map((path) => `${path}\0unreadable`),
  ];
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(`${line}\n`);
  return hash.digest('hex');
}
