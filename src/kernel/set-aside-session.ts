/**
 * Sessions that made room for another task: their own files are kept below `set_aside/<name>/` until their task is given again.
 *
 * 1. The session file moves last: a move that was cut off is finished by the next one.
 * 2. A session is found by the text of its task, or by the name made of it.
 */
import { returnToBranch } from './ground/session-branch.ts';
import { slugify } from './ground/slug.ts';
import type { Place } from './place.ts';
import type { Session } from './session-document.ts';

const FOLDER = 'set_aside';
/** What the workflow and spec flows own below the state directory. */
export const SESSION_FILES = ['planner', 'generator', 'spec', 'conventions', 'autofix_pre_apply'] as const;

type Flow = 'workflow' | 'spec';
type Ground = Pick<Place, 'documents'>;

interface Aside {
  name: string;
  flow: Flow;
  task: string;
  branch: string | null;
  session: Exclude<Session, { kind: 'none' | 'other' }>;
}

export async function setSessionAside({ documents }: Ground, task: string): Promise<void> {
  const others = (await sessionsAside({ documents })).filter((one) => one.task.trim() !== task.trim());
  let name = slugify(task);
  for (let number = 2; others.some((one) => one.name === name); number += 1) name = `${slugify(task)}-${number}`;
  for (const file of SESSION_FILES) await documents.keepIn(FOLDER, name, file);
  await documents.keepIn(FOLDER, name, 'session');
}

/** The task of the session that was taken back, on its branch again; null when none of this name was set aside. */
export async function takeSessionBack(place: Place, flow: Flow, wanted: string): Promise<string | null> {
  const { documents } = place;
  const found = (await sessionsAside(place)).find(
    (one) => one.flow === flow && (one.task.trim() === wanted.trim() || one.name === wanted.trim()),
  );
  if (found === undefined) return null;
  if (place.hasGit && found.branch !== null) await returnToBranch(place, found.branch);
  for (const file of SESSION_FILES) await documents.takeFrom(FOLDER, found.name, file);
  await documents.takeFrom(FOLDER, found.name, 'session');
  await documents.folder(FOLDER).remove(found.name);
  return found.task;
}

export async function sessionsAside({ documents }: Ground): Promise<Aside[]> {
  const folder = documents.folder(FOLDER);
  const found: Aside[] = [];
  for (const name of await folder.list()) {
    const session = (await documents.read('session', { writer: false, from: folder.in(name) }))?.session;
    if (session === undefined || session.kind === 'other') continue;
    const branch = 'branch' in session.state ? (session.state.branch ?? null) : null;
    found.push({ name, flow: session.kind === 'spec' ? 'spec' : 'workflow', task: session.state.task, branch, session });
  }
  return found;
}
