/** Folders that are on this machine wherever the documents are: the journal, and texts of roles that a person wrote. */
import { isAbsolute, join } from 'node:path';
import type { Place } from './place.ts';

export function localFolder({ documents, stateDir }: Pick<Place, 'documents' | 'stateDir'>, name: 'logs' | 'roles'): string {
  const path = documents.where(name);
  return isAbsolute(path) ? path : join(stateDir, name);
}
