/**
 * The documents of a session: in its output directory, and the working files under `.harness/`.
 *
 * 1. Only plain files inside the directory are read or written; a link on the way, or a place outside, is refused.
 * 2. What agents wrote was taken and cleaned before it comes here.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { containedPath } from '../../platform/contained-path.ts';
import type { Place } from '../../kernel/place.ts';
import type { Session } from './session.ts';

export type DocumentName = 'spec.md' | 'changes.md' | 'verify_report.md' | 'qa_report.md';
export const OWN_DOCUMENTS: readonly DocumentName[] = ['spec.md', 'changes.md', 'verify_report.md', 'qa_report.md'];
/** Left by the discovery of requirements, and kept in history. */
export const PERSISTED_DOCUMENTS = ['qa_notes.md', 'critic_findings.md', 'conventions.md'] as const;
/** The spec that was there before the session planned its own. */
export const ORIGINAL_SPEC = 'spec.original.md';

export type WorkFolder = 'planner' | 'generator';
type Ground = Pick<Place, 'platform' | 'root' | 'stateDir'>;

export function documentPath(session: Pick<Session, 'docs_path'>, name: string): string {
  return `${session.docs_path.replace(/\/*$/, '/')}${name}`;
}

export async function readDocumentText(desk: Ground, session: Pick<Session, 'docs_path'>, name: string): Promise<string | null> {
  return await readInside(desk, documentPath(session, name));
}

export async function writeDocumentText(desk: Ground, session: Pick<Session, 'docs_path'>, name: string, text: string): Promise<void> {
  await writeInside(desk, desk.root, documentPath(session, name), text);
}

export async function hasDocument(desk: Ground, session: Pick<Session, 'docs_path'>, name: string): Promise<boolean> {
  return (await readDocumentText(desk, session, name)) !== null;
}

export async function readWorkFile(desk: Ground, folder: WorkFolder, name: string): Promise<string | null> {
  return await desk.platform.files.readTextIfExists(join(desk.stateDir, folder, name));
}

export async function writeWorkFile(desk: Ground, folder: WorkFolder, name: string, text: string): Promise<void> {
  await writeInside(desk, desk.stateDir, `${folder}/${name}`, text);
}

export async function makeWorkFolder(desk: Ground, folder: WorkFolder): Promise<void> {
  await desk.platform.files.mkdir(join(desk.stateDir, folder));
}

export async function clearWorkFolder(desk: Ground, folder: WorkFolder): Promise<void> {
  await desk.platform.files.remove(join(desk.stateDir, folder));
}

export async function readConventions(desk: Ground, session: Pick<Session, 'conventions'>): Promise<string> {
  if (session.conventions?.startsWith('file:') !== true) return '';
  return (await readInside(desk, session.conventions.slice('file:'.length))) ?? '';
}

async function readInside(desk: Ground, path: string): Promise<string | null> {
  const place = await containedPath(desk.platform, desk.root, path);
  if (!place.exists) return null;
  refuseLinks(path, place);
  const stat = await desk.platform.files.lstat(join(desk.root, path));
  if (!stat.isFile()) return null;
  return await desk.platform.files.readText(join(desk.root, path));
}

async function writeInside(desk: Ground, root: string, path: string, text: string): Promise<void> {
  await desk.platform.files.mkdir(root);
  refuseLinks(path, await containedPath(desk.platform, root, path));
  const target = join(root, path);
  await desk.platform.files.mkdir(dirname(target));
  await desk.platform.files.writeAtomic(target, text);
}

function refuseLinks(path: string, place: { inside: boolean; link: 'leaf' | 'intermediate' | null }): void {
  if (place.inside && place.link === null) return;
  throw usageError(
    place.link === null ? `${path} leads out of this directory.` : `${path} is reached through a symbolic link.`,
    'Nothing was written there. Name another place with --output-dir DIR.',
  );
}
