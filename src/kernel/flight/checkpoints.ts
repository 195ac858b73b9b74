/** Earlier points of a place: what a return to one would change, and the return itself. */
import type { ProjectState } from '../../domain/session.ts';
import { findCheckpoint, listCheckpoints, type Checkpoint } from '../../workspace/checkpoint.ts';
import { previewRestore, restoreCheckpoint } from '../../workspace/restore.ts';
import { STATE_FILE } from '../documents/catalogue.ts';
import type { Place } from '../place.ts';

type Ground = Pick<Place, 'platform' | 'home' | 'shelf' | 'documents'>;

export interface RollbackPreview {
  checkpoint: string;
  session: number;
  feature: number | null;
  made_at: string;
  git_ref: string;
  /** What happens to files of the working tree. */
  files: { path: string; status: string }[];
  /** Untracked files that stay although the checkpoint did not have them. */
  left: string[];
  /** Commits that the branch leaves behind, newest first. */
  commits: { commit: string; subject: string }[];
  documents: string[];
}

export async function previewReturn({ platform, home, shelf }: Ground, id: string): Promise<RollbackPreview> {
  const checkpoint = await findCheckpoint(shelf, id);
  const { changes, left, commits, documents } = await previewRestore(platform, { home, shelf, checkpoint });
  return {
    checkpoint: checkpoint.id,
    session: checkpoint.session,
    feature: checkpoint.feature,
    made_at: checkpoint.timestamp,
    git_ref: checkpoint.git_ref,
    files: changes.map((change) => ({ path: change.path, status: change.status })),
    left,
    commits,
    documents,
  };
}

/** The id of the newest; null where there is none. */
export async function lastCheckpoint({ shelf }: Ground): Promise<string | null> {
  return (await listCheckpoints(shelf)).checkpoints[0]?.id ?? null;
}

export interface Returned {
  /** The session before which the checkpoint was made. */
  before: number;
  /** Commits that the branch has left behind. */
  commits: string[];
  saved_as: string;
  /** The command that brings back what stood there. */
  bring_back: string;
  /** The state as the checkpoint kept it; null: it kept none. */
  state: ProjectState | null;
}

/** Everything but the state, which the flow writes last. Can be done again after a crash. */
export async function returnTo(place: Ground, id: string): Promise<Returned> {
  const { platform, home, shelf } = place;
  const checkpoint = await findCheckpoint(shelf, id);
  const { saved_as, hint, commits } = await restoreCheckpoint(platform, { home, shelf, checkpoint, leave: [STATE_FILE] });
  return {
    before: checkpoint.session,
    commits: commits.map(({ commit }) => commit),
    saved_as,
    bring_back: `${hint}${commits.length === 0 ? '' : ` (the commits: git reset --keep ${saved_as}^)`}`,
    state: await stateOf(place, checkpoint),
  };
}

async function stateOf({ documents }: Ground, { id, copies }: Checkpoint): Promise<ProjectState | null> {
  if ((copies[STATE_FILE] ?? null) === null) return null;
  return await documents.read('state', { writer: false, from: documents.folder('checkpoints').in(id) });
}
