/** The checkpoint that a session begins with, and what becomes of the old ones. */
import { applyRetention, createCheckpoint, listCheckpoints, type Checkpoint } from '../../workspace/checkpoint.ts';
import { planRetention } from '../../workspace/retention.ts';
import type { FlightPlace } from './contract.ts';
import { BASELINE_FILE } from './memory-files.ts';

/** Before what it was made; `manual`: before a person takes over. */
export type CheckpointReason = 'pre_feature' | 'pre_cleanup' | 'pre_repair' | 'pre_verification' | 'manual';

type Ground = Pick<FlightPlace, 'platform' | 'home' | 'shelf' | 'config' | 'emit'>;

export async function checkpointSession(
  place: Ground,
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
export async function retireCheckpoints({ platform, home, shelf, config }: Ground, completed: readonly number[]): Promise<void> {
  const { per_feature, max_age_days } = config.checkpoints;
  const rules = { perFeature: per_feature, days: max_age_days };
  const { checkpoints } = await listCheckpoints(shelf);
  await applyRetention(platform, { home, shelf, drop: planRetention(checkpoints, platform.clock.now(), completed, rules) });
}
