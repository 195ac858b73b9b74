/**
 * What the next attempt at a feature begins with, after work on it was refused. Pure.
 *
 * 1. An attempt that began on the branch may be repaired once, from where it stands; after that, and after tampering, the next one begins on the
 *    branch again.
 * 2. Refused work replaces unfinished work of the same feature: it grew out of it.
 */
import type { ProjectState, Refusal } from '../../../domain/session.ts';
import type { Reason } from '../../../domain/reasons.ts';
import { keptAtHand, withoutWork } from './shelf.ts';

type Refused = Pick<Refusal, 'session' | 'base'> & { feature: number | null; verdict: string | null; tree: string | null };

/** `kept`: what the refused session left as unfinished work, where a limit had ended it. */
export function withRefusal(
  state: ProjectState,
  refused: Refused | null,
  kept: ProjectState['wip'] = null,
): Pick<ProjectState, 'refusals' | 'wip' | 'shelved'> {
  if (refused === null || refused.feature === null || refused.verdict === null || refused.tree === null)
    return { refusals: state.refusals, ...keptAtHand(state, kept) };
  const { feature, session, verdict, base, tree } = refused;
  const count = (state.refusals.find((entry) => entry.feature === feature)?.count ?? 0) + 1;
  const others = state.refusals.filter((entry) => entry.feature !== feature);
  return {
    refusals: [...others, { feature, session, verdict, base, tree, count }],
    ...(kept === null ? withoutWork(state, feature) : keptAtHand(state, kept)),
  };
}

/** Whether the next attempt is a repair of the refused work. */
export function isRepair({ count }: Pick<Refusal, 'count'>, reasons: readonly Reason[]): boolean {
  return count % 2 === 1 && !reasons.some((reason) => reason.startsWith('tamper.') || reason === 'write.outside');
}
