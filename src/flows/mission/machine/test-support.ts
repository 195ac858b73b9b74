/** For tests only: a mission in the middle of its work, and flights of it. */
import { missionFeatureNumber } from '../../../domain/feature-name.ts';
import { FlightSchema, type Flight } from '../../../domain/session.ts';
import type { Claim, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import type { Rules } from './rules.ts';
import { newMission } from './state.ts';

export const RULES: Rules = {
  lanes: 2,
  mode: 'lane',
  maxAttempts: 3,
  maxIterations: 100,
  orchestrator: 'policy',
  reviewer: true,
  checkpoints: [],
  debugAfter: 2,
  documents: null,
  onPass: 'merge',
  smoke: null,
  busy: () => false,
};

export function feature(number: number, change: Partial<QueueFeature> = {}): QueueFeature {
  const name = String(number).padStart(3, '0');
  return {
    id: `F-${name}`,
    title: `Number ${number}`,
    claims: [`VAL-SUM-${name}`],
    status: 'pending',
    attempts: 0,
    depends_on: [],
    notes: [],
    ...change,
  };
}

export function claim(number: number, change: Partial<Claim> = {}): Claim {
  return {
    id: `VAL-SUM-${String(number).padStart(3, '0')}`,
    text: `Sum ${number}`,
    proof: { tests: [`test/f${number}.test.js`], command: null, person: false },
    notes: '',
    ...change,
  };
}

export function working(features: QueueFeature[], change: Partial<MissionState> = {}): MissionState {
  const claims = features.map((_, index) => claim(index + 1));
  return { ...newMission({ path: 'SPEC.md', hash: 'h' }, '1', ''), stage: 'working', features, claims, ...change };
}

export function flight(session: number, id: string, change: Partial<Flight> = {}): Flight {
  return {
    ...FlightSchema.parse({
      session,
      feature: missionFeatureNumber(id),
      prompt: 'coding',
      phase: 'working',
      base: 'b',
      branch: 'main',
      checkpoint: 'c',
      started_at: '',
    }),
    lane: `lane-${session}`,
    tree: 't',
    verdict: 'v',
    ...change,
  };
}
