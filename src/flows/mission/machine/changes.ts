/** Changes that several events lead to. Pure. */
import { featureKey, numberOfFeature } from '../../../domain/feature-name.ts';
import type { Candidate, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { mustHave } from '../../../domain/must-have.ts';

export function escalated(state: MissionState, reason: string, feature: string | null): MissionState {
  return { ...state, stage: 'escalated', escalation: { reason, feature }, curated: false };
}

export function changed(
  state: Pick<MissionState, 'features'>,
  id: string,
  change: (feature: QueueFeature) => Partial<QueueFeature>,
): QueueFeature[] {
  return state.features.map((feature) => (feature.id === id ? { ...feature, ...change(feature) } : feature));
}

export function featureOf({ features }: Pick<MissionState, 'features'>, id: string): QueueFeature {
  const found = features.find((feature) => feature.id === id);
  if (found === undefined) throw new Error(`there is no feature ${id}`);
  return found;
}

/** The work on a feature that waits for a person. */
export function candidateOf({ candidates }: Pick<MissionState, 'candidates'>, feature: string | undefined): Candidate {
  return mustHave(
    candidates.find((one) => one.feature === feature),
    'the work in question waits for a person',
  );
}

export function without<Value>(record: Readonly<Record<string, Value>>, name: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== name));
}

/** Begins the names of features that come out of issues. */
export const FIX = 'F-FIX-';

/** Begins the note on a feature whose work a person has to decide about. */
export const WAITS = 'waits for a person: ';

const MOST_EVIDENCE = 60;

export function withEvidence(evidence: MissionState['evidence'], one: MissionState['evidence'][number]): MissionState['evidence'] {
  return [...evidence, one].slice(-MOST_EVIDENCE);
}

/** The question that the architect was asked is over: the next one is his. */
export function asksNext({ later_questions }: MissionState): Pick<MissionState, 'question' | 'later_questions'> {
  return { question: later_questions[0] ?? null, later_questions: later_questions.slice(1) };
}

/** The next name for a feature that comes out of an issue, which none had before. */
export function nextFix({ features, issues }: Pick<MissionState, 'features' | 'issues'>, offset: number): string {
  const names = [...features.map(({ id }) => id), ...issues.flatMap(({ fix = '' }) => fix)];
  const numbers = names.filter((id) => id.startsWith(FIX)).map((id) => Number(id.slice(FIX.length)));
  const name = `${FIX}${String(Math.max(0, ...numbers) + 1 + offset).padStart(3, '0')}`;
  return featureKey(numberOfFeature(name));
}
