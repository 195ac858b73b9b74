import { describe, expect, test } from 'vitest';
import type { ProjectState } from '../../../domain/session.ts';
import { initialState, newFlight, transition, type ProjectEvent } from './document.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const WAITING = { session: 3, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.review' };

/** A project in which everything that can wait waits for feature 4. */
function busy(): ProjectState {
  return {
    ...initialState('1.0.0', '2026-01-01T00:00:00.000Z'),
    current_feature: 4,
    stuck_count: 2,
    failures: { 4: 2, 5: 1 },
    setbacks: [4, 5],
    next_prompt: 'continuation',
    wip: { feature: 4, ref: 'r', tree: 't', message: 'm' },
    pending: { ...WAITING, feature: 4 },
    escalation: { gate: 'project.stuck', feature: 4, facts: {}, message: 'm' },
  };
}

const apply = (state: ProjectState, ...events: ProjectEvent[]): ProjectState =>
  events.reduce((now, event) => transition(now, event, { maxStuckSessions: 3, cleanupInterval: 0 }, NOW).state, state);

describe('a feature that nobody works on any more', () => {
  test.each<[string, ProjectEvent]>([
    ['set aside', { type: 'skipped', feature: 4, reason: 'r' }],
    ['recorded at takeback', { type: 'recorded', feature: 4 }],
    ['overridden as passing', { type: 'overridden', feature: 4, passes: true, kind: 'override' }],
  ])('%s keeps nothing waiting', (_title, event) => {
    expect(apply(busy(), event)).toMatchObject({
      setbacks: [5],
      failures: { 5: 1 },
      wip: null,
      pending: null,
      escalation: null,
      stuck_count: 0,
      next_prompt: 'coding',
    });
  });

  test('leaves what belongs to others alone', () => {
    const state = apply(busy(), { type: 'skipped', feature: 5, reason: 'r' });
    expect(state).toMatchObject({
      setbacks: [4],
      failures: { 4: 2 },
      wip: { feature: 4 },
      pending: { feature: 4 },
      escalation: { feature: 4 },
      stuck_count: 2,
    });
    expect(apply(state, { type: 'unskipped', feature: 5 }).skipped).toEqual([]);
  });
});

describe("a person's word", () => {
  const word = (passes: boolean): ProjectEvent => ({ type: 'overridden', feature: 4, passes, kind: 'override' });

  test('is marked once, as it was said last', () => {
    expect(apply(busy(), word(true), word(false)).overrides).toEqual([{ feature: 4, passes: false, kind: 'override', at: NOW }]);
  });

  test('is gone once the harness has verified the feature, or set it back', () => {
    expect(apply(busy(), word(true), { type: 'recorded', feature: 4 }).overrides).toEqual([]);
    expect(apply(busy(), word(true), { type: 'setback', features: [4] })).toMatchObject({ overrides: [], setbacks: [5, 4] });
  });

  test('opens a complete project again when it says that a feature does not pass', () => {
    expect(apply(busy(), { type: 'completed' }, word(false)).completed_at).toBeNull();
  });
});

test('a rollback drops the session of its checkpoint and never gives a number out twice', () => {
  const flight = newFlight({ session: 3, feature: 4, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW });
  const checkpoint = { ...initialState('1.0.0', NOW), last_session: 3, flight };
  expect(apply(checkpoint, { type: 'rolled.back', session: 9 })).toMatchObject({ flight: null, last_session: 9 });
  expect(apply(checkpoint, { type: 'rolled.back', session: 1 })).toMatchObject({ last_session: 3 });
});

test('a takeback remembers what a person declined until it ends', () => {
  const handed = apply(busy(), { type: 'handed.off', head: 'h' }, { type: 'declined', feature: 4 }, { type: 'declined', feature: 4 });
  expect(handed.handoff).toEqual({ at: NOW, head: 'h', declined: [4] });
  expect(apply(handed, { type: 'resumed' }).handoff).toBeNull();
});
