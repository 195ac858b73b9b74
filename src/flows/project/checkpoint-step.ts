/** The checkpoint that a session begins with, and what becomes of the old ones. */
import { applyRetention, createCheckpoint, listCheckpoints, type Checkpoint } from '../../workspace/checkpoint.ts';
import { planRetention } from '../../workspace/retention.ts';
import type { LoadedList, Project } from './project.ts';
import { BASELINE_FILE, STATE_FILE } from './state-files.ts';

export async function checkpointSession(
  project: Project,
  loaded: LoadedList,
  start: { session: number; feature: number | null },
): Promise<Checkpoint> {
  const { platform, home, stateDir } = project;
  const { features, progress } = project.config.paths;
  const reason = 'pre_feature';
  const checkpoint = await createCheckpoint(platform, {
    home,
    stateDir,
    ...start,
    reason,
    files: { features, progress },
    copies: [STATE_FILE, BASELINE_FILE],
  });
  project.emit({
    type: 'checkpoint.created',
    id: checkpoint.id,
    checkpoint_id: checkpoint.id,
    session: start.session,
    reason,
    git_ref: checkpoint.git_ref,
  });
  const completed = loaded.list.features.filter((feature) => feature.passes).map((feature) => feature.id);
  const { checkpoints } = await listCheckpoints(platform, stateDir);
  await applyRetention(platform, { home, stateDir, drop: planRetention(checkpoints, platform.clock.now(), completed) });
  return checkpoint;
}
