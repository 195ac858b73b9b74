import { describe, expect, test } from 'vitest';
import type { Issue, QueueFeature } from '../../../kernel/mission-schema.ts';
import { policy, refuse } from './decisions.ts';
import { deservesFix, freshIssues, ripeIssues, testForFix } from './issues.ts';
import { claim, feature, flight, RULES, working } from './test-support.ts';
import { transition } from './transition.ts';
import { readValidation, withDenials } from './validation.ts';

const issue = (change: Partial<Issue> = {}): Issue => ({
  title: 'Zero',
  text: 'breaks',
  proof: null,
  by: 'validator',
  feature: 'F-001',
  state: 'open',
  ...change,
});
const shownBy = (...tests: string[]): Issue['proof'] => ({ tests, command: null, person: false });

describe('an open issue', () => {
  test.each<[QueueFeature['status'], boolean]>([
    ['validating', false],
    ['pending', false],
    ['blocked', false],
    ['passed', true],
    ['skipped', true],
  ])('about a feature that is %s is looked at: %s', (status, isRipe) => {
    const state = working([feature(1, { status }), feature(2)], { issues: [issue({ state: 'noted' }), issue()] });
    expect(ripeIssues(state)).toEqual(isRipe ? [1] : []);
    expect(policy(state, RULES)?.kind === 'CONVERTED').toBe(isRipe);
    expect(refuse(state, { kind: 'CONVERTED' }, RULES) === null).toBe(isRipe);
  });

  test('about a feature that is not in the queue any more is looked at', () => {
    expect(ripeIssues(working([feature(1)], { issues: [issue({ feature: 'F-009' })] }))).toEqual([0]);
  });
});

describe('an issue that only a command shows', () => {
  const byCommand = (change: Partial<Issue> = {}): Issue =>
    issue({ proof: { tests: [], command: 'node cli.js', person: false }, ...change });
  const fixing = (change: Partial<QueueFeature> = {}) => {
    const fix = feature(9, { id: 'F-FIX-001', claims: ['VAL-FIX-001'], status: 'working', ...change });
    const state = working([feature(1, { status: 'passed' }), fix], { issues: [byCommand({ state: 'promoted', fix: 'F-FIX-001' })] });
    return { ...state, claims: [claim(1), { ...claim(9), id: 'VAL-FIX-001' }] };
  };

  test('gets one session, unless it is about such a session itself or there were many', () => {
    expect(deservesFix({ issues: [] }, byCommand(), 0)).toBe(true);
    expect(deservesFix({ issues: [] }, issue(), 0)).toBe(false);
    expect(deservesFix({ issues: [] }, byCommand({ feature: 'F-FIX-001' }), 0)).toBe(false);
    expect(deservesFix({ issues: [byCommand({ fix: 'F-FIX-001' })] }, byCommand(), 4)).toBe(false);
  });

  test('leaves the queue when that session shows nothing, and nothing waits for it', () => {
    const state = { ...fixing(), flights: [flight(5, 'F-FIX-001', { phase: 'captured' })] };
    const evidence = {
      message: 'not red',
      reasons: ['test.not_red' as const],
      outage: false,
      blocked: null,
      conflict: null,
      retryAt: null,
    };
    const end = { kind: 'rejected' as const, reasons: ['test.not_red' as const], message: 'not red', outage: false };
    const after = transition(state, { type: 'settled', session: 5, end, evidence }, RULES);
    expect(after.features.map(({ id }) => id)).toEqual(['F-001']);
    expect(after.claims.map(({ id }) => id)).toEqual(['VAL-SUM-001']);
    expect(after.issues).toMatchObject([{ state: 'noted' }]);
    expect(policy(after, RULES)).toEqual({ kind: 'DONE' });
  });

  test('stays in the queue while its session works, and once it has passed', () => {
    expect(transition(fixing(), { type: 'curated' }, RULES).features).toHaveLength(2);
    expect(transition(fixing({ status: 'passed', attempts: 1 }), { type: 'curated' }, RULES).features).toHaveLength(2);
  });

  test.each([
    ['tests/export.test.js', 'tests/fix-001.test.js'],
    ['tests/test_export.py', 'tests/test_fix_001.py'],
    ['pkg/export_test.go', 'pkg/fix_001_test.go'],
  ])('its test stands beside %s as %s', (near, path) => {
    expect(testForFix('F-FIX-001', near)).toBe(path);
  });
});

describe('a reported issue', () => {
  test('is the same by its words, also within one report', () => {
    expect(freshIssues([], [issue(), issue({ by: 'crosscheck' }), issue({ title: 'One' })])).toHaveLength(2);
    expect(freshIssues([issue({ state: 'noted' })], [issue()])).toEqual([]);
  });

  test('is the same by its test files while something is made of them', () => {
    const known = issue({ title: 'One', proof: shownBy('test/b.js', 'test/a.js'), state: 'promoted' });
    const again = issue({ proof: shownBy('test/a.js', 'test/b.js') });
    expect(freshIssues([known], [again])).toEqual([]);
    expect(freshIssues([{ ...known, state: 'noted' }], [again])).toEqual([again]);
  });
});

describe('a validator that says no', () => {
  const read = (claims: object[], issues: object[] = []) =>
    readValidation(JSON.stringify({ claims, issues }), feature(1), new Map(), 'validator')!;
  const denies = [{ id: 'VAL-SUM-001', pass: false }];

  test.each<[string, object[], string | undefined, string[]]>([
    ['about a claim', denies, 'pass', ['validator on F-001: VAL-SUM-001 does not hold']],
    ['in its verdict', [], 'fail', ['validator on F-001: the work is not right, without a word about why']],
    ['about a claim of another feature', [{ id: 'VAL-SUM-002', pass: false }], 'pass', []],
    ['nowhere', [], 'pass', []],
  ])('%s, without an issue, leaves one', (_, claims, verdict, titles) => {
    const told = withDenials(read(claims), verdict, feature(1), 'validator');
    expect(told.issues.map(({ title, proof, state }) => [title, proof, state])).toEqual(titles.map((title) => [title, null, 'open']));
  });

  test('with issues of its own leaves those', () => {
    expect(withDenials(read(denies, [{ title: 'Zero' }]), 'fail', feature(1), 'validator').issues.map(({ title }) => title)).toEqual([
      'Zero',
    ]);
  });
});

test("a person's Reject leaves the same for the next worker as a refusal, and no note that says it waits", () => {
  const waiting = feature(1, { status: 'blocked', notes: ['waits for a person: a changed test'] });
  const state = working([waiting], { candidates: [{ feature: 'F-001', flight: flight(5, 'F-001', { verdict: 'v5', tree: 't5' }) }] });
  const after = transition(state, { type: 'candidate.answered', feature: 'F-001', accepted: false, text: 'keep it' }, RULES);
  expect(after.evidence).toMatchObject([{ feature: 'F-001', session: 5, verdict: 'v5', base: 'b', tree: 't5' }]);
  expect(after.features).toMatchObject([{ status: 'pending', attempts: 1, notes: ['person: keep it'] }]);
});
