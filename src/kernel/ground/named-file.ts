/** A file that a person names. One of the project that is a link to a place outside was put there by the project: its text is not the project's to hand on. */
import { resolve } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { containedPath } from '../../platform/contained-path.ts';
import type { Platform } from '../../platform/platform.ts';
import { isInside } from '../../workspace/paths.ts';

/** Null: there is no such file. */
export async function readNamedFile(platform: Platform, root: string, named: string): Promise<string | null> {
  const path = resolve(root, named);
  if (isInside(resolve(root), path)) {
    const { inside, link } = await containedPath(platform, root, path);
    if (link !== null && !inside)
      throw usageError(`${named} is a symbolic link out of this directory.`, 'fix: name the file itself, if you trust what it is');
  }
  return await platform.files.readTextIfExists(path);
}
