import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Feature, FeatureList } from '../../../domain/feature.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { initialState } from './document.ts';
import { nextFeature } from './next-feature.ts';
import { nextPrompt, planSession } from './plan-session.ts';

const feature = (id: number, passes = false): Feature => ({ id, description: `feature ${id}`, passes });
const list = (...features: Feature[]): FeatureList => ({ project: 'p', features });
const state = (more: Partial<ProjectState> = {}): ProjectState => ({
  ...initialState('1', '2026-01-01T00:00:00.000Z'),
  last_session: 6,
  ...more,
});
const wipOf = (id: number): ProjectState['wip'] => ({ feature: id, ref: 'r', tree: 't', message: 'm' });
const PENDING: NonNullable<ProjectState['pending']> = {
  session: 6,
  feature: 1,
  base: 'b',
  branch: 'main',
  tree: 't',
  verdict: 'v',
  gate: 'project.confirm',
};
const ESCALATION: NonNullable<ProjectState['escalation']> = { gate: 'project.stuck', feature: 1, facts: {}, message: 'm' };
const HANDOFF: NonNullable<ProjectState['handoff']> = { at: '2026-01-01T00:00:00.000Z', head: 'h', declined: [] };
const no = { cleanup: false };

describe('the next run', () => {
  test('is a coding session on the next feature, one number on', () => {
    expect(planSession(state(), list(feature(1, true), feature(2)), no)).toEqual({
      kind: 'session',
      session: 7,
      prompt: 'coding',
      feature: feature(2),
    });
  });

  test('takes no number that another flow gave already', () => {
    expect(planSession(state(), list(feature(1)), { ...no, after: 40 })).toMatchObject({ session: 41 });
    expect(planSession(state(), list(feature(1)), { ...no, after: 3 })).toMatchObject({ session: 7 });
  });

  test('continues unfinished work', () => {
    expect(planSession(state({ wip: wipOf(2) }), list(feature(1), feature(2)), no)).toMatchObject({
      prompt: 'continuation',
      feature: { id: 2 },
    });
  });

  test('codes where another feature goes before the unfinished one', () => {
    expect(planSession(state({ wip: wipOf(2), setbacks: [1] }), list(feature(1), feature(2)), no)).toMatchObject({
      prompt: 'coding',
      feature: { id: 1 },
    });
  });

  test('is a cleanup when it is due, though not before a repair and not when nothing is open', () => {
    const due = { next_prompt: 'cleanup' as const };
    expect(planSession(state(due), list(feature(1)), no)).toEqual({ kind: 'session', session: 7, prompt: 'cleanup', feature: null });
    expect(planSession(state({ ...due, setbacks: [1] }), list(feature(1)), no)).toMatchObject({ prompt: 'coding', feature: { id: 1 } });
    expect(planSession(state(due), list(feature(1, true)), no)).toEqual({ kind: 'complete' });
  });

  test('is a cleanup whenever one is asked for, also in a complete project', () => {
    expect(planSession(state(), list(feature(1, true)), { cleanup: true })).toMatchObject({
      kind: 'session',
      prompt: 'cleanup',
      feature: null,
    });
  });

  test('does nothing when all pass, and says so when nothing can be worked on', () => {
    expect(planSession(state(), list(feature(1, true)), no)).toEqual({ kind: 'complete' });
    const skipped = [{ feature: 1, reason: 'later', at: '' }];
    expect(planSession(state({ skipped }), list(feature(1)), no)).toEqual({
      kind: 'exhausted',
      detail: { kind: 'exhausted', skipped: [1], blocked: [], parked: [] },
    });
  });

  test('waits for a person first: the wheel, a pause, a candidate, an escalation, in this order', () => {
    const all = { handoff: HANDOFF, paused: true, pending: PENDING, escalation: ESCALATION };
    const kind = (more: Partial<ProjectState>): string => planSession(state(more), list(feature(1)), { cleanup: true }).kind;
    expect(kind(all)).toBe('handoff');
    expect(kind({ ...all, handoff: null })).toBe('paused');
    expect(kind({ ...all, handoff: null, paused: false })).toBe('pending');
    expect(kind({ escalation: ESCALATION })).toBe('escalated');
    expect(kind({})).toBe('session');
  });

  test('never works on a feature that the choice of features would not give, and changes nothing', () => {
    const id = fc.integer({ min: 1, max: 4 });
    const anyState = fc.record({
      next_prompt: fc.constantFrom<ProjectState['next_prompt']>('coding', 'continuation', 'cleanup'),
      skipped: fc.array(
        id.map((one) => ({ feature: one, reason: '', at: '' })),
        { maxLength: 2 },
      ),
      setbacks: fc.array(id, { maxLength: 2 }),
      wip: fc.option(id.map((one) => wipOf(one)!)),
    });
    fc.assert(
      fc.property(anyState, fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }), fc.boolean(), (more, passes, cleanup) => {
        const features = list(...passes.map((one, index) => feature(index + 1, one)));
        const before = JSON.stringify([more, features]);
        const plan = planSession(state(more), features, { cleanup });
        expect(JSON.stringify([more, features])).toBe(before);
        expect(planSession(state(more), features, { cleanup })).toEqual(plan);
        const next = nextFeature({
          features: features.features,
          skipped: new Set(more.skipped.map((entry) => entry.feature)),
          setbacks: more.setbacks,
          unfinished: more.wip === null ? [] : [more.wip.feature],
        });
        const due = more.next_prompt === 'cleanup' && next.kind === 'feature' && more.setbacks.length === 0;
        if (cleanup || due) expect(plan).toEqual({ kind: 'session', session: 7, prompt: 'cleanup', feature: null });
        else if (next.kind !== 'feature') expect(plan.kind).toBe(next.kind);
        else
          expect(plan).toEqual({
            kind: 'session',
            session: 7,
            prompt: next.feature.id === more.wip?.feature ? 'continuation' : 'coding',
            feature: next.feature,
          });
      }),
      { numRuns: 500 },
    );
  });
});

describe('the next prompt, as every command names it', () => {
  const skipped = [{ feature: 1, reason: 'later', at: '' }];

  test.each<[string, Partial<ProjectState>, FeatureList, string | null, RegExp]>([
    ['new work', {}, list(feature(1)), 'coding', /^coding$/],
    ['unfinished work', { wip: wipOf(1) }, list(feature(1)), 'continuation', /^continuation$/],
    ['all passes', {}, list(feature(1, true)), null, /every feature passes/],
    ['nothing is left to work on', { skipped }, list(feature(1)), null, /only skipped and blocked/],
    ['a question waits', { escalation: ESCALATION }, list(feature(1)), null, /before a question is answered/],
  ])('is the same whether the project is held or goes on: %s', (_, more, features, prompt, words) => {
    const told = nextPrompt(state(more), features);
    expect(told).toEqual({ prompt, words: expect.stringMatching(words) as string });
    expect(nextPrompt(state({ ...more, paused: true }), features)).toEqual(told);
    expect(nextPrompt(state({ ...more, paused: true, handoff: HANDOFF }), features)).toEqual(told);
  });
});
