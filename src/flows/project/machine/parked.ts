/**
 * What waits for a person while the rest goes on. Pure.
 *
 * 1. `pending` and `escalation` hold the one question that is asked about next; `parked` holds those that are left for later.
 * 2. Recalling one puts it where it is asked about; what stood there is parked in turn.
 * 3. A question about no feature holds up everything, and is never parked.
 */
import type { ProjectState } from '../../../domain/session.ts';
import { questionId } from '../../../gates/project-gates.ts';
import { mustHave } from '../../../domain/must-have.ts';

export type Parked = ProjectState['parked'][number];

/** Everything that waits for a person, what is asked about next first. */
export function waitingEntries(state: ProjectState): Parked[] {
  const { pending, escalation, timestamp: at } = state;
  return [
    ...(pending === null ? [] : [{ pending, escalation: null, at }]),
    ...(escalation === null ? [] : [{ pending: null, escalation, at }]),
    ...state.parked,
  ];
}

export function parkedId({ pending, escalation }: Parked): string {
  const { gate, feature } = mustHave(pending ?? escalation, 'one of the two waits');
  return questionId(gate, feature);
}

/** The features that nobody works on until a person has answered. */
export function parkedFeatures(state: ProjectState): number[] {
  return state.parked.flatMap(({ pending, escalation }) => [
    ...featureOf(pending),
    ...featureOf(escalation),
    ...(escalation?.gate === 'project.large-feature' ? restFeatures(escalation.facts['rest']) : []),
  ]);
}

function featureOf(entry: { feature: number | null } | null): number[] {
  return entry === null || entry.feature === null ? [] : [entry.feature];
}

function restFeatures(rest: unknown): number[] {
  return Array.isArray(rest) ? rest.flatMap((entry) => featureOf(entry as { feature: number | null })) : [];
}

/** Whether what the state asks about next can wait while others are worked on. */
export function canPark({ pending, escalation }: Pick<ProjectState, 'pending' | 'escalation'>): boolean {
  return (pending !== null || escalation !== null) && (escalation === null || escalation.feature !== null);
}

export function park(state: ProjectState, now: string): Partial<ProjectState> {
  const { pending, escalation } = state;
  if (!canPark(state)) return {};
  const waiting: Parked[] = [
    ...(pending === null ? [] : [{ pending, escalation: null, at: now }]),
    ...(escalation === null ? [] : [{ pending: null, escalation, at: now }]),
  ];
  const cleanup = pending !== null && pending.feature === null;
  return {
    pending: null,
    escalation: null,
    parked: [...state.parked, ...waiting],
    ...(cleanup ? { features_since_cleanup: 0, next_prompt: 'coding' } : {}),
  };
}

export function recall(state: ProjectState, id: string, now: string): Partial<ProjectState> {
  const entry = state.parked.find((candidate) => parkedId(candidate) === id);
  if (entry === undefined) throw new Error(`no question ${id} is parked`);
  const { parked = state.parked } = park(state, now);
  const { pending, escalation } = entry;
  return { pending, escalation, parked: parked.filter((candidate) => candidate !== entry) };
}
