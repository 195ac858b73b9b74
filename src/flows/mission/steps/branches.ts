/** What of a lane stands in the user's repository and folder: the branch `harness/<id>` with its work, and a link to its copy. */
import type { Flight } from '../../../domain/session.ts';
import { keepFeatureBranch, keepLane, linkLane } from '../../../kernel/lanes/shown.ts';
import type { MissionPlace } from '../contract.ts';

/** `tree` null: the work has landed, and its branch goes. */
export async function keepBranch(place: MissionPlace, feature: string, flight: Flight, tree: string | null): Promise<void> {
  const { enabled, on_pass } = place.config.mission.branch_isolation;
  if (!enabled && on_pass === 'merge') return;
  await keepFeatureBranch(place, feature, tree === null ? null : { tree, base: flight.base, session: flight.session });
}

/** While lanes race for one feature none of their works is the feature's: each is kept as a candidate, and the one that is taken stands on the branch. */
export async function keepCapture(place: MissionPlace, feature: string, flight: Flight, tree: string): Promise<void> {
  if (place.rules.mode === 'lane') await keepBranch(place, feature, flight, tree);
}

/** Work that did not pass stays where a person can look at it, until the next try; the next session starts from the same files. */
export async function keepFailed(place: MissionPlace, feature: string, { tree }: Flight): Promise<void> {
  if (place.rules.mode === 'lane' && tree !== null) await keepLane(place, feature, tree);
}

/** `workspace` null: the lane is free again. Lanes that race for one feature have a link each. */
export async function showLane(place: MissionPlace, feature: string, { lane }: Flight, workspace: string | null): Promise<void> {
  await linkLane(place, place.rules.mode === 'competition' && lane !== null ? `${feature}-${lane}` : feature, workspace);
}
