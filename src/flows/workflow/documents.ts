/**
 * The documents of a session: in its output directory, and the working files under `.harness/`.
 *
 * 1. Only plain files inside the directory are read or written; a link on the way, or a way outside, is refused.
 * 2. What agents wrote was taken and cleaned before it comes here.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { wayTo, type Way } from '../../kernel/ground/way-to.ts';
import type { Place } from '../../kernel/place.ts';
import { WORKFLOW_DOCUMENTS } from '../../kernel/session-traces.ts';
import type { Session } from './session.ts';

export const OWN_DOCUMENTS = WORKFLOW_DOCUMENTS;
export type DocumentName = (typeof OWN_DOCUMENTS)[number];
/** Left by the discovery of requirements, and kept in history. */
export const PERSISTED_DOCUMENTS = ['qa_notes.md', 'critic_findings.md', 'conventions.md'] as const;

export type WorkFolder = 'planner' | 'generator';
type Ground = Pick<Place, 'platform' | 'root' | 'documents'>;

export function documentPath(session: Pick<Session, 'docs_path'>, name: string): string {
  return `${session.docs_path.replace(/\/*$/, '/')}${name}`;
}

export async function readDocumentText(place: Ground, session: Pick<Session, 'docs_path'>, name: string): Promise<string | null> {
  return await readInside(place, documentPath(session, name));
}

export async function writeDocumentText(place: Ground, session: Pick<Session, 'docs_path'>, name: string, text: string): Promise<void> {
  await writeInside(place, documentPath(session, name), text);
}

export async function hasDocument(place: Ground, session: Pick<Session, 'docs_path'>, name: string): Promise<boolean> {
  return (await readDocumentText(place, session, name)) !== null;
}

export async function readWorkFile(place: Ground, folder: WorkFolder, name: string): Promise<string | null> {
  return await place.documents.folder(folder).read(name);
}

export async function writeWorkFile(place: Ground, folder: WorkFolder, name: string, text: string): Promise<void> {
  await place.documents.folder(folder).write(name, text);
}

export async function clearWorkFolder(place: Ground, folder: WorkFolder): Promise<void> {
  await place.documents.remove(folder);
}

export async function readConventions(place: Ground, session: Pick<Session, 'conventions'>): Promise<string> {
  if (session.conventions?.startsWith('file:') !== true) return '';
  return (await readInside(place, session.conventions.slice('file:'.length))) ?? '';
}

async function readInside(place: Ground, path: string): Promise<string | null> {
  const way = await wayTo(place, path);
  if (!way.exists) return null;
  refuseLinks(path, way);
  const stat = await place.platform.files.lstat(join(place.root, path));
  if (!stat.isFile()) return null;
  return await place.platform.files.readText(join(place.root, path));
}

async function writeInside(place: Ground, path: string, text: string): Promise<void> {
  refuseLinks(path, await wayTo(place, path));
  const target = join(place.root, path);
  await place.platform.files.mkdir(dirname(target));
  await place.platform.files.writeAtomic(target, text);
}

function refuseLinks(path: string, { inside, linked }: Way): void {
  if (inside && !linked) return;
  throw usageError(
    !linked ? `${path} leads out of this directory.` : `${path} is reached through a symbolic link.`,
    'Nothing was written there. Name another way with --output-dir DIR.',
  );
}
