import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { initialState, newFlight, transition, type ProjectEvent } from './document.ts';
import { parkedId, waitingEntries } from './parked.ts';
import { planSession } from './plan-session.ts';

const RULES = { maxStuckSessions: 3, cleanupInterval: 0 };
const NOW = '2026-01-02T03:04:05.000Z';
const [one, two, three, four] = [1, 2, 3, 4].map((id): Feature => ({ id, description: `feature ${id}`, passes: false }));
const list = { project: 'p', features: [one!, two!, three!, { ...four!, depends_on: [1] }] };
const unattended = { cleanup: false, unattended: true };

describe('what waits for a person', () => {
  test('is set aside without being forgotten, and what does not depend on it goes on', () => {
    const state = apply(fresh(), asked(1), { type: 'parked' }, stuck(2), { type: 'parked' });
    expect(state).toMatchObject({ pending: null, escalation: null });
    expect(state.parked.map(parkedId)).toEqual(['project.tampering:1', 'project.stuck:2']);
    expect(planSession(state, list, unattended)).toMatchObject({ kind: 'session', feature: { id: 3 } });
    const skipped = apply(state, { type: 'skipped', feature: 3, reason: 'r' });
    expect(planSession(skipped, list, unattended)).toEqual({ kind: 'waiting' });
  });

  test('is asked about first where somebody runs a single session', () => {
    const state = apply(fresh(), asked(1), { type: 'parked' });
    expect(planSession(state, list, { cleanup: false })).toMatchObject({ kind: 'pending', pending: { feature: 1 } });
    expect(planSession(apply(fresh(), stuck(2), { type: 'parked' }), list, { cleanup: false })).toMatchObject({ kind: 'escalated' });
  });

  test('comes back one at a time, and what stood there is parked in turn', () => {
    const state = apply(fresh(), asked(1), { type: 'parked' }, stuck(2), { type: 'recalled', id: 'project.tampering:1' });
    expect(state).toMatchObject({ pending: { feature: 1 }, escalation: null });
    expect(state.parked.map(parkedId)).toEqual(['project.stuck:2']);
    expect(() => apply(state, { type: 'recalled', id: 'project.tampering:1' })).toThrow(/project\.tampering:1/);
  });

  test('about no feature holds up everything', () => {
    const state = apply(fresh(), {
      type: 'escalated',
      escalation: { gate: 'project.false-positives', feature: null, facts: {}, message: 'm' },
    });
    expect(apply(state, { type: 'parked' })).toMatchObject({ escalation: { gate: 'project.false-positives' }, parked: [] });
    expect(planSession(state, list, unattended).kind).toBe('escalated');
  });

  test('after a cleanup does not bring on the next cleanup', () => {
    const cleaned = apply({ ...fresh(), next_prompt: 'cleanup' }, asked(null), { type: 'parked' });
    expect(cleaned).toMatchObject({ next_prompt: 'coding', parked: [{ pending: { feature: null } }] });
    expect(planSession({ ...cleaned, next_prompt: 'cleanup' }, list, unattended)).toMatchObject({ prompt: 'coding', feature: { id: 1 } });
  });
});

test('unfinished work of a feature that waits is there when the feature is taken up again', () => {
  let state = apply(fresh(), planned(1, 1), partial(1), planned(2, 2), partial(2));
  expect(state).toMatchObject({ wip: { feature: 2 }, shelved: [{ feature: 1 }] });
  state = apply(state, planned(3, 1));
  expect(state).toMatchObject({ wip: { feature: 1 }, shelved: [{ feature: 2 }] });
  state = apply(state, { type: 'settled', ending: { kind: 'verified', commit: 'k', open: 2 } });
  expect(state).toMatchObject({ wip: null, shelved: [{ feature: 2 }] });
  expect(planSession(state, list, unattended)).toMatchObject({ prompt: 'continuation', feature: { id: 2 } });
});

test('nothing that waits is ever lost, and nothing waits twice', () => {
  const move = fc.record({ kind: fc.constantFrom('asked', 'stuck', 'park', 'recall', 'answer'), feature: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
      let state = fresh();
      const waiting = new Set<string>();
      for (const { kind, feature } of moves) {
        const free = state.pending === null && state.escalation === null;
        const known = waitingEntries(state).some(({ pending, escalation }) => (pending ?? escalation)?.feature === feature);
        if ((kind === 'asked' || kind === 'stuck') && free && !known) {
          state = apply(state, kind === 'asked' ? asked(feature) : stuck(feature));
          waiting.add(kind === 'asked' ? `project.tampering:${feature}` : `project.stuck:${feature}`);
        }
        if (kind === 'park') state = apply(state, { type: 'parked' });
        const back = state.parked[feature - 1];
        if (kind === 'recall' && back !== undefined) state = apply(state, { type: 'recalled', id: parkedId(back) });
        if (kind === 'answer' && !free) {
          waiting.delete(parkedId(waitingEntries(state)[0]!));
          state = apply(state, state.pending !== null ? { type: 'pending.closed' } : { type: 'answered' });
        }
        expect(waitingEntries(state).map(parkedId).toSorted()).toEqual([...waiting].toSorted());
      }
    }),
    { numRuns: 200 },
  );
});

function apply(state: ProjectState, ...events: ProjectEvent[]): ProjectState {
  return events.reduce((document, event) => transition(document, event, RULES, NOW).state, state);
}

function fresh(): ProjectState {
  return initialState('1', NOW);
}

function asked(feature: number | null): ProjectEvent {
  return {
    type: 'offered',
    pending: { session: 1, feature, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.tampering' },
  };
}

function stuck(feature: number): ProjectEvent {
  return { type: 'escalated', escalation: { gate: 'project.stuck', feature, facts: { feature, sessions: 3 }, message: 'm' } };
}

function planned(session: number, feature: number): ProjectEvent {
  return { type: 'planned', flight: newFlight({ session, feature, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW }) };
}

function partial(feature: number): ProjectEvent {
  const wip = { feature, ref: `refs/harness/wip/${feature}`, tree: 't', message: 'm' };
  return { type: 'settled', ending: { kind: 'partial', reasons: ['context_limit'], wip } };
}
