/** Folders that are on this machine wherever the documents are: the journal, and texts of roles that a person wrote. */
import { isAbsolute, join } from 'node:path';
import type { Documents } from './documents/documents.ts';

export function localFolder(
  { documents, stateDir }: { documents: Pick<Documents, 'where'>; stateDir: string },
  name: 'logs' | 'roles',
): string {
  const path = documents.where(name);
  return isAbsolute(path) ? path : join(stateDir, name);
}
