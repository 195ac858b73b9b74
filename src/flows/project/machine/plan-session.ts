/** What the next `harness run` will do. Pure, so that `--dry-run` and the real run cannot disagree. */
import type { Feature, FeatureList } from '../../../domain/feature.ts';
import type { ProjectState, PromptType } from '../../../domain/session.ts';
import { flightsOf } from './lanes.ts';
import { nextFeature, releasedFeatures, type NextFeature } from './next-feature.ts';
import { parkedFeatures } from './parked.ts';
import { unfinishedFeatures } from './shelf.ts';

export type SessionPlan =
  | { kind: 'session'; session: number; prompt: Exclude<PromptType, 'initializer'>; feature: Feature | null; repairs?: string }
  | { kind: 'complete' }
  | { kind: 'exhausted'; detail: Extract<NextFeature, { kind: 'exhausted' }> }
  /** Others fly: what comes next is known once they have ended. */
  | { kind: 'holding' }
  /** Nothing can be worked on before a person has answered. */
  | { kind: 'waiting' }
  | { kind: 'paused' }
  | { kind: 'handoff' }
  | { kind: 'pending'; pending: NonNullable<ProjectState['pending']> }
  | { kind: 'escalated'; escalation: NonNullable<ProjectState['escalation']> };

export interface SessionWish {
  cleanup: boolean;
  /** Nobody is there: what waits for a person is left, and the rest goes on. */
  unattended?: boolean;
  /** The highest number that another flow gave in this directory; no two sessions share one. */
  after?: number;
  /** Features that come after all others, unless work on them is kept: that goes on first. */
  later?: readonly number[];
  /** Beside the sessions that are under way, not after them. */
  beside?: boolean;
}

/** While sessions are under way, only another one beside them comes of it. */
export function planSession(state: ProjectState, list: FeatureList, wish: SessionWish): SessionPlan {
  const plan = planAlone(state, list, wish);
  const alone = plan.kind !== 'session' || plan.feature === null;
  return alone && flightsOf(state).length > 0 && wish.beside === true ? { kind: 'holding' } : plan;
}

function planAlone(state: ProjectState, list: FeatureList, wish: SessionWish): SessionPlan {
  if (state.handoff !== null) return { kind: 'handoff' };
  if (state.paused) return { kind: 'paused' };
  const first = wish.unattended === true ? undefined : state.parked[0];
  const pending = state.pending ?? (state.escalation === null ? (first?.pending ?? null) : null);
  if (pending !== null) return { kind: 'pending', pending };
  const escalation = state.escalation ?? first?.escalation ?? null;
  if (escalation !== null) return { kind: 'escalated', escalation };
  const session = Math.max(state.last_session, wish.after ?? 0) + 1;
  if (state.repair !== null && state.repair.tries < MOST_REPAIRS)
    return { kind: 'session', session, prompt: 'cleanup', feature: null, repairs: state.repair.detail };
  const unfinished = unfinishedFeatures(state);
  const next = nextFeature({
    features: list.features,
    skipped: new Set(state.skipped.map((entry) => entry.feature)),
    released: releasedFeatures(state.skipped),
    setbacks: state.setbacks,
    unfinished,
    parked: new Set(parkedFeatures(state)),
    flying: new Set(wish.beside === true ? flightsOf(state).flatMap(({ feature }) => (feature === null ? [] : [feature])) : []),
    later: new Set(wish.later?.filter((id) => !unfinished.includes(id))),
  });
  if (wish.cleanup || (next.kind === 'feature' && cleanupIsDue(state)))
    return { kind: 'session', session, prompt: 'cleanup', feature: null };
  if (next.kind === 'complete') return { kind: 'complete' };
  if (next.kind === 'exhausted') return next.parked.length > 0 ? { kind: 'waiting' } : { kind: 'exhausted', detail: next };
  const { feature } = next;
  return { kind: 'session', session, prompt: unfinished.includes(feature.id) ? 'continuation' : 'coding', feature };
}

/** The prompt of the next session, as every command names it: what a pause or a handoff only holds back is next all the same. */
export function nextPrompt(state: ProjectState, list: FeatureList): { prompt: string | null; words: string } {
  const plan = planSession({ ...state, paused: false, handoff: null }, list, { cleanup: false });
  switch (plan.kind) {
    case 'session':
      return { prompt: plan.prompt, words: plan.prompt };
    case 'complete':
      return { prompt: null, words: 'none: every feature passes' };
    case 'exhausted':
      return { prompt: null, words: 'none: only skipped and blocked features are left' };
    default:
      return { prompt: null, words: 'none before a question is answered (harness gates)' };
  }
}

/** How often an agent tries to repair what preflight names before a person is asked. */
export const MOST_REPAIRS = 2;

/** Not while the work of the last one waits for a person. */
function cleanupIsDue(state: ProjectState): boolean {
  return (
    state.next_prompt === 'cleanup' &&
    state.setbacks.length === 0 &&
    state.parked.every(({ pending }) => pending === null || pending.feature !== null)
  );
}
