import { expect, test } from 'vitest';
import type { Gate } from '../../../domain/gate.ts';
import { missionFeatureNumber } from '../../../domain/feature-name.ts';
import type { PastRecord } from '../../../kernel/books/sums.ts';
import type { MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { newMission } from '../machine/state.ts';
import { summariseMission } from './summary.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 16, 3, minute)).toISOString();

function feature(id: string, status: QueueFeature['status'], attempts = 0, depends_on: string[] = []): QueueFeature {
  return { id, title: `title of ${id}`, claims: ['VAL-A-001'], status, attempts, depends_on, notes: [] };
}

function record(id: number, minute: number, name: string | null, role: string | null, cost_usd: number): PastRecord {
  const fields = {
    session_id: id,
    started_at: at(minute),
    ended_at: at(minute + 1),
    duration_seconds: 60,
    outcome: 'verified' as const,
    reasons: [],
    termination_reason: 'complete',
    feature_id: name === null ? null : missionFeatureNumber(name),
    feature_completed: false,
    tokens_used: { input: 1, output: 1, cached: 0 },
    cost_usd,
    backend: 'command',
    model: 'sonnet',
  };
  return role === null ? { ...fields, prompt: 'coding' } : { ...fields, prompt: role, role: `mission/${role}` };
}

const gate: Gate = {
  id: 'mission.review:f-004',
  header: '',
  question: 'Does it land?',
  options: [],
  context: [],
  non_negotiable: false,
  asked_at: at(9),
};

const MISSION: MissionState = {
  ...newMission({ path: 'SPEC.md', hash: 'x' }, '0.1.0', at(1)),
  stage: 'working',
  features: [
    feature('F-001', 'passed', 1),
    feature('F-002', 'failed', 2),
    feature('F-003', 'skipped', 1),
    feature('F-004', 'validating', 1),
    feature('F-005', 'pending', 0, ['F-002']),
    feature('F-006', 'pending', 1),
  ],
  evidence: [
    { feature: 'F-002', session: 3, message: 'a test fails', reasons: [], verdict: null, base: 'b', tree: null },
    { feature: 'F-006', session: 5, message: 'it breaks what worked', reasons: [], verdict: null, base: 'b', tree: null },
  ],
};

test('each feature stands under what became of it, with why, and sums count the mission alone', () => {
  const summary = summariseMission(
    MISSION,
    {
      records: [
        record(1, 0, 'F-001', null, 9),
        record(2, 2, 'F-001', null, 0.5),
        record(3, 3, 'F-002', null, 0.25),
        record(4, 4, 'F-001', 'validator', 0.125),
        { ...record(5, 5, null, null, 7), feature_id: 12 },
      ],
      commits: [
        { at: at(0), feature: 'F-001', commit: 'old' },
        { at: at(4), feature: 'F-001', commit: 'abc' },
      ],
      questions: [gate],
    },
    null,
  );
  const named = (list: { feature: string; note: string }[]): string[] => list.map(({ feature: id, note }) => `${id} ${note}`.trim());
  expect(named(summary.verified)).toEqual(['F-001']);
  expect(named(summary.refused)).toEqual(['F-002 a test fails', 'F-006 it breaks what worked']);
  expect(named(summary.parked)).toEqual(['F-004 mission.review:f-004']);
  expect(named(summary.open)).toEqual(['F-005 waits for F-002']);
  expect(named(summary.set_aside)).toEqual(['F-003']);
  expect(summary).toMatchObject({
    features: { passing: 1, total: 6 },
    sessions: 3,
    cost_usd: 0.875,
    commits: ['abc'],
    next: 'harness gates',
  });
  expect(summary.verified[0]).toMatchObject({ commit: 'abc' });
  expect(summary.by_role.map(({ what, sessions }) => [what, sessions])).toEqual([
    ['mission/worker', 2],
    ['mission/validator', 1],
  ]);
  expect(summary.by_feature.map(({ what, cost_usd }) => [what, cost_usd])).toEqual([
    ['F-001', 0.625],
    ['F-002', 0.25],
  ]);
});

test.each([
  ['a checkpoint', { checkpoint: 'locked' }, 'harness mission grant locked'],
  ['work that is left', {}, 'harness mission run'],
  ['a mission that is done', { stage: 'done' as const }, null],
])('what to type next for %s', (_name, change, next) => {
  expect(summariseMission({ ...MISSION, ...change }, { records: [], commits: [], questions: [] }, null).next).toBe(next);
});
