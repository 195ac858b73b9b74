/** The checkpoint that a session begins with, and what becomes of the old ones. */
import { applyRetention, createCheckpoint, listCheckpoints, type Checkpoint } from '../../workspace/checkpoint.ts';
import { planRetention } from '../../workspace/retention.ts';
import type { FlightPlace } from './contract.ts';
import { BASELINE_FILE } from './memory-files.ts';

export async function checkpointSession(
  place: FlightPlace,
  start: { session: number; feature: number | null; copies: readonly string[] },
  completed: readonly number[],
): Promise<Checkpoint> {
  const { platform, home, stateDir } = place;
  const { features, progress } = place.config.paths;
  const reason = 'pre_feature';
  const checkpoint = await createCheckpoint(platform, {
    home,
    stateDir,
    session: start.session,
    feature: start.feature,
    reason,
    files: { features, progress },
    copies: [...start.copies, BASELINE_FILE],
  });
  place.emit({
    type: 'checkpoint.created',
    id: checkpoint.id,
    checkpoint_id: checkpoint.id,
    session: start.session,
    reason,
    git_ref: checkpoint.git_ref,
  });
  const { checkpoints } = await listCheckpoints(platform, stateDir);
  await applyRetention(platform, { home, stateDir, drop: planRetention(checkpoints, platform.clock.now(), completed) });
  return checkpoint;
}
