import { describe, expect, test } from 'vitest';
import { ConfigSchema } from '../../../config/schema.ts';
import type { Baseline } from '../../../domain/session.ts';
import type { CheckReport } from '../../../kernel/flight/check-report.ts';
import { checksOf } from '../../../kernel/ground/checks.ts';
import { healthOf } from './orientation-facts.ts';

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
