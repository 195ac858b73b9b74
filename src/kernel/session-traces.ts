/**
 * What an unfinished session of a workflow or a spec leaves beside its state: documents, a branch that HEAD is on, changes on the stash.
 *
 * 1. Only documents that the session wrote and that git does not track go. A spec that was there before is put back.
 * 2. HEAD goes back where the session found it only while neither branch has moved.
 */
import { dirname, join } from 'node:path';
import { validatePath } from '../domain/validate-path.ts';
import { git } from '../platform/git.ts';
import { giveBack, leaveBranch } from './ground/session-branch.ts';
import { isSharedFolder } from './ground/slug.ts';
import { wayTo } from './ground/way-to.ts';
import type { Place } from './place.ts';
import { sessionsAside } from './set-aside-session.ts';
import { readSession } from './state-file.ts';
import type { Session } from './session-document.ts';

export const WORKFLOW_DOCUMENTS = ['spec.md', 'changes.md', 'verify_report.md', 'qa_report.md'] as const;
/** The spec that was there before a workflow planned from it. */
export const ORIGINAL_SPEC = 'spec.original.md';

type Ground = Pick<Place, 'platform' | 'root' | 'home' | 'hasGit' | 'documents'>;

export interface Traces {
  docs_path: string | null;
  created_at: string;
  branch: string | null;
  /** The branch that HEAD was on before. */
  origin: string | null;
  slug: string | null;
}

/** Null: there is nothing to look for. */
export function tracesOf(session: Session): Traces | null {
  if (!('state' in session) || session.kind === 'workflow-v1') return null;
  const { state } = session;
  return {
    docs_path: state.docs_path,
    created_at: state.created_at,
    branch: 'branch' in state ? (state.branch ?? null) : draftBranch(state.harness),
    origin: state.harness.origin,
    slug: 'slug' in state ? state.slug : null,
  };
}

function draftBranch(harness: object): string | null {
  const draft = 'draft' in harness ? harness.draft : null;
  const branch = typeof draft === 'object' && draft !== null && 'branch' in draft ? draft.branch : null;
  return typeof branch === 'string' ? branch : null;
}

/** At the end of a session whose work nobody wanted: `slug` names what it had put on the stash. */
export async function clearTraces(place: Ground, traces: Traces): Promise<{ restored: boolean; detail: string } | null> {
  await takeAway(place, traces, null);
  if (!place.hasGit) return null;
  await leaveBranch(place, traces, { drop: true });
  return traces.slug === null ? null : await giveBack(place, traces.slug);
}

/** Of every session, open or set aside; documents are kept below `folder`. What brings them back, as shell commands. */
export async function putTracesAway(place: Ground, folder: string): Promise<{ branch: string | null; kept: boolean }> {
  const session = await readSession(place.documents, { writer: false }).catch(() => null);
  const own = session === null ? null : tracesOf(session);
  const aside = (await sessionsAside(place)).map(({ session: other }) => tracesOf(other));
  let kept = false;
  for (const traces of [own, ...aside]) if (traces !== null) kept = (await takeAway(place, traces, folder)) || kept;
  const left = own !== null && place.hasGit && (await leaveBranch(place, own, { drop: false }));
  return { branch: left ? own.branch : null, kept };
}

/** Why documents below this directory must not be removed; null when they may be. */
export async function guardDocuments(place: Pick<Place, 'platform' | 'root'>, docsPath: string): Promise<string | null> {
  const checked = validatePath(docsPath, 'output_dir');
  if (!checked.ok) return checked.reason;
  if (isSharedFolder(checked.path)) return 'the directory belongs to all tasks or to the memory of the project';
  const { inside, linked } = await wayTo(place, checked.path);
  if (!inside) return 'the directory leads out of the project';
  return linked ? 'a symbolic link is on the way to it' : null;
}

/** `to`: where they are kept; null: removed. Whether there were any. */
async function takeAway(place: Ground, { docs_path, created_at }: Traces, to: string | null): Promise<boolean> {
  if (docs_path === null || (await guardDocuments(place, docs_path)) !== null) return false;
  const { files } = place.platform;
  const tracked = place.hasGit ? await trackedIn(place, docs_path) : [];
  const began = Date.parse(created_at);
  let taken = false;
  for (const name of WORKFLOW_DOCUMENTS) {
    const path = `${docs_path}${name}`;
    const stat = await files.lstat(join(place.root, path)).catch(() => null);
    if (stat?.isFile() !== true || tracked.includes(path) || !(stat.mtimeMs >= began)) continue;
    taken = true;
    if (to === null) await files.remove(join(place.root, path));
    else {
      await files.mkdir(dirname(join(to, path)));
      await files.rename(join(place.root, path), join(to, path));
    }
  }
  const original = join(place.root, docs_path, ORIGINAL_SPEC);
  if (await files.exists(original)) await files.rename(original, join(place.root, docs_path, 'spec.md'));
  await removeEmptyFolders(place, docs_path);
  return taken;
}

async function trackedIn({ platform, home }: Ground, folder: string): Promise<string[]> {
  const listed = await git(platform, ['ls-files', '-z', '--', folder], { cwd: home.root });
  return listed.toString('utf8').split('\0');
}

/** The directory and those above it, up to the first that holds something. */
export async function removeEmptyFolders({ platform, root }: Pick<Place, 'platform' | 'root'>, docsPath: string): Promise<void> {
  const parts = docsPath.split('/').filter((part) => part !== '');
  for (let length = parts.length; length > 0; length -= 1) {
    const folder = join(root, ...parts.slice(0, length));
    const entries = await platform.files.list(folder).catch(() => null);
    if (entries === null || entries.length > 0) return;
    await platform.files.remove(folder);
  }
}
