/** Where a path of the project leads, for flows that write documents into it: only plain ways inside are taken. */
import { containedPath } from '../../platform/contained-path.ts';
import type { Place } from '../place.ts';
import { resolve } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { isInside } from '../../workspace/paths.ts';

export interface Way {
  exists: boolean;
  /** It does not lead out of the place. */
  inside: boolean;
  /** A symbolic link is on it. */
  linked: boolean;
}

export async function wayTo({ platform, root }: Pick<Place, 'platform' | 'root'>, path: string): Promise<Way> {
  const { exists, inside, link } = await containedPath(platform, root, path);
  return { exists, inside, linked: link !== null };
}

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
