/** State documents name objects of the repository. A name that nothing answers to is a mistake in the document, told with its place. */
import { usageError } from '../domain/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { resolveRevision, type Home } from '../workspace/home.ts';

export interface NamedObject {
  /** As the document writes it: `harness.base_tree`. */
  field: string;
  value: string | null;
  kind: 'commit' | 'tree';
}

/** Exit 2 for the first field that names no such object. */
export async function checkObjects(
  platform: Platform,
  home: Home,
  file: string,
  named: readonly NamedObject[],
  fix: string,
): Promise<void> {
  for (const { field, value, kind } of named) {
    if (value === null) continue;
    const found = /^[0-9a-f]{40,64}$/.test(value) ? await resolveRevision(platform, home, `${value}^{${kind}}`) : null;
    if (found !== null && (kind === 'commit' || found === value)) continue;
    throw usageError(`${file}: ${field} is ${JSON.stringify(value.slice(0, 80))}, and the repository holds no ${kind} of that name.`, fix);
  }
}
