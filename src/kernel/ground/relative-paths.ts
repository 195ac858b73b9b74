/** Paths as tools print them, for prompts and records: relative to the project, wherever the copy was that they ran in. */
import { escapePattern } from '../../domain/text-parts.ts';
import type { Place } from '../place.ts';

/** Copies are at `work/<project>/<lane>/tree`, clean rooms at `rooms/<project>/<lane>/<room>`. */
const COPY = String.raw`/(?:work|rooms)(?:/[^/\s'"\`:()]+){3}`;

export function relativePaths({ harnessHome, root }: Pick<Place, 'harnessHome' | 'root'>, text: string): string {
  const copy = `(?:file://)?(?:${escapePattern(harnessHome)}${COPY}|${escapePattern(root)})`;
  return text.replaceAll(new RegExp(`${copy}/(?=[\\w.@])`, 'g'), '').replaceAll(new RegExp(`${copy}/?(?![\\w.@/-])`, 'g'), '.');
}
