import { describe, expect, test } from 'vitest';
import { ConfigSchema } from '../../../config/schema.ts';
import type { Baseline } from '../../../domain/session.ts';
import type { CheckReport } from '../../../kernel/flight/check-report.ts';
import { checksOf } from '../../../kernel/ground/checks.ts';
import { featureText } from './orient.ts';
import { healthOf, statusWords } from './orientation-facts.ts';

const config = (more: object = {}) => ConfigSchema.parse({ project: { name: 'shop' }, testing: { full: 'npm test' }, ...more });

describe('the commands that check the work', () => {
  test('say which of them the verdict runs, and with what weight', () => {
    const settings = config({
      testing: { full: 'npm test', sanity: { lint: 'npm run lint', type_check: 'npx tsc --noEmit' } },
      quality: { lint_command: 'npm run lint' },
    });
    const scripts = JSON.stringify({ scripts: { lint: 'oxlint', build: 'vite build' } });
    expect(checksOf(settings, scripts)).toEqual([
      { name: 'whole suite', command: 'npm test', verdict: 'refuses' },
      { name: 'lint', command: 'npm run lint', verdict: 'warns' },
      { name: 'type check', command: 'npx tsc --noEmit', verdict: 'refuses' },
      { name: 'build', command: 'npm run build', verdict: 'does not run it' },
    ]);
  });

  test('name the steps of the test command, with the script that repairs what they report', () => {
    const scripts = JSON.stringify({ scripts: { test: 'pnpm lint && vitest run', lint: 'eslint .', 'lint:fix': 'eslint . --fix' } });
    expect(checksOf(config(), scripts, ['pnpm lint'])).toEqual([
      { name: 'whole suite', command: 'npm test', verdict: 'refuses' },
      { name: 'step of the suite', command: 'pnpm lint', verdict: 'refuses', repair: 'pnpm lint:fix' },
    ]);
  });

  test('a linter whose findings refuse is said to', () => {
    const settings = config({
      testing: { full: 'npm test', sanity: { lint: 'npm run lint' } },
      quality: { lint_command: 'npm run lint', warn_on_lint_errors: false },
    });
    expect(checksOf(settings, null)[1]).toEqual({ name: 'lint', command: 'npm run lint', verdict: 'refuses' });
  });
});

describe('health', () => {
  const baseline = { tree: 't', total_passing: 12, total_tests: 14 } as Baseline;
  const report = (name: string, state: CheckReport['state']): CheckReport => ({ name, state, detail: '', reason: null });

  test('is what was measured on this very commit', () => {
    const sanity = [report('sanity lint', 'warned'), report('sanity type check', 'passed'), report('sanity', 'skipped')];
    expect(healthOf(baseline, { tree: 't', sanity }, 2)).toBe(
      '12 of 14 tests pass on this commit (tests of features that are not built yet fail on purpose); lint has findings; type check passed',
    );
  });

  test('is never taken from another commit', () => {
    expect(healthOf(baseline, { tree: 'other' }, 0)).toBe('the tests were not run on this commit yet');
    expect(healthOf(null, { tree: 't' }, 0)).toBe('the tests were not run on this commit yet');
  });
});

describe('how the last session ended', () => {
  test.each([
    ['rejected', ['regression'], 'not accepted: an earlier test no longer passes'],
    ['rejected', ['test.failed'], "not accepted: the feature's test fails"],
    ['partial', ['claim.none'], 'ended before the work was done: the agent ends without a claim'],
    ['partial', ['timeout'], 'ended before the work was done: the session takes too long'],
    ['needs_human', ['gate.pending'], 'waits for a person'],
    ['error', [], 'could not run to its end'],
  ] as const)('%s because of %j is said in words', (outcome, reasons, words) => {
    expect(statusWords({ outcome, reasons: [...reasons], feature_completed: false })).toBe(words);
  });

  test('accepted work is complete', () => {
    expect(statusWords({ outcome: 'verified', reasons: [], feature_completed: true })).toBe('complete');
  });
});

test('a feature is shown with its interface, what it may change and what it may add', () => {
  const feature = {
    id: 1,
    description: 'Adds',
    interface: 'add(a, b)',
    may_change: ['test/old.test.js'],
    new_dependencies: ['left-pad'],
    passes: false,
  };
  expect(featureText(feature, 'listed').split('\n')).toEqual([
    'Adds',
    '',
    'Interface, as callers and hidden tests use it:',
    'add(a, b)',
    '',
    'Accepted tests that this feature may change: test/old.test.js',
    '',
    'Packages that this feature may add: left-pad',
  ]);
  expect(featureText(feature, 'ask')).toContain('(a person reviews each of them): left-pad');
  expect(featureText({ id: 1, description: 'Adds', passes: false }, null)).toBe('Adds');
});
