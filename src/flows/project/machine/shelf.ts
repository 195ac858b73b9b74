/** Unfinished work of several features: that of the feature which is worked on lies at hand, that of others on the shelf. Pure. */
import type { ProjectState } from '../../../domain/session.ts';

type Wip = NonNullable<ProjectState['wip']>;
type Kept = Pick<ProjectState, 'wip' | 'shelved'>;

/** Work of this feature is begun: its own lies at hand, and nobody else's. */
export function atHand(state: Kept, feature: number): Kept {
  if (state.wip?.feature === feature) return { wip: state.wip, shelved: state.shelved };
  const others = state.shelved.filter((entry) => entry.feature !== feature);
  return {
    wip: state.shelved.find((entry) => entry.feature === feature) ?? null,
    shelved: state.wip === null ? others : [...others, state.wip],
  };
}

/** Work of a session was kept; null: none was, and what lay at hand stays there. */
export function keptAtHand(state: Kept, wip: Wip | null): Kept {
  return wip === null ? { wip: state.wip, shelved: state.shelved } : { ...atHand(state, wip.feature), wip };
}

export function withoutWork(state: Kept, feature: number | null): Kept {
  return {
    wip: state.wip?.feature === feature ? null : state.wip,
    shelved: state.shelved.filter((entry) => entry.feature !== feature),
  };
}

/** Features with unfinished work, the one to go on with first. */
export function unfinishedFeatures({ wip, shelved }: Kept): number[] {
  return [...(wip === null ? [] : [wip]), ...shelved.toReversed()].map(({ feature }) => feature);
}

/** What is kept of a feature's work; null: nothing. */
export function workOn({ wip, shelved }: Kept, feature: number): Wip | null {
  return [...(wip === null ? [] : [wip]), ...shelved].find((kept) => kept.feature === feature) ?? null;
}
