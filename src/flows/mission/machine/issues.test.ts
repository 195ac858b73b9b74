import { describe, expect, test } from 'vitest';
import type { Issue, QueueFeature } from '../../../kernel/mission-schema.ts';
import { policy, refuse } from './decisions.ts';
import { freshIssues, ripeIssues } from './issues.ts';
import { feature, RULES, working } from './test-support.ts';
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
