import { expect, test } from 'vitest';
import type { MissionStatus } from '../flows/mission/people/status.ts';
import { describeMission } from './mission-text.ts';

const NEW: MissionStatus = {
  spec: 'SPEC.md',
  stage: 'planning',
  iteration: 0,
  features: [{ id: 'F-001', title: 'Double', status: 'pending', attempts: 0, depends_on: [], worktree: null }],
  claims: 1,
  lanes: [],
  checkpoint: null,
  grants: [],
  escalation: null,
  issues: { open: 0, promoted: 0, noted: 0 },
  findings: [],
  validator: { asked: 0, believed: 0, unquoted: 0, contradicted: 0 },
  ghosts: 0,
  cost_usd: 0,
  sessions_without_cost: 0,
  questions: [],
  running: false,
};

test('sums of nothing are not printed', () => {
  expect(describeMission(NEW)).toBe(
    ['Mission:    SPEC.md: planning, iteration 0', 'Features:   0/1 passed, 1 claim', '  F-001      pending    0 attempts  Double'].join(
      '\n',
    ),
  );
});

test('sums of something are', () => {
  const text = describeMission({ ...NEW, validator: { asked: 1, believed: 1, unquoted: 0, contradicted: 0 }, cost_usd: 0.25 });
  expect(text).toContain('Validators: asked 1 time; of their passes, 1 quoted');
  expect(text).toContain('Costs:      $0.25');
});

test('an unknown cost is not a sum of nothing', () => {
  expect(describeMission({ ...NEW, cost_usd: null, sessions_without_cost: 2 })).toMatch(/^Costs: .*unknown/m);
});

test('the files of failed work are named below their feature', () => {
  const [feature] = NEW.features;
  const failed = { ...feature!, status: 'failed', attempts: 1, worktree: '/p/.harness/worktrees/F-001' };
  expect(describeMission({ ...NEW, features: [failed] })).toMatch(
    /F-001 +failed +1 attempt +Double\n +its files: \/p\/\.harness\/worktrees\/F-001$/,
  );
});
