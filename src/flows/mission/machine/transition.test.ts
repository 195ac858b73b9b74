import { describe, expect, test } from 'vitest';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { policy } from './decisions.ts';
import { due } from './machine.ts';
import type { Attempt, MissionEvent } from './state.ts';
import { claim, feature, flight, RULES, working } from './test-support.ts';
import { LOST } from './flown.ts';
import { transition } from './transition.ts';
import { resting } from '../flow.ts';

const apply = (state: MissionState, ...events: MissionEvent[]): MissionState =>
  events.reduce((now, event) => transition(now, event, RULES), state);
const keys = (mission: MissionState, rules = RULES): string[] => due({ mission, run: { from: 0 } }, rules).map(({ key }) => key);
const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  message: 'm',
  reasons: ['test.failed'],
  conflict: null,
  blocked: null,
  outage: false,
  retryAt: null,
  ...change,
});
const settled = (
  kind: 'verified' | 'rejected' | 'partial' | 'cut_off' | 'needs_human' | 'not_started',
  change: Partial<Attempt> = {},
  message = 'm',
): MissionEvent => ({
  type: 'settled',
  session: 1,
  end: { kind, reasons: change.reasons ?? ['test.failed'], message, outage: change.outage ?? false },
  evidence: attempt({ message, ...change }),
});
const flying = (change = {}): MissionState =>
  working([feature(1, { status: 'working' }), feature(2)], { flights: [flight(1, 'F-001', change)] });

describe('an attempt', () => {
  test('that landed has passed', () => {
    expect(apply(flying({ phase: 'settling' }), settled('verified'))).toMatchObject({
      flights: [],
      features: [{ status: 'passed', attempts: 1 }, {}],
    });
  });

  test('that was refused counts, and after the last one a person is asked', () => {
    let state = flying({ phase: 'settling' });
    for (const attempts of [1, 2, 3]) {
      state = apply(state, settled('rejected'));
      expect(state.features[0]).toMatchObject({ attempts, status: attempts === 3 ? 'failed' : 'pending' });
      state = { ...state, flights: [flight(1, 'F-001', { phase: 'settling' })] };
    }
    expect(state.evidence).toHaveLength(3);
  });

  test.each(['usage_limit', 'interrupted', 'budget.project', 'user_pause', 'api.unavailable', 'git.moved'] as const)(
    'that ended by %s counts against nobody',
    (reason) => {
      const state = apply(flying({ phase: 'settling' }), settled('partial', { reasons: [reason] }));
      expect(state.features[0]).toMatchObject({ attempts: 0, status: 'pending' });
    },
  );

  test('a usage limit is waited for once, a budget ends the command', () => {
    expect(apply(flying({ phase: 'settling' }), settled('partial', { reasons: ['usage_limit'], retryAt: 7 })).wait).toEqual({
      until: 7,
      why: 'usage_limit',
    });
    expect(apply(flying({ phase: 'settling' }), settled('partial', { reasons: ['budget.project'] })).stop?.reason).toBe('budget.project');
  });

  test('lanes that hear of one limit at different times wait for the last moment that any of them was told', () => {
    const limit = (until: number | null): MissionEvent => ({ type: 'held.up', reason: 'usage_limit', message: 'm', until });
    const told = apply(working([feature(1)]), limit(20), limit(60), limit(null), limit(40));
    expect(told.wait).toEqual({ until: 60, why: 'usage_limit' });
    expect(apply(told, { type: 'waited', until: 20 }).wait).toEqual({ until: 60, why: 'usage_limit' });
    expect(apply(told, { type: 'waited', until: 60 }).wait).toBeNull();
    expect(apply(working([feature(1)]), limit(null), { type: 'waited', until: 5 }).wait).toBeNull();
  });

  test('that cannot go on is for the architect', () => {
    const state = apply(flying({ phase: 'settling' }), settled('partial', { reasons: ['claim.none'], blocked: 'what is zero?' }));
    expect(state).toMatchObject({ question: { feature: 'F-001', text: 'what is zero?' }, features: [{ status: 'blocked' }, {}] });
    expect(keys(state)).toEqual(['decide']);
    const asked = apply(state, { type: 'decided', decision: { kind: 'NEXT_ARCHITECT', feature: 'F-001' }, flights: [] });
    expect(keys(asked)).toEqual(['resolve']);
    expect(apply(asked, { type: 'resolved', feature: 'F-001', claims: [claim(1, { text: 'Clearer' })], reason: 'r' })).toMatchObject({
      question: null,
      features: [{ status: 'pending' }, {}],
      claims: [{ id: 'VAL-SUM-002' }, { text: 'Clearer' }],
    });
  });

  test('that left unfinished work is gone on with, and only as long as nothing newer is there', () => {
    const kept = apply(flying({ phase: 'settling' }), settled('partial', { reasons: ['context_limit'], kept: true }));
    expect(kept.unfinished).toEqual(['F-001']);
    const again = { ...kept, flights: [flight(1, 'F-001', { phase: 'settling' })] };
    expect(apply(again, settled('partial', { reasons: ['timeout'], kept: true })).unfinished).toEqual(['F-001']);
    for (const kind of ['rejected', 'verified'] as const) expect(apply(again, settled(kind)).unfinished).toEqual([]);
  });

  test('that collides is shown to a worker once, and then to a person', () => {
    const once = apply(flying({ phase: 'settling' }), settled('partial', { reasons: ['git.moved'], conflict: ['a.js'] }));
    expect(once).toMatchObject({
      stage: 'working',
      conflicts: { 'F-001': { count: 1 } },
      features: [{ status: 'pending', attempts: 0 }, {}],
    });
    const twice = apply(
      { ...once, flights: [flight(1, 'F-001', { phase: 'settling' })] },
      settled('partial', { reasons: ['git.moved'], conflict: ['a.js'] }),
    );
    expect(twice).toMatchObject({ stage: 'working', features: [{ status: 'failed' }, { status: 'pending' }] });
    expect(policy(twice, RULES)).toEqual({ kind: 'NEXT_WORKER', feature: 'F-002' });
    const alone = { ...twice, features: [twice.features[0]!, feature(2, { status: 'passed' })] };
    expect(policy(alone, RULES)).toMatchObject({ kind: 'ESCALATE', feature: 'F-001', reason: expect.stringContaining('a.js') as string });
  });

  test('that is stuck beside another that is stuck is not forgotten, and one that is stuck every time is for a person', () => {
    const both = working([feature(1, { status: 'working' }), feature(2, { status: 'working' })], {
      flights: [flight(1, 'F-001', { phase: 'settling' }), flight(2, 'F-002', { phase: 'settling' })],
    });
    const blocked = (session: number) => ({ ...settled('partial', { blocked: `which of them? ${session}` }), session });
    const asked = apply(apply(both, blocked(1)), blocked(2));
    expect(asked).toMatchObject({ question: { feature: 'F-001' }, later_questions: [{ feature: 'F-002', text: 'which of them? 2' }] });
    const next = apply(asked, { type: 'resolved', feature: 'F-001', claims: [claim(1)], reason: 'the first' });
    expect(next).toMatchObject({ question: { feature: 'F-002' }, later_questions: [] });
    const unclear = apply(next, { type: 'unresolved', feature: 'F-002', question: 'who decides this?' });
    expect(unclear).toMatchObject({ stage: 'working', question: null, features: [{ status: 'pending' }, { status: 'failed' }] });
    const last = apply(
      working([feature(1, { status: 'working', attempts: 2 })], { flights: [flight(1, 'F-001', { phase: 'settling' })] }),
      blocked(1),
    );
    expect(last).toMatchObject({ question: null, features: [{ status: 'failed', attempts: 3 }] });
  });

  test('whose work meets a file of the user on its way to the branch ends the command', () => {
    const state = apply(
      flying({ phase: 'settling' }),
      settled('partial', { reasons: ['git.conflict'], message: 'notes.txt is in the way' }),
    );
    expect(state).toMatchObject({ stop: { reason: 'git.conflict' }, features: [{ status: 'pending', attempts: 0 }, {}] });
    expect(resting(state)).toMatchObject({ exitCode: 6, message: expect.stringContaining('Move or commit') as string });
  });

  test('that an outage ends counts as one outage with those beside it', () => {
    const both = working([feature(1, { status: 'working' }), feature(2, { status: 'working' })], {
      flights: [flight(1, 'F-001', { phase: 'settling' }), flight(2, 'F-002', { phase: 'settling' })],
    });
    const out = (session: number) => ({ ...settled('partial', { reasons: ['api.unavailable'], outage: true }), session });
    const once = apply(apply(both, out(1)), out(2));
    expect(once.outages).toBe(1);
    expect(apply({ ...once, wait: null, flights: [flight(3, 'F-001', { phase: 'settling' })] }, out(3)).outages).toBe(2);
  });

  test('that waits for a person holds up nobody else', () => {
    const state = apply(flying({ phase: 'settling' }), settled('needs_human'));
    expect(state).toMatchObject({ candidates: [{ feature: 'F-001' }], features: [{ status: 'blocked' }, { status: 'pending' }] });
    expect(keys(state)).toEqual(['leave question']);
    expect(keys(apply(state, { type: 'candidate.told', feature: 'F-001' }))).toEqual(['decide']);
    const alone = { ...state, features: [state.features[0]!, feature(2, { status: 'passed' })] };
    expect(keys(alone)).toEqual(['ask about candidate']);
    const accepted = apply(alone, { type: 'candidate.answered', feature: 'F-001', accepted: true, text: null });
    expect(accepted.flights[0]).toMatchObject({ phase: 'landing', accepted: { verdict: 'v' }, checkpoint: null });
    expect(keys(accepted)).toEqual(['decide']);
    expect(policy(accepted, RULES)).toEqual({ kind: 'NEXT_VALIDATOR', feature: 'F-001' });
    expect(apply(alone, { type: 'candidate.answered', feature: 'F-001', accepted: false, text: 'no' }).features[0]).toMatchObject({
      status: 'pending',
      notes: expect.arrayContaining(['person: no']) as string[],
    });
  });
});

describe('accepted work', () => {
  const accepted = (): MissionState =>
    apply(flying({ phase: 'captured' }), {
      type: 'flown',
      session: 1,
      event: { type: 'judged', verdict: 'v', decision: 'accepted', reasons: [], message: '', tree: 't', answerable: false },
    });

  test('lands only after a validator was asked', () => {
    const state = accepted();
    expect(state.features[0]!.status).toBe('validating');
    expect(keys(state)).toEqual(['decide']);
    const asked = apply(state, { type: 'decided', decision: { kind: 'NEXT_VALIDATOR', feature: 'F-001' }, flights: [] });
    expect(keys(asked)).toContain('validate 1');
    expect(keys(asked)).not.toContain('commit 1');
    const validated = apply(asked, {
      type: 'validated',
      session: 1,
      holds: null,
      issues: [],
      counts: { believed: 0, unquoted: 1, contradicted: 0 },
    });
    expect(keys(validated)).toContain('commit 1');
    expect(validated.validator).toEqual({ asked: 1, believed: 0, unquoted: 1, contradicted: 0 });
  });

  test('is held back by a proof that failed, and by nothing else that a validator says', () => {
    const asked = apply(accepted(), { type: 'decided', decision: { kind: 'NEXT_VALIDATOR', feature: 'F-001' }, flights: [] });
    const held = apply(asked, {
      type: 'validated',
      session: 1,
      holds: 'x fails',
      issues: [],
      counts: { believed: 0, unquoted: 0, contradicted: 0 },
    });
    expect(held.flights[0]).toMatchObject({ phase: 'settling', end: { kind: 'rejected', message: 'x fails' } });
  });

  test('of several lanes for one feature lands once: the others lose without a mark', () => {
    const race = working([feature(1, { status: 'validating' })], {
      flights: [flight(1, 'F-001', { phase: 'landing' }), flight(2, 'F-001', { phase: 'landing' })],
      validated: [1, 2],
    });
    expect(keys(race)).toEqual(['referee']);
    const decided = apply(race, { type: 'refereed', winner: 2 });
    expect(decided.flights.map(({ session, phase }) => [session, phase])).toEqual([
      [1, 'settling'],
      [2, 'landing'],
    ]);
    expect(keys(decided)).toEqual(['settle 1', 'commit 2']);
    expect(apply(decided, settled('rejected', {}, LOST)).features[0]).toMatchObject({ attempts: 0, status: 'validating' });
  });
});

describe('work beside other work', () => {
  const race = (second: Partial<Parameters<typeof flight>[2]>): MissionState =>
    working([feature(1, { status: 'validating' }), feature(2)], {
      flights: [flight(1, 'F-001', { phase: 'settling' }), flight(2, 'F-001', { phase: 'landing', ...second })],
    });
  const dropped: MissionEvent = { type: 'dropped', session: 1, failure: { reason: 'env.unhealthy', message: 'm' } };

  test.each<[string, MissionEvent]>([
    ['refused', settled('rejected')],
    ['left to a person', settled('needs_human')],
    ['not started', settled('not_started')],
    ['dropped', dropped],
  ])('for the same feature that was %s keeps accepted work from nobody', (_, event) => {
    const state = { ...apply(race({}), event), stop: null, wait: null };
    expect(keys(state)).toEqual(['decide']);
    const asked = apply(state, { type: 'decided', decision: policy(state, RULES)!, flights: [] });
    expect(keys(asked)).toContain('validate 2');
  });

  test.each<[string, MissionEvent]>([
    ['refused', settled('rejected')],
    ['left to a person', settled('needs_human')],
    ['dropped', dropped],
    ['collided', settled('partial', { reasons: ['git.moved'], conflict: ['a.js'] })],
  ])('that passed is not opened again by what was %s', (_, event) => {
    const passed = { ...race({}), features: [feature(1, { status: 'passed', attempts: 1 }), feature(2)], flights: [race({}).flights[0]!] };
    expect(apply(passed, event)).toMatchObject({ features: [{ status: 'passed', attempts: 1 }, {}], candidates: [] });
  });

  test('that was accepted is validated and lands also where the mission has escalated meanwhile', () => {
    const state = working([feature(1, { status: 'validating' }), feature(2)], {
      stage: 'escalated',
      escalation: { reason: 'r', feature: 'F-002' },
      flights: [flight(1, 'F-001', { phase: 'landing' })],
    });
    expect(keys(state)).toEqual(['validate 1']);
    const counts = { believed: 0, unquoted: 0, contradicted: 0 };
    expect(keys(apply(state, { type: 'validated', session: 1, holds: null, issues: [], counts }))).toEqual(['commit 1']);
    const raced = { ...state, flights: [state.flights[0]!, flight(2, 'F-001', { phase: 'landing' })], validated: [1, 2] };
    expect(keys(raced)).toEqual(['referee']);
  });
});

describe('an edited queue', () => {
  test.each(['proving', 'closing', 'done'] as const)('is not done because another one was: from %s it is worked on', (stage) => {
    const state = working([feature(1, { status: 'passed' })], { stage, proved: { commit: 'k', tree: 't' }, curated: true });
    const features = [...state.features, feature(2)];
    const edited = apply(state, { type: 'edited', features, claims: [...state.claims, claim(2)] });
    expect([edited.stage, keys(edited), policy(edited, RULES)]).toEqual(['working', ['decide'], { kind: 'NEXT_WORKER', feature: 'F-002' }]);
    const less = apply(state, { type: 'edited', features: state.features, claims: [claim(1, { text: 'More' })] });
    expect(policy(less, RULES)).toEqual({ kind: 'DONE' });
  });

  test('keeps a feature aside that a person set aside, whatever the architect says about it', () => {
    const state = working([feature(1, { status: 'skipped' })], { question: { feature: 'F-001', text: '? q' } });
    expect(apply(state, { type: 'resolved', feature: 'F-001', claims: [claim(1)], reason: 'r' }).features[0]!.status).toBe('skipped');
  });
});

describe('a decision', () => {
  test('that cannot be read or does not fit is asked again, and the third in a row escalates', () => {
    const miss: MissionEvent = { type: 'misdecided', kind: 'ghost', why: 'w' };
    const state = working([feature(1)]);
    expect(apply(state, miss, miss)).toMatchObject({ stage: 'working', refused: 2, ghosts: 2 });
    expect(apply(state, miss, miss, { ...miss, kind: 'refused' })).toMatchObject({ stage: 'escalated', ghosts: 2 });
    const fits: MissionEvent = { type: 'decided', decision: { kind: 'NEXT_WORKER', feature: 'F-001' }, flights: [flight(1, 'F-001')] };
    expect(apply(state, miss, miss, fits)).toMatchObject({ refused: 0, iteration: 3, features: [{ status: 'working' }] });
  });

  test('DONE leads to the last proof, and a claim that does not hold opens its feature again', () => {
    const state = apply(working([feature(1, { status: 'passed', attempts: 1 })]), {
      type: 'decided',
      decision: { kind: 'DONE' },
      flights: [],
    });
    expect([state.stage, keys(state)]).toEqual(['proving', ['prove']]);
    expect(apply(state, { type: 'unproved', claims: [{ id: 'VAL-SUM-001', why: 'it fails' }] })).toMatchObject({
      stage: 'working',
      features: [{ status: 'pending', attempts: 2 }],
    });
    const proved = apply(state, { type: 'proved', commit: 'k', tree: 't' });
    expect(apply(proved, { type: 'curated' }).stage).toBe('done');
  });

  test('CONVERTED makes a feature of an issue once', () => {
    const issue = { title: 'Zero', text: 'breaks', proof: null, by: 'validator', feature: 'F-001', state: 'open' as const };
    const state = working([feature(1, { status: 'passed' })], { issues: [issue] });
    expect(keys(state)).toEqual(['convert']);
    const converted = apply(state, {
      type: 'converted',
      promoted: [{ issue: 0, feature: 'F-FIX-001', title: 'Zero', claim: claim(9) }],
      noted: [],
    });
    expect(converted.features[1]).toMatchObject({ id: 'F-FIX-001', status: 'pending', claims: ['VAL-SUM-009'] });
    const again = apply(
      { ...converted, flights: [flight(1, 'F-001', { phase: 'landing' })] },
      { type: 'validated', session: 1, holds: null, issues: [issue], counts: { believed: 0, unquoted: 0, contradicted: 0 } },
    );
    expect(again.issues).toHaveLength(1);
  });
});

describe('a plan', () => {
  const planning = (): MissionState => working([], { stage: 'planning' });
  const refused: MissionEvent = { type: 'plan.refused', remarks: ['r'] };

  test('goes back to the planner with what is wrong, and after three of them to a person', () => {
    expect(apply(planning(), refused, refused)).toMatchObject({ stage: 'planning', plan: { tries: 2, remarks: ['r'] } });
    expect(apply(planning(), refused, refused, refused).stage).toBe('escalated');
  });

  test('that could be read and cannot be proved counts once, and is not built after the question', () => {
    const planned: MissionEvent = { type: 'planned', plan: { features: [feature(1)], claims: [claim(1)] } };
    expect(apply(planning(), planned, refused).plan.tries).toBe(1);
    const asked = apply(planning(), planned, refused, planned, refused, planned, refused);
    expect(asked).toMatchObject({ stage: 'escalated', escalation: { reason: expect.stringContaining('after 3 tries') as string } });
    expect(apply(asked, { type: 'answered', option: 'Try again', text: null }).stage).toBe('planning');
  });

  test('whose claims hold already goes back once more', () => {
    const told: MissionEvent = { type: 'plan.refused', remarks: ['r'], told: true };
    expect(apply(planning(), refused, refused, told)).toMatchObject({ stage: 'planning', plan: { told: true } });
  });

  test('is rejected by its reviewer, or worked on', () => {
    const reviewing = { ...planning(), stage: 'reviewing' as const };
    const text = '# Review\n\n- F-001: split the store\n    its tests too\n- all fine else\n  nothing more\nF-002 and F-0011 wait\n';
    const noted = apply({ ...reviewing, features: [feature(1), feature(2)] }, { type: 'reviewed', verdict: 'accept-with-notes', text });
    expect(noted.features.find(({ id }) => id === 'F-001')!.notes).toEqual([
      'plan reviewer: F-001: split the store',
      'plan reviewer: its tests too',
    ]);
    const byClaim = apply(
      { ...reviewing, features: [feature(1), feature(2)] },
      { type: 'reviewed', verdict: 'accept-with-notes', text: '- VAL-SUM-002 needs a test of zero\n' },
    );
    expect(byClaim.features.map(({ notes }) => notes)).toEqual([[], ['plan reviewer: VAL-SUM-002 needs a test of zero']]);
    expect(apply(reviewing, { type: 'reviewed', verdict: 'reject', text: 't' }).stage).toBe('rejected');
    expect(apply(reviewing, { type: 'reviewed', verdict: 'accept-with-notes', text: 't' })).toMatchObject({
      stage: 'working',
      review: 't',
    });
  });
});

test('a process that died with several in the air leaves each to its own phase', () => {
  const state = working([feature(1, { status: 'working' }), feature(2, { status: 'working' }), feature(3, { status: 'validating' })], {
    flights: [flight(1, 'F-001', { phase: 'preparing' }), flight(2, 'F-002'), flight(3, 'F-003', { phase: 'landing', commit: 'k' })],
    stop: { reason: 'interrupted', message: '' },
    wait: { until: null, why: 'usage_limit' },
  });
  const opened = apply(state, { type: 'reopened' });
  expect(opened.flights.map(({ session, phase }) => [session, phase])).toEqual([
    [2, 'salvaging'],
    [3, 'landing'],
  ]);
  expect(opened).toMatchObject({
    stop: null,
    wait: null,
    features: [{ status: 'pending' }, { status: 'working' }, { status: 'validating' }],
  });
});

test('what ends a command lets those in the air come to their end, and starts nothing', () => {
  const state = { ...flying(), stop: { reason: 'budget.project' as const, message: '' } };
  expect(keys(state)).toEqual(['converse 1']);
});

test('the decisions of a command are counted', () => {
  const state = working([feature(1)], { iteration: 5 });
  expect(due({ mission: state, run: { from: 0 } }, { ...RULES, maxIterations: 5 })).toEqual([]);
  expect(due({ mission: state, run: { from: 1 } }, { ...RULES, maxIterations: 5 }).map(({ key }) => key)).toEqual(['decide']);
});

test('the debugger looks after so many failures, once', () => {
  const state = working([feature(1, { attempts: 2 })]);
  expect(keys(state)).toEqual(['debug']);
  expect(keys(apply(state, { type: 'debugged', feature: 'F-001', cause: 'c' }))).toEqual(['decide']);
});
