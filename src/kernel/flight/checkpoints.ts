/** Earlier points of a place: what a return to one would change, and the return itself. */
import type { ProjectState } from '../../domain/session.ts';
import {
  findCheckpoint,
  listCheckpoints,
  type Checkpoint,
  applyRetention,
  createCheckpoint,
  planRetention,
} from '../../workspace/checkpoint.ts';
import { previewRestore, restoreCheckpoint } from '../../workspace/restore.ts';
import { STATE_FILE } from '../documents/catalogue.ts';
import type { Place } from '../place.ts';
import type { FlightPlace } from './contract.ts';
import { BASELINE_FILE } from './memory-files.ts';

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

/** Before what it was made; `manual`: before a person takes over. */
export type CheckpointReason = 'pre_feature' | 'pre_cleanup' | 'pre_repair' | 'pre_verification' | 'manual';

type SessionGround = Pick<FlightPlace, 'platform' | 'home' | 'shelf' | 'config' | 'emit'>;

export async function checkpointSession(
  place: SessionGround,
  start: { session: number; feature: number | null; copies: readonly string[]; reason: CheckpointReason; clean?: boolean },
): Promise<Checkpoint> {
  const { platform, home, shelf } = place;
  const { features, progress } = place.config.paths;
  const { reason } = start;
  const checkpoint = await createCheckpoint(platform, {
    home,
    shelf,
    session: start.session,
    feature: start.feature,
    reason,
    files: { features, progress },
    copies: [...start.copies, BASELINE_FILE],
    clean: start.clean ?? false,
  });
  place.emit({
    type: 'checkpoint.created',
    id: checkpoint.id,
    checkpoint_id: checkpoint.id,
    session: start.session,
    reason,
    git_ref: checkpoint.git_ref,
  });
  return checkpoint;
}

/** Those that the settings do not keep go; of completed features the last one stays. */
export async function retireCheckpoints({ platform, home, shelf, config }: SessionGround, completed: readonly number[]): Promise<void> {
  const { per_feature, max_age_days } = config.checkpoints;
  const rules = { perFeature: per_feature, days: max_age_days };
  const { checkpoints } = await listCheckpoints(shelf);
  await applyRetention(platform, { home, shelf, drop: planRetention(checkpoints, platform.clock.now(), completed, rules) });
}
