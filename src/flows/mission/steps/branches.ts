/** What of a lane stands in the user's repository and folder: the branch `harness/<id>` with its work, and a link to its copy. */
import type { Flight } from '../../../domain/session.ts';
import { keepFeatureBranch, linkLane } from '../../../kernel/lanes/shown.ts';
import type { MissionPlace } from '../contract.ts';

/** `tree` null: the work has landed, and its branch goes. */
export async function keepBranch(place: MissionPlace, feature: string, flight: Flight, tree: string | null): Promise<void> {
  const { enabled, on_pass } = place.config.mission.branch_isolation;
  if (!enabled && on_pass === 'merge') return;
  await keepFeatureBranch(place, feature, tree === null ? null : { tree, base: flight.base, session: flight.session });
}

/** `workspace` null: the lane is free again. */
export async function showLane(place: MissionPlace, feature: string, workspace: string | null): Promise<void> {
  await linkLane(place, feature, workspace);
}
