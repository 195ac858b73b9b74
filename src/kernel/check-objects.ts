/** State documents name objects of the repository. A name that nothing answers to is a mistake in the document, told with its place. */
import { usageError } from '../domain/errors.ts';
import { resolveRevision } from '../workspace/home.ts';
import type { DocumentName } from './documents/catalogue.ts';
import type { Place } from './place.ts';

export interface NamedObject {
  /** As the document writes it: `harness.base_tree`. */
  field: string;
  value: string | null;
  kind: 'commit' | 'tree';
}

/** Exit 2 for the first field that names no such object. */
export async function checkObjects(
  { platform, home, documents }: Pick<Place, 'platform' | 'home' | 'documents'>,
  document: DocumentName,
  named: readonly NamedObject[],
  fix: string,
): Promise<void> {
  for (const { field, value, kind } of named) {
    if (value === null) continue;
    const found = /^[0-9a-f]{40,64}$/.test(value) ? await resolveRevision(platform, home, `${value}^{${kind}}`) : null;
    if (found !== null && (kind === 'commit' || found === value)) continue;
    throw usageError(
      `${documents.where(document)}: ${field} is ${JSON.stringify(value.slice(0, 80))}, and the repository has no such ${kind}.`,
      fix,
    );
  }
}
