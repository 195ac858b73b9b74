/**
 * What the workflow removes when it ends, and nothing else.
 *
 * 1. Under `.harness/` only what the flows own; the session file goes last, so that a cleanup that was cut off is finished by the next command.
 * 2. In the output directory only documents of the session, by name, after the guard has looked at the way. Everything else there stays.
 */
import { join } from 'node:path';
import { hasAnswer, removeGate } from '../../gates/gate-files.ts';
import type { Place } from '../../kernel/place.ts';
import { SESSION_FILES, setSessionAside } from '../../kernel/set-aside-session.ts';
import { readSession } from '../../kernel/state-file.ts';
import { leaveBranch } from '../../kernel/ground/session-branch.ts';
import type { Bench } from './bench.ts';
import { clearTraces, removeEmptyFolders, tracesOf } from '../../kernel/session-traces.ts';
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

/** The session ends without its work: what it wrote goes, HEAD and changes that were set aside come back. */
export async function discardSession(place: Place, { words, tell, warn }: Pick<Bench, 'words' | 'tell' | 'warn'>): Promise<void> {
  const traces = tracesOf(await readSession(place.documents, { writer: false }));
  const back = traces === null ? null : await clearTraces(place, traces);
  if (back?.restored === true) tell(words.setup.restored);
  else if (back !== null) warn(words.setup.notRestored({ detail: back.detail }));
  await removeSession(place);
}

/** Keeps the session of another task; its questions are asked again when it goes on. */
export async function setAside(place: Place, task: string): Promise<void> {
  const traces = tracesOf(await readSession(place.documents, { writer: false }));
  if (traces !== null && place.hasGit) await leaveBranch(place, traces, { drop: false });
  for (const id of SESSION_GATES) await removeGate(place.documents.folder('gates'), id);
  await setSessionAside(place, task);
}

/** Questions that have lost their point: the session goes on elsewhere, or without being asked about. What was answered already stays. */
export async function removeStaleGates(place: Pick<Place, 'documents'>, moved: boolean): Promise<void> {
  const gates = place.documents.folder('gates');
  for (const id of moved ? SESSION_GATES : ABOUT_THE_SESSION) if (!(await hasAnswer(gates, id))) await removeGate(gates, id);
}

const ABOUT_THE_SESSION: readonly string[] = ['workflow.session', 'workflow.session-conflict', 'workflow.mode', 'workflow.model'];

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
  await removeEmptyFolders(place, documentPath(session, ''));
}
