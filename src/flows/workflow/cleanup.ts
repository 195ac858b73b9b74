/**
 * What the workflow removes when it ends, and nothing else.
 *
 * 1. Under `.harness/` only what the flows own; the session file goes last, so that a cleanup that was cut off is finished by the next command.
 * 2. In the output directory only documents of the session, by name, after the guard has looked at the place. Everything else there stays.
 */
import { join } from 'node:path';
import { validatePath } from '../../domain/validate-path.ts';
import { removeGate } from '../../gates/gate-files.ts';
import { containedPath } from '../../platform/contained-path.ts';
import type { Place } from '../../kernel/place.ts';
import { isReserved } from '../../kernel/ground/slug.ts';
import { stateFilePath } from '../../kernel/state-file.ts';
import { documentPath } from './documents.ts';
import type { Session } from './session.ts';

const OWNED = ['planner', 'generator', 'spec', 'conventions.md', 'autofix_pre_apply'];
const NAMES = [
  'mode',
  'model',
  'conventions',
  'conventions-failed',
  'spec',
  'verify',
  'auto-fix',
  'qa',
  'commit',
  'session',
  'session-conflict',
];
/** Every question of the flow. */
export const SESSION_GATES: readonly string[] = NAMES.map((name) => `workflow.${name}`);

export async function removeSession(desk: Pick<Place, 'platform' | 'stateDir'>): Promise<void> {
  for (const name of OWNED) await desk.platform.files.remove(join(desk.stateDir, name));
  for (const id of SESSION_GATES) await removeGate(desk.platform, desk.stateDir, id);
  await desk.platform.files.remove(stateFilePath(desk.stateDir));
}

/** Why documents of this session must not be removed; null when they may be. */
export async function guardDocuments(desk: Pick<Place, 'platform' | 'root'>, session: Pick<Session, 'docs_path'>): Promise<string | null> {
  const checked = validatePath(session.docs_path, 'output_dir');
  if (!checked.ok) return checked.reason;
  const slug = checked.path.split('/').at(-1)!;
  if (isReserved(slug)) return 'the directory belongs to the memory of the project';
  const place = await containedPath(desk.platform, desk.root, checked.path);
  if (!place.inside) return 'the directory leads out of the project';
  return place.link === null ? null : 'a symbolic link is on the way to it';
}

/** Removes the named documents; then the directory, and the ones above it that are the harness's, where nothing is left in them. */
export async function removeDocuments(
  desk: Pick<Place, 'platform' | 'root'>,
  session: Pick<Session, 'docs_path'>,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const path = join(desk.root, documentPath(session, name));
    const stat = await desk.platform.files.lstat(path).catch(() => null);
    if (stat?.isFile() === true) await desk.platform.files.remove(path);
  }
  const parts = documentPath(session, '')
    .split('/')
    .filter((part) => part !== '');
  for (let length = parts.length; length > 0; length -= 1) {
    const folder = join(desk.root, ...parts.slice(0, length));
    const entries = await desk.platform.files.list(folder).catch(() => null);
    if (entries === null || entries.length > 0) return;
    await desk.platform.files.remove(folder);
  }
}
