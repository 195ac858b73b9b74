/** Where a path of the project leads, for flows that write documents into it: only plain ways inside are taken. */
import { containedPath } from '../../platform/contained-path.ts';
import type { Place } from '../place.ts';

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
