/** Work that does not land by itself, and work that races: told as what it is, and never lost to a validator. */
import { describe, expect, test } from 'vitest';
import type { Flight } from '../../../domain/session.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { due, undocumented } from './machine.ts';
import { KEPT, LOST } from './flown.ts';
import type { MissionEvent } from './state.ts';
import type { Rules } from './rules.ts';
import { feature, flight, RULES, working } from './test-support.ts';
import { transition } from './transition.ts';

const KEEP: Rules = { ...RULES, onPass: 'keep' };
const RACE: Rules = { ...RULES, mode: 'competition', busy: (flights) => flights.length > 0 };
const validated = (session: number, holds: string | null = null): MissionEvent => ({
  type: 'validated',
  session,
  holds,
  issues: [],
  counts: { believed: 0, unquoted: 0, contradicted: 0 },
});
const settled = ({ session, end }: Flight): MissionEvent => ({
  type: 'settled',
  session,
  end: end!,
  evidence: { message: end!.message, reasons: end!.reasons, conflict: null, blocked: null, outage: false, retryAt: null },
});
const keys = (mission: MissionState, rules: Rules): string[] => due({ mission, run: { from: 0 } }, rules).map(({ key }) => key);
const race = (...validating: number[]): MissionState =>
  working([feature(1, { status: 'validating' })], {
    flights: [flight(1, 'F-001', { phase: 'landing' }), flight(2, 'F-001', { phase: 'landing' })],
    validating,
  });

describe('where nothing lands by itself', () => {
  test('accepted work is kept once it was validated, and told as work that waits for a person', () => {
    const state = working([feature(1, { status: 'validating' })], { flights: [flight(1, 'F-001', { phase: 'landing' })], validating: [1] });
    const kept = transition(state, validated(1), KEEP);
    expect(kept.flights[0]).toMatchObject({ phase: 'settling', end: { kind: 'needs_human', reasons: ['gate.pending'], message: KEPT } });
    const after = transition(kept, settled(kept.flights[0]!), KEEP);
    expect(after).toMatchObject({ kept: ['F-001'], candidates: [], features: [{ status: 'blocked', attempts: 1 }] });
  });

  test('neither the winner of a race nor what a person accepted lands', () => {
    const raced = transition({ ...race(), validated: [1, 2] }, { type: 'refereed', winner: 2 }, { ...RACE, onPass: 'keep' });
    expect(raced.flights.map(({ phase, end }) => [phase, end?.message])).toEqual([
      ['settling', LOST],
      ['settling', KEPT],
    ]);
    const waiting = working([feature(1, { status: 'blocked' })], { candidates: [{ feature: 'F-001', flight: flight(1, 'F-001') }] });
    const accepted = transition(waiting, { type: 'candidate.answered', feature: 'F-001', accepted: true, text: null }, KEEP);
    const looked = transition({ ...accepted, validating: [1] }, validated(1), KEEP);
    expect(looked.flights[0]).toMatchObject({ phase: 'settling', end: { message: KEPT } });
  });
});

describe('the documenter', () => {
  const done = working([feature(1, { status: 'passed' }), feature(2, { status: 'passed' })], { stage: 'closing', documented: ['F-002'] });

  test('is asked after each feature, or once about all of them at the end', () => {
    const open = { ...done, documented: [] };
    expect(undocumented(open, { ...RULES, documents: 'feature' })).toEqual(['F-001']);
    expect(undocumented(open, { ...RULES, documents: 'done' })).toEqual(['F-001', 'F-002']);
    expect(undocumented({ ...open, stage: 'working' }, { ...RULES, documents: 'done' })).toEqual([]);
    const told = transition(
      { ...open, curated: true },
      { type: 'documented', features: ['F-001', 'F-002'] },
      { ...RULES, documents: 'done' },
    );
    expect(told.stage).toBe('done');
  });
});

describe('a race', () => {
  test('is decided when every work was looked at, among those that nothing speaks against', () => {
    expect(keys(race(1, 2), RACE)).toEqual(['validate 1', 'validate 2']);
    const one = transition(race(1, 2), validated(1), RACE);
    expect(keys(one, RACE)).toEqual(['validate 2']);
    expect(keys(transition(one, validated(2), RACE), RACE)).toEqual(['referee']);
    const held = transition(one, validated(2, 'x fails'), RACE);
    const left = transition(held, settled(held.flights[1]!), RACE);
    expect(keys(left, RACE)).toEqual(['commit 1']);
    expect(left.features[0]).toMatchObject({ attempts: 0 });
  });

  test('is one attempt, however many lanes lost it', () => {
    const refused = (session: number): Flight =>
      flight(session, 'F-001', { phase: 'settling', end: { kind: 'rejected', reasons: ['test.failed'], message: 'm', outage: false } });
    let state = working([feature(1, { status: 'working' })], { flights: [refused(1), refused(2), refused(3)] });
    for (const flown of state.flights) state = transition(state, settled(flown), RACE);
    expect(state).toMatchObject({ flights: [], features: [{ attempts: 1, status: 'pending' }] });
  });

  test('of which one work waits for a person is not run anew because the others failed', () => {
    const ends = ['needs_human', 'rejected'] as const;
    const flights = ends.map((kind, at) =>
      flight(at + 1, 'F-001', { phase: 'settling', end: { kind, reasons: ['test.failed'], message: 'm', outage: false } }),
    );
    let state = working([feature(1, { status: 'working' })], { flights });
    for (const flown of flights) state = transition(state, settled(flown), RACE);
    expect(state).toMatchObject({ candidates: [{ feature: 'F-001' }], features: [{ status: 'blocked' }] });
    expect(keys(state, RACE)).toEqual(['ask about candidate']);
  });

  test('leaves work that was not taken without a reason against it', () => {
    expect(transition({ ...race(), validated: [1, 2] }, { type: 'refereed', winner: 2 }, RACE).flights[0]!.end).toMatchObject({
      reasons: [],
      message: LOST,
    });
  });
});
