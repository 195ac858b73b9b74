/** What the next `harness run` will do. Pure, so that `--dry-run` and the real run cannot disagree. */
import type { Feature, FeatureList } from '../../../domain/feature.ts';
import type { ProjectState, PromptType } from '../../../domain/session.ts';
import { nextFeature, type NextFeature } from './next-feature.ts';

export type SessionPlan =
  | { kind: 'session'; session: number; prompt: Exclude<PromptType, 'initializer'>; feature: Feature | null }
  | { kind: 'complete' }
  | { kind: 'exhausted'; detail: Extract<NextFeature, { kind: 'exhausted' }> }
  | { kind: 'paused' }
  | { kind: 'handoff' }
  | { kind: 'pending'; pending: NonNullable<ProjectState['pending']> }
  | { kind: 'escalated'; escalation: NonNullable<ProjectState['escalation']> };

export interface SessionWish {
  cleanup: boolean;
  /** The highest number that another flow gave in this directory; no two sessions share one. */
  after?: number;
  /** Features that come after all others, unless work on them is kept: that goes on first. */
  later?: readonly number[];
}

export function planSession(state: ProjectState, list: FeatureList, wish: SessionWish): SessionPlan {
  if (state.handoff !== null) return { kind: 'handoff' };
  if (state.paused) return { kind: 'paused' };
  if (state.pending !== null) return { kind: 'pending', pending: state.pending };
  if (state.escalation !== null) return { kind: 'escalated', escalation: state.escalation };
  const session = Math.max(state.last_session, wish.after ?? 0) + 1;
  const unfinished = state.wip?.feature ?? null;
  const next = nextFeature({
    features: list.features,
    skipped: new Set(state.skipped.map((entry) => entry.feature)),
    setbacks: state.setbacks,
    unfinished,
    later: new Set(wish.later?.filter((id) => id !== unfinished)),
  });
  if (wish.cleanup || (next.kind === 'feature' && state.next_prompt === 'cleanup' && state.setbacks.length === 0))
    return { kind: 'session', session, prompt: 'cleanup', feature: null };
  if (next.kind === 'complete') return { kind: 'complete' };
  if (next.kind === 'exhausted') return { kind: 'exhausted', detail: next };
  return { kind: 'session', session, prompt: next.feature.id === unfinished ? 'continuation' : 'coding', feature: next.feature };
}
