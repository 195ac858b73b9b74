import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import { projectGate } from '../../../gates/project-gates.ts';
import { brokenFeatures } from './broken-features.ts';

const FEATURES: Feature[] = [
  { id: 1, description: 'User registration', passes: true, test_file: 'test/register.test.js' },
  { id: 2, description: 'User login', passes: true, test_file: ['test/login.test.js', 'test/logout.test.js'], depends_on: [1] },
  { id: 3, description: 'Password reset', passes: false, test_file: 'test/reset.test.js', depends_on: [1, 2] },
  { id: 4, description: 'Profile', passes: false, depends_on: [2] },
  { id: 5, description: 'Dashboard', passes: true, test_file: 'test/dashboard.test.js' },
];

describe('broken tests', () => {
  test('belong to the features that passed with them, each with all that waits for it', () => {
    expect(brokenFeatures(FEATURES, ['test/logout.test.js::ends', 'test/logout.test.js::says so'])).toEqual([
      { feature: 2, description: 'User login', blocks: [3, 4] },
    ]);
    expect(brokenFeatures(FEATURES, ['test/dashboard.test.js::x', 'test/reset.test.js::open anyway', 'lib/other.test.js::y'])).toEqual([
      { feature: 5, description: 'Dashboard', blocks: [] },
    ]);
  });

  test('are told by their feature in both questions, and what it blocks', () => {
    const tests = ['test/login.test.js::logs in'];
    const broken = brokenFeatures(FEATURES, tests);
    const told = 'Feature #2 (User login) is broken by it, which blocks #3, #4.';
    expect(projectGate('project.regression', { session: 8, tests, broken }).question).toBe(
      `Session 8 breaks 1 test that passed before: test/login.test.js::logs in. ${told} What now?`,
    );
    expect(projectGate('project.baseline-broken', { tests, broken }).question).toContain(told);
    expect(projectGate('project.baseline-broken', { tests }).question).not.toContain('Feature');
  });

  test('leave the options of the seed: again, look, set aside', () => {
    const labels = (gate: 'project.regression' | 'project.baseline-broken'): string[] =>
      projectGate(gate, { session: 1, tests: [] }).options.map(({ label }) => label);
    expect(labels('project.regression')).toEqual(['Rollback', 'Manual fix', 'Abort', 'Retry', 'Investigate']);
    expect(labels('project.baseline-broken')).toEqual(['Repair session', 'Abort', 'Investigate', 'Skip']);
  });
});
