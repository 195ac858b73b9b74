/**
 * What the workflow removes when it ends, and nothing else.
 *
 * 1. Under `.harness/` only what the flows own; the session file goes last, so that a cleanup that was cut off is finished by the next command.
 * 2. In the output directory only documents of the session, by name, after the guard has looked at the way. Everything else there stays.
 */
import { join } from 'node:path';
import { validatePath } from '../../domain/validate-path.ts';
import { hasAnswer, removeGate } from '../../gates/gate-files.ts';
import { wayTo } from '../../kernel/ground/way-to.ts';
import type { Place } from '../../kernel/place.ts';
import { SESSION_FILES, setSessionAside } from '../../kernel/set-aside-session.ts';
import { isSharedFolder } from '../../kernel/ground/slug.ts';
import { documentPath } from './documents.ts';
import type { Session } from './session.ts';

const NAMES = [
  'mode',
  'model',
  'conventions',
  'conventions-failed',
  'spec',
  'tampering',
  'dependencies',
  'verify',
  'auto-fix',
  'qa',
  'commit',
  'session',
  'session-conflict',
];
/** Every question of the flow. */
export const SESSION_GATES: readonly string[] = NAMES.map((name) => `workflow.${name}`);

export async function removeSession(place: Pick<Place, 'documents'>): Promise<void> {
  for (const name of SESSION_FILES) await place.documents.remove(name);
  for (const id of SESSION_GATES) await removeGate(place.documents.folder('gates'), id);
  await place.documents.remove('session');
}

/** Keeps the session of another task; its questions are asked again when it goes on. */
export async function setAside(place: Pick<Place, 'documents'>, task: string): Promise<void> {
  for (const id of SESSION_GATES) await removeGate(place.documents.folder('gates'), id);
  await setSessionAside(place, task);
}

/** Questions that have lost their point: the session goes on elsewhere, or without being asked about. What was answered already stays. */
export async function removeStaleGates(place: Pick<Place, 'documents'>, moved: boolean): Promise<void> {
  const gates = place.documents.folder('gates');
  for (const id of moved ? SESSION_GATES : ABOUT_THE_SESSION) if (!(await hasAnswer(gates, id))) await removeGate(gates, id);
}

const ABOUT_THE_SESSION: readonly string[] = ['workflow.session', 'workflow.session-conflict', 'workflow.mode', 'workflow.model'];

/** Why documents of this session must not be removed; null when they may be. */
export async function guardDocuments(place: Pick<Place, 'platform' | 'root'>, session: Pick<Session, 'docs_path'>): Promise<string | null> {
  const checked = validatePath(session.docs_path, 'output_dir');
  if (!checked.ok) return checked.reason;
  if (isSharedFolder(checked.path)) return 'the directory belongs to all tasks or to the memory of the project';
  const { inside, linked } = await wayTo(place, checked.path);
  if (!inside) return 'the directory leads out of the project';
  return linked ? 'a symbolic link is on the way to it' : null;
}

/** Removes the named documents; then the directory, and the ones above it that are the harness's, where nothing is left in them. */
export async function removeDocuments(
  place: Pick<Place, 'platform' | 'root'>,
  session: Pick<Session, 'docs_path'>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const path = join(place.root, documentPath(session, name));
    const stat = await place.platform.files.lstat(path).catch(() => null);
    if (stat?.isFile() === true) await place.platform.files.remove(path);
  }
  const parts = documentPath(session, '')
    .split('/')
    .filter((part) => part !== '');
  for (let length = parts.length; length > 0; length -= 1) {
    const folder = join(place.root, ...parts.slice(0, length));
    const entries = await place.platform.files.list(folder).catch(() => null);
    if (entries === null || entries.length > 0) return;
    await place.platform.files.remove(folder);
  }
}
