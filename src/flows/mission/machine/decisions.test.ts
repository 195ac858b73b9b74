import { describe, expect, test } from 'vitest';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { parseDecision, policy, refuse, wordDecision, type Decision } from './decisions.ts';
import { feature, flight, RULES, working } from './test-support.ts';

const word = (state: MissionState, rules = RULES): string | null => {
  const decision = policy(state, rules);
  return decision === null ? null : wordDecision(decision);
};

describe('the policy', () => {
  test('takes the first feature that waits for nobody, beside those in the air', () => {
    const features = [feature(1, { status: 'working' }), feature(2, { depends_on: ['F-001'] }), feature(3)];
    expect(word(working(features, { flights: [flight(1, 'F-001')] }))).toBe('NEXT_WORKER F-003');
  });

  test('decides nothing while the lanes are full, or everything open waits for what is in the air', () => {
    const features = [feature(1, { status: 'working' }), feature(2, { depends_on: ['F-001'] })];
    expect(word(working(features, { flights: [flight(1, 'F-001')] }))).toBeNull();
    const full = [feature(1, { status: 'working' }), feature(2, { status: 'working' }), feature(3)];
    expect(word(working(full, { flights: [flight(1, 'F-001'), flight(2, 'F-002')] }))).toBeNull();
  });

  test('asks a validator about accepted work first', () => {
    const state = working([feature(1, { status: 'validating' }), feature(2)], { flights: [flight(1, 'F-001', { phase: 'landing' })] });
    expect(word(state)).toBe('NEXT_VALIDATOR F-001');
    expect(word({ ...state, validating: [1] })).toBe('NEXT_WORKER F-002');
  });

  test('ends only with every feature passed or set aside', () => {
    expect(word(working([feature(1, { status: 'passed' }), feature(2, { status: 'skipped' })]))).toBe('DONE');
    expect(word(working([feature(1, { status: 'passed' }), feature(2, { status: 'blocked' })]))).toMatch(/^ESCALATE nothing is left/);
    expect(word(working([feature(1, { status: 'failed', attempts: 3, notes: ['cause: no key'] })]))).toMatch(
      /^ESCALATE F-001 did not pass in 3 attempts \(cause: no key\)/,
    );
    const reviewed = ['plan reviewer: split it'];
    expect(word(working([feature(1, { status: 'failed', attempts: 3, notes: reviewed })]))).toBe(
      'ESCALATE F-001 did not pass in 3 attempts',
    );
  });

  test('builds what is free before it escalates about what failed, with any number of lanes', () => {
    const features = [feature(1, { status: 'failed', attempts: 3 }), feature(2)];
    expect(word(working(features), { ...RULES, lanes: 1 })).toBe('NEXT_WORKER F-002');
  });

  test('does not start what met other changes before beside others where there is another', () => {
    const features = [feature(1, { status: 'working' }), feature(2), feature(3)];
    const conflicts = { 'F-002': { count: 1, paths: ['a.js'] } };
    expect(word(working(features, { conflicts, flights: [flight(1, 'F-001')] }))).toBe('NEXT_WORKER F-003');
    expect(word(working([feature(2), feature(3)], { conflicts }))).toBe('NEXT_WORKER F-002');
  });

  test.each([
    ['post-planner', [feature(1)]],
    ['half-done', [feature(1, { status: 'passed' }), feature(2)]],
    ['feature:F-001', [feature(1, { status: 'passed' }), feature(2), feature(3)]],
    ['pre-done', [feature(1, { status: 'passed' })]],
  ])('waits at a checkpoint that is due (%s), and passes it once granted', (trigger_on, features) => {
    const rules = { ...RULES, checkpoints: [{ name: 'look', description: '', trigger_on }] };
    expect(word(working(features), rules)).toBe('CHECKPOINT look');
    expect(word(working(features, { grants: ['look'] }), rules)).not.toBe('CHECKPOINT look');
    if (trigger_on !== 'post-planner') expect(word(working([feature(7), feature(8), feature(9)]), rules)).toBe('NEXT_WORKER F-007');
  });
});

describe("an orchestrator's word", () => {
  test.each<[string, Decision | null]>([
    ['I am done.\nNEXT_WORKER F-002', { kind: 'NEXT_WORKER', feature: 'F-002' }],
    ['DONE\n\nthat is it', { kind: 'DONE' }],
    ['NEXT_WORKER F-001\nNEXT_WORKER F-002', { kind: 'NEXT_WORKER', feature: 'F-002' }],
    ['ESCALATE somebody has to look', { kind: 'ESCALATE', reason: 'somebody has to look' }],
    ['CHECKPOINT locked', { kind: 'CHECKPOINT', name: 'locked' }],
    ['I would say we are DONE', null],
    ['DONE with it', null],
    ['NEXT_WORKER', null],
    ['NEXT_WORKER F-001 F-002', null],
    ['NEXT_WORKER ../../etc', null],
    ['', null],
  ])('%j', (reply, expected) => {
    expect(parseDecision(reply)).toEqual(expected);
  });

  const state = working([
    feature(1, { status: 'passed' }),
    feature(2),
    feature(3, { depends_on: ['F-002'] }),
    feature(4, { status: 'blocked' }),
  ]);

  test.each<[string, RegExp]>([
    ['DONE', /these features are open: F-002, F-003, F-004/],
    ['NEXT_WORKER F-001', /F-001 is passed/],
    ['NEXT_WORKER F-003', /waits for F-002/],
    ['NEXT_WORKER F-004', /F-004 is blocked/],
    ['NEXT_WORKER F-099', /no feature F-099/],
    ['NEXT_VALIDATOR F-002', /no accepted work/],
    ['NEXT_VALIDATOR F-099', /no feature F-099/],
    ['NEXT_ARCHITECT F-001', /has passed/],
    ['CONVERTED', /no issue/],
    ['CHECKPOINT locked', /no checkpoint locked/],
  ])('%s is refused where it does not fit', (line, why) => {
    expect(refuse(state, parseDecision(line)!, RULES)).toMatch(why);
  });

  test.each(['NEXT_WORKER F-002', 'NEXT_ARCHITECT F-004'])('%s waits for a grant that is due', (line) => {
    const rules = { ...RULES, checkpoints: [{ name: 'look', description: '', trigger_on: 'post-planner' }] };
    expect(refuse(state, parseDecision(line)!, rules)).toMatch(/checkpoint look is due/);
    expect(refuse({ ...state, grants: ['look'] }, parseDecision(line)!, rules)).toBeNull();
  });

  test('DONE is refused before the last checkpoint is granted and while an issue is open', () => {
    const finished = working([feature(1, { status: 'passed' })]);
    const rules = { ...RULES, checkpoints: [{ name: 'look', description: '', trigger_on: 'pre-done' }] };
    expect(refuse(finished, { kind: 'DONE' }, RULES)).toBeNull();
    expect(refuse(finished, { kind: 'DONE' }, rules)).toMatch(/checkpoint look is due/);
    const issue = { title: 'slow', text: '', proof: null, by: 'validator', feature: 'F-001', state: 'open' as const };
    expect(refuse({ ...finished, issues: [issue] }, { kind: 'DONE' }, RULES)).toMatch(/1 issue is not looked at/);
  });

  test('the claims of what is under way stay as they are', () => {
    const flying = working([feature(1, { status: 'working' })], { flights: [flight(1, 'F-001')] });
    expect(refuse(flying, { kind: 'NEXT_ARCHITECT', feature: 'F-001' }, RULES)).toMatch(/under way/);
    const kept = working([feature(1, { status: 'blocked' })], { kept: ['F-001'] });
    expect(refuse(kept, { kind: 'NEXT_ARCHITECT', feature: 'F-001' }, RULES)).toMatch(/waits for a person/);
  });

  test.each(['NEXT_WORKER F-002', 'ESCALATE help', 'NEXT_ARCHITECT F-004'])('%s fits', (line) => {
    expect(refuse(state, parseDecision(line)!, RULES)).toBeNull();
  });
});
