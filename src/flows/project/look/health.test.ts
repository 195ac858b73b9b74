import { expect, test } from 'vitest';
import { healthOf, type HealthFacts } from './health.ts';

const FACTS: HealthFacts = {
  features: { passing: 12, total: 47 },
  tests: { passing: 52, total: 52 },
  lint: { errors: 0, warnings: 3 },
  files: { 'a.ts': { lines: 456, session_added: 1, lines_at_start: 400 }, 'b.ts': { lines: 10, session_added: 1, lines_at_start: 10 } },
  maxLines: 500,
  session: 3,
};

test('the figure is the weighted mean of features, tests, lint and file sizes', () => {
  const health = healthOf(FACTS);
  expect(health).toMatchObject({ test_pass_rate: 1, lint_score: 1, file_health: 1, status: 'FAIR' });
  expect(health.overall).toBeCloseTo(0.4 * (12 / 47) + 0.3 + 0.2 + 0.1, 3);
  expect(health.large).toEqual([{ file: 'a.ts', lines: 456 }]);
});

test.each([
  [{ features: { passing: 9, total: 10 } }, 'GOOD'],
  [{ features: { passing: 2, total: 10 } }, 'FAIR'],
  [{ features: { passing: 0, total: 10 } }, 'POOR'],
] as const)('%j is %s', (change, status) => {
  expect(healthOf({ ...FACTS, ...change }).status).toBe(status);
});

test('exactly on a border is the lower word', () => {
  expect(healthOf({ ...FACTS, features: { passing: 1, total: 2 } })).toMatchObject({ overall: 0.8, status: 'FAIR' });
});

test('a part that is not known is left out and the others keep their proportions', () => {
  const health = healthOf({ ...FACTS, features: { passing: 1, total: 2 }, tests: null, lint: null, files: null });
  expect(health).toMatchObject({ test_pass_rate: null, lint_score: null, file_health: null, overall: 0.5 });
});

test('lint errors count against the lines of the sources, and never below zero', () => {
  expect(healthOf({ ...FACTS, lint: { errors: 233, warnings: 0 } }).lint_score).toBeCloseTo(0.5, 2);
  expect(healthOf({ ...FACTS, lint: { errors: 10_000, warnings: 0 } }).lint_score).toBe(0);
});

test('files over the limit and files that grow fast are named, the worst first', () => {
  const files = {
    'slow.ts': { lines: 600, session_added: 0, lines_at_start: 590 },
    'fast.ts': { lines: 900, session_added: 1, lines_at_start: 100 },
    'new.ts': { lines: 700, session_added: 5, lines_at_start: 700 },
  };
  const health = healthOf({ ...FACTS, files, session: 5 });
  expect(health.oversized.map((entry) => entry.file)).toEqual(['fast.ts', 'new.ts', 'slow.ts']);
  expect(health.growing).toEqual([{ file: 'fast.ts', lines_per_session: 200 }]);
  expect(health.file_health).toBe(0);
});
