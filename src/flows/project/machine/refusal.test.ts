import { describe, expect, test } from 'vitest';
import type { ProjectState } from '../../../domain/session.ts';
import { initialState, newFlight, transition } from './document.ts';
import { isRepair } from './refusal.ts';

const RULES = { maxStuckSessions: 3, cleanupInterval: 0 };
const NOW = '2026-01-01T00:00:00.000Z';
const WIP = { feature: 4, ref: 'refs/harness/wip/4', tree: 'w', message: 'WIP' };

function refuse(state: ProjectState, session: number, wip: ProjectState['wip'] = null): ProjectState {
  const flight = newFlight({ session, feature: 4, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW });
  const flying = { ...flight, phase: 'settling' as const, tree: `t${session}`, verdict: `v${session}` };
  const ending = { kind: 'rejected' as const, reasons: ['test.failed' as const], wip };
  return transition({ ...state, flight: flying }, { type: 'settled', ending }, RULES, NOW).state;
}

describe('refused work', () => {
  test('is remembered with its verdict, and refusals in a row are counted', () => {
    const once = refuse(initialState('0', NOW), 1);
    expect(once.refusals).toEqual([{ feature: 4, session: 1, verdict: 'v1', base: 'b', tree: 't1', count: 1 }]);
    expect(refuse(once, 2).refusals).toMatchObject([{ session: 2, verdict: 'v2', tree: 't2', count: 2 }]);
  });

  test('takes the place of unfinished work that it grew out of, unless a limit left new work', () => {
    expect(refuse({ ...initialState('0', NOW), wip: WIP }, 1)).toMatchObject({ wip: null, next_prompt: 'coding' });
    expect(refuse(initialState('0', NOW), 1, WIP)).toMatchObject({ wip: WIP, next_prompt: 'continuation' });
  });

  test('is forgotten once the feature is done or set aside', () => {
    const state = refuse(initialState('0', NOW), 1);
    expect(transition(state, { type: 'skipped', feature: 4, reason: 'later' }, RULES, NOW).state.refusals).toEqual([]);
    const flight = newFlight({ session: 2, feature: 4, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW });
    const ending = { kind: 'verified' as const, commit: 'c', open: 0 };
    expect(transition({ ...state, flight }, { type: 'settled', ending }, RULES, NOW).state.refusals).toEqual([]);
  });

  test('that a person turned down counts too', () => {
    const pending = { session: 3, feature: 4, base: 'b', branch: 'main', tree: 't3', verdict: 'v3', gate: 'project.review' };
    const state = transition({ ...initialState('0', NOW), pending }, { type: 'pending.closed' }, RULES, NOW).state;
    expect(state.refusals).toMatchObject([{ feature: 4, session: 3, verdict: 'v3', tree: 't3', count: 1 }]);
  });

  test('is repaired once; the third attempt, and any after tampering, starts from the branch', () => {
    expect([1, 2, 3].map((count) => isRepair({ count }, ['test.failed']))).toEqual([true, false, true]);
    expect(isRepair({ count: 1 }, ['test.failed', 'tamper.tests'])).toBe(false);
    expect(isRepair({ count: 1 }, ['write.outside'])).toBe(false);
  });
});
