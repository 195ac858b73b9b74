import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../../domain/money.ts';
import type { Reason } from '../../../domain/reasons.ts';
import { ProjectStateSchema, type Flight, type ProjectState } from '../../../domain/session.ts';
import type { FlightEvent } from '../../../kernel/flight/machine.ts';
import type { Ending, MachineRules, Settlement } from './settlement.ts';
import { initialState, newFlight, transition, type ProjectEvent } from './document.ts';
import { waitingEntries } from './parked.ts';

const RULES: MachineRules = { maxStuckSessions: 3, cleanupInterval: 0 };
const NOW = '2026-01-02T03:04:05.000Z';

describe('a session from start to end', () => {
  test('runs through its phases, keeps what each adds, and leaves no flight behind', () => {
    let state = apply(fresh(), { type: 'planned', flight: flightOf(1, 4) });
    expect(state).toMatchObject({ last_session: 1, flight: { phase: 'preparing', feature: 4 } });
    state = apply(state, { type: 'prepared', workspace: '/copy', checkpoint: 'c1' });
    expect(state.flight).toMatchObject({ phase: 'working', workspace: '/copy', checkpoint: 'c1' });
    state = apply(state, { type: 'conversed', stop: null, evidence: null });
    state = apply(state, { type: 'captured', tree: 't1', findings: [] });
    state = apply(state, accepted('t2', 'v1'));
    state = apply(state, { type: 'committed', commit: 'k1' });
    expect(state.flight).toMatchObject({ phase: 'landing', workspace: '/copy', checkpoint: 'c1', tree: 't2', verdict: 'v1', commit: 'k1' });
    state = apply(state, { type: 'landed', pushes: false });
    expect(state.flight).toMatchObject({ phase: 'settling', end: { kind: 'verified' } });
    const end = transition(state, settled({ kind: 'verified', commit: 'k1', open: 3 }), RULES, NOW);
    expect(end.state).toMatchObject({
      flight: null,
      status: 'complete',
      current_feature: 4,
      termination_reason: null,
      next_prompt: 'coding',
    });
    expect(end.settlement).toEqual({ outcome: 'verified', reasons: [], escalation: null });
  });

  test('cannot begin while another is under way', () => {
    const state = apply(fresh(), { type: 'planned', flight: flightOf(1, 4) });
    expect(() => transition(state, { type: 'planned', flight: flightOf(2, 5) }, RULES, NOW)).toThrow(/under way/);
  });

  test('gives its number back when it is dropped before its agent started', () => {
    const state = apply(apply(fresh(), { type: 'planned', flight: flightOf(7, 4) }), { type: 'dropped' });
    expect(state).toMatchObject({ flight: null, last_session: 6, failures: {}, stuck_count: 0 });
  });

  test('keeps its number when it is dropped later', () => {
    const working = apply(apply(fresh(), { type: 'planned', flight: flightOf(7, 4) }), {
      type: 'prepared',
      workspace: '/copy',
      checkpoint: 'c',
    });
    expect(apply(working, { type: 'dropped' })).toMatchObject({ flight: null, last_session: 7 });
  });

  test('undoes the mark of a complete project', () => {
    const complete = apply(fresh(), { type: 'completed' });
    expect(complete.completed_at).toBe(NOW);
    const begun = apply(complete, { type: 'planned', flight: flightOf(1, 4) });
    expect(apply(begun, { type: 'prepared', workspace: '/copy', checkpoint: 'c' }).completed_at).toBeNull();
    expect(apply(begun, { type: 'dropped' }).completed_at).toBe(NOW);
  });

  test('whose process died before its agent started is dropped with its number, and later goes on', () => {
    const begun = apply(fresh(), { type: 'planned', flight: flightOf(7, 4) });
    expect(apply(begun, { type: 'reopened' })).toMatchObject({ flight: null, last_session: 6 });
    const working = apply(begun, { type: 'prepared', workspace: '/copy', checkpoint: 'c' });
    expect(apply(working, { type: 'reopened' })).toMatchObject({ flight: { phase: 'salvaging', cut_off: 'working' }, last_session: 7 });
  });

  test('whose push was refused for good pauses the project', () => {
    const pushing: ProjectState = { ...fresh(), flight: { ...flightOf(1, 4), phase: 'pushing', checkpoint: 'c', commit: 'k' } };
    expect(apply(pushing, { type: 'pushed', note: 'n', paused: true })).toMatchObject({ paused: true, flight: { phase: 'settling' } });
    expect(apply(pushing, { type: 'pushed', note: '', paused: false })).toMatchObject({ paused: false });
  });

  test('keeps its record in the state, with the verdict also after a crash', () => {
    const cut: Flight = { ...flightOf(1, 4), phase: 'settling', checkpoint: 'c', verdict: 'v1', cut_off: 'captured' };
    const spent = { tokens: { input: 1, output: 2, cached: 3 }, cost_usd: 0.5, usage: NO_USAGE };
    const closing = { spent, model: 'm', backend: 'b', message: '' };
    const ending: Ending = { kind: 'rejected', reasons: ['test.failed'] };
    const end = apply({ ...fresh(), flight: cut }, { type: 'settled', ending, closing });
    expect(end.last_record).toMatchObject({ session_id: 1, outcome: 'rejected', verdict: 'v1', cost_usd: 0.5, feature_completed: false });
  });
});

describe('failures', () => {
  test.each([1, 2, 3, 5])('escalate exactly at %i sessions in a row, and again only after as many more', (maxStuckSessions) => {
    const rules = { ...RULES, maxStuckSessions };
    let state = fresh();
    for (const round of [1, 2]) {
      for (let failure = 1; failure <= maxStuckSessions; failure++) {
        const end = fly(state, 4, { kind: 'rejected', reasons: ['test.failed'] }, rules);
        const last = failure === maxStuckSessions;
        expect([round, failure, end.settlement.outcome]).toEqual([round, failure, last ? 'escalated' : 'rejected']);
        expect(end.state.escalation?.gate).toBe(last ? 'project.repeated-failures' : undefined);
        expect(end.state).toMatchObject({ stuck_count: failure, failures: { 4: failure } });
        state = end.state;
      }
      state = apply(state, { type: 'answered' });
      expect(state).toMatchObject({ escalation: null, stuck_count: 0, failures: {} });
    }
  });

  test('that end unfinished ask about a stuck feature, refused claims about repeated failures', () => {
    const rules = { ...RULES, maxStuckSessions: 1 };
    expect(fly(fresh(), 4, { kind: 'partial', reasons: ['context_limit'], wip: null }, rules).settlement.escalation).toMatchObject({
      gate: 'project.stuck',
      feature: 4,
      facts: { sessions: 1 },
    });
    expect(fly(fresh(), 4, { kind: 'rejected', reasons: ['regression'] }, rules).settlement.escalation).toMatchObject({
      gate: 'project.repeated-failures',
      feature: 4,
      facts: { failures: 1 },
    });
  });

  test('on another feature start the count of stuck sessions anew', () => {
    const rejected: Ending = { kind: 'rejected', reasons: ['test.failed'] };
    let state = fly(fly(fresh(), 1, rejected).state, 1, rejected).state;
    expect(state.stuck_count).toBe(2);
    state = fly(state, 2, rejected).state;
    expect(state.stuck_count).toBe(1);
    state = fly(state, 1, rejected).state;
    expect(state.stuck_count).toBe(1);
  });

  test('by the clock are counted until a session is accepted', () => {
    const late: Ending = { kind: 'partial', reasons: ['timeout'], wip: null };
    const twice = fly(fly(fresh(), 1, late).state, 2, late).state;
    expect(twice.timeout_count).toBe(2);
    expect(fly(twice, 1, { kind: 'partial', reasons: ['context_limit'], wip: null }).state.timeout_count).toBe(2);
    expect(fly(twice, 1, { kind: 'verified', commit: 'k', open: 1 }).state.timeout_count).toBe(0);
  });

  test('of a cleanup session never escalate and say nothing about the feature before it', () => {
    let state = fly(fresh(), 1, { kind: 'rejected', reasons: ['test.failed'] }).state;
    for (let round = 0; round < 5; round++) {
      const end = fly(state, null, { kind: 'rejected', reasons: ['regression'] }, RULES, 'cleanup');
      expect(end.settlement.outcome).toBe('rejected');
      state = end.state;
    }
    expect(state).toMatchObject({ stuck_count: 1, current_feature: 1, escalation: null, next_prompt: 'coding', features_since_cleanup: 0 });
  });
});

describe('what follows', () => {
  const wip = { feature: 4, ref: 'refs/harness/wip/4', tree: 't', message: 'WIP' };

  test('is a continuation where unfinished work was kept', () => {
    expect(fly(fresh(), 4, { kind: 'partial', reasons: ['context_limit'], wip }).state).toMatchObject({
      next_prompt: 'continuation',
      wip,
      status: 'partial',
      termination_reason: 'context_limit',
    });
    expect(fly(fresh(), 4, { kind: 'partial', reasons: ['context_limit'], wip: null }).state).toMatchObject({
      next_prompt: 'coding',
      wip: null,
    });
  });

  test('after a refused claim continues earlier work of the same feature only', () => {
    expect(fly({ ...fresh(), wip }, 4, { kind: 'rejected', reasons: ['test.failed'] }).state.next_prompt).toBe('continuation');
    expect(fly({ ...fresh(), wip }, 5, { kind: 'rejected', reasons: ['test.failed'] }).state.next_prompt).toBe('coding');
  });

  test('is a cleanup when its interval is reached and features are open', () => {
    const rules = { ...RULES, cleanupInterval: 2 };
    const one = fly(fresh(), 1, { kind: 'verified', commit: 'k', open: 5 }, rules).state;
    expect(one).toMatchObject({ next_prompt: 'coding', features_since_cleanup: 1 });
    expect(fly(one, 2, { kind: 'verified', commit: 'k', open: 0 }, rules).state.next_prompt).toBe('coding');
    const two = fly(one, 2, { kind: 'verified', commit: 'k', open: 4 }, rules).state;
    expect(two).toMatchObject({ next_prompt: 'cleanup', features_since_cleanup: 2 });
    expect(fly(two, null, { kind: 'verified', commit: 'k', open: 4 }, rules, 'cleanup').state).toMatchObject({
      next_prompt: 'coding',
      features_since_cleanup: 0,
    });
  });

  test('is the same cleanup again when it was only interrupted', () => {
    expect(fly(fresh(), null, { kind: 'cut_off', wip: null }, RULES, 'cleanup').state.next_prompt).toBe('cleanup');
  });

  test('is a question when a person has to decide, and nothing is counted', () => {
    const pending = { session: 1, feature: 4, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.confirm' };
    const end = fly(fresh(), 4, { kind: 'needs_human', reasons: ['manual.confirmation'], pending });
    expect(end.state).toMatchObject({ pending, status: 'partial', stuck_count: 0, failures: {} });
    expect(end.settlement.outcome).toBe('needs_human');
    expect(apply(end.state, { type: 'pending.closed' }).pending).toBeNull();
  });
});

test('setting a feature aside forgets its counts, its setback and its unfinished work', () => {
  const before: ProjectState = {
    ...fresh(),
    current_feature: 4,
    stuck_count: 2,
    failures: { 4: 2, 5: 1 },
    setbacks: [4, 5],
    wip: { feature: 4, ref: 'r', tree: 't', message: 'm' },
    next_prompt: 'continuation',
  };
  const after = apply(before, { type: 'skipped', feature: 4, reason: 'later' });
  expect(after).toMatchObject({
    stuck_count: 0,
    failures: { 5: 1 },
    setbacks: [5],
    wip: null,
    next_prompt: 'coding',
    skipped: [{ feature: 4, reason: 'later', at: NOW }],
  });
  expect(apply(after, { type: 'skipped', feature: 4, reason: 'never' }).skipped).toEqual([{ feature: 4, reason: 'never', at: NOW }]);
});

test('taking the wheel and giving it back also ends a pause', () => {
  const held = apply(apply(fresh(), { type: 'paused' }), { type: 'handed.off', head: 'abc' });
  expect(held).toMatchObject({ paused: true, handoff: { at: NOW, head: 'abc' } });
  expect(apply(held, { type: 'resumed' })).toMatchObject({ paused: false, handoff: null });
});

describe('whatever happens in whatever order', () => {
  test('the laws of the machine hold', () => {
    fc.assert(
      fc.property(
        fc.array(anyMove(), { maxLength: 60, size: 'max' }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        (moves, maxStuckSessions, cleanupInterval) => {
          const rules = { maxStuckSessions, cleanupInterval };
          const model = new Model(maxStuckSessions);
          let state = frozen(fresh());
          for (const move of moves) {
            const event = eventFor(move, state);
            if (model.refuses(event)) {
              expect(() => transition(state, event, rules, NOW)).toThrow(/under way/);
              continue;
            }
            const before = JSON.stringify(state);
            const next = transition(state, frozen(event), rules, NOW);
            expect(JSON.stringify(state)).toBe(before);
            model.follow(event, state, next.state, next.settlement);
            expect(ProjectStateSchema.parse(JSON.parse(JSON.stringify(next.state)))).toEqual(next.state);
            state = frozen(next.state);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});

/** What must be true, written without looking at how the machine does it. */
class Model {
  #flying: Flight | null = null;
  readonly #inRow = new Map<number, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  refuses(event: ProjectEvent): boolean {
    if (event.type === 'planned') return this.#flying !== null;
    return event.type === 'settled' && this.#flying === null;
  }

  follow(event: ProjectEvent, before: ProjectState, after: ProjectState, settlement: Settlement | null): void {
    const flown = this.#flying;
    if (event.type === 'planned') this.#flying = event.flight;
    if (event.type === 'settled' || event.type === 'dropped' || event.type === 'rolled.back') this.#flying = null;
    expect(after.flight !== null).toBe(this.#flying !== null);
    expect(after.timestamp).toBe(NOW);
    expect(settlement !== null).toBe(event.type === 'settled');
    if (event.type === 'settled') this.#followEnd(event.ending, flown!, before, after, settlement!);
    else if (!['answered', 'skipped', 'overridden', 'recorded'].includes(event.type)) expect(counters(after)).toEqual(counters(before));
    if (event.type === 'answered' && before.escalation !== null && before.escalation.feature !== null)
      this.#inRow.delete(before.escalation.feature);
    if (event.type === 'skipped' || event.type === 'recorded' || (event.type === 'overridden' && event.passes))
      this.#leave(event.feature, after);
    expect(after.last_session).toBeGreaterThanOrEqual(event.type === 'dropped' ? before.last_session - 1 : before.last_session);
    expect(featureFailures(after)).toEqual(Object.fromEntries(this.#inRow));
  }

  /** Nothing waits for a feature that nobody works on any more. */
  #leave(feature: number, after: ProjectState): void {
    this.#inRow.delete(feature);
    expect(after.setbacks).not.toContain(feature);
    const kept = [after.wip, ...after.shelved, ...waitingEntries(after).map(({ pending, escalation }) => pending ?? escalation)];
    for (const entry of kept) expect(entry?.feature).not.toBe(feature);
  }

  #followEnd(ending: Ending, flight: Flight, before: ProjectState, after: ProjectState, settlement: Settlement): void {
    if (ending.kind === 'cut_off' || ending.kind === 'needs_human' || ending.kind === 'not_started')
      expect(counters(after)).toEqual(counters(before));
    if (ending.kind === 'verified') {
      if (flight.feature !== null) this.#inRow.delete(flight.feature);
      expect(after).toMatchObject({ stuck_count: 0, timeout_count: 0, status: 'complete' });
      expect(after.setbacks).not.toContain(flight.feature);
      if (flight.feature !== null) expect(after.wip?.feature).not.toBe(flight.feature);
    }
    const counted =
      (ending.kind === 'rejected' || (ending.kind === 'partial' && !ending.reasons.some((reason) => UNCOUNTED.includes(reason)))) &&
      flight.feature !== null;
    if (counted) this.#inRow.set(flight.feature!, (this.#inRow.get(flight.feature!) ?? 0) + 1);
    const escalates = counted && this.#inRow.get(flight.feature!)! >= this.#max;
    expect(settlement.outcome === 'escalated').toBe(escalates);
    expect(settlement.escalation !== null).toBe(escalates);
    if (escalates) expect(after.escalation).toEqual(settlement.escalation);
    if (counted) {
      const same = before.current_feature === flight.feature;
      expect(after.stuck_count).toBe(same ? before.stuck_count + 1 : 1);
    }
  }
}

const UNCOUNTED: readonly Reason[] = ['usage_limit', 'user_pause', 'interrupted', 'budget.session', 'api.auth', 'api.unavailable'];

function counters(state: ProjectState): object {
  return { stuck: state.stuck_count, timeouts: state.timeout_count, failures: state.failures };
}

function featureFailures(state: ProjectState): Record<string, number> {
  return Object.fromEntries(Object.entries(state.failures).filter(([key]) => key !== 'cleanup'));
}

type Moved = Exclude<ProjectEvent['type'], FlightEvent['type'] | 'accepted' | 'stale' | 'recalled'>;

interface Move {
  type: Moved;
  feature: number;
  cleanup: boolean;
  ending: Ending['kind'];
  reason: Reason;
  keeps: boolean;
}

function anyMove(): fc.Arbitrary<Move> {
  const types: Moved[] = [
    'planned',
    'settled',
    'dropped',
    'setback',
    'escalated',
    'answered',
    'pending.closed',
    'parked',
    'completed',
    'skipped',
    'unskipped',
    'offered',
    'overridden',
    'recorded',
    'declined',
    'rolled.back',
    'handed.off',
    'paused',
    'resumed',
  ];
  return fc.record({
    type: fc.oneof(
      { weight: 3, arbitrary: fc.constant('planned' as const) },
      { weight: 4, arbitrary: fc.constant('settled' as const) },
      { weight: 3, arbitrary: fc.constantFrom(...types) },
    ),
    feature: fc.integer({ min: 1, max: 3 }),
    cleanup: fc.integer({ min: 0, max: 5 }).map((dice) => dice === 0),
    ending: fc.oneof(
      fc.constant('rejected' as const),
      fc.constantFrom<Ending['kind']>('verified', 'rejected', 'needs_human', 'partial', 'not_started', 'cut_off'),
    ),
    reason: fc.constantFrom<Reason>('context_limit', 'timeout', 'stuck', 'claim.none', 'test.failed', ...UNCOUNTED),
    keeps: fc.boolean(),
  });
}

function eventFor(move: Move, state: ProjectState): ProjectEvent {
  const { type, feature } = move;
  switch (type) {
    case 'planned':
      return {
        type,
        flight: { ...flightOf(state.last_session + 1, move.cleanup ? null : feature), prompt: move.cleanup ? 'cleanup' : 'coding' },
      };
    case 'settled':
      return settled(endingFor(move, state));
    case 'setback':
      return { type, features: [feature] };
    case 'escalated':
      return { type, escalation: { gate: 'project.conflict', feature, facts: {}, message: 'm' } };
    case 'skipped':
      return { type, feature, reason: 'r' };
    case 'unskipped':
    case 'recorded':
    case 'declined':
      return { type, feature };
    case 'overridden':
      return { type, feature, passes: move.keeps, kind: 'manual' };
    case 'offered':
      return { type, pending: { session: 1, feature, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.review' } };
    case 'rolling.back':
      return { type, checkpoint: 'c' };
    case 'rolled.back':
      return { type, session: feature };
    case 'handed.off':
      return { type, head: 'h' };
    case 'noted':
      return { type, note: { feature, gate: 'project.stuck', text: 'n' } };
    case 'repairing':
      return { type, detail: 'd' };
    default:
      return { type };
  }
}

function endingFor(move: Move, state: ProjectState): Ending {
  const feature = state.flight?.feature ?? null;
  const wip = move.keeps && feature !== null ? { feature, ref: 'r', tree: 't', message: 'm' } : null;
  switch (move.ending) {
    case 'verified':
      return { kind: 'verified', commit: 'k', open: move.feature };
    case 'rejected':
      return { kind: 'rejected', reasons: [move.reason] };
    case 'needs_human':
      return {
        kind: 'needs_human',
        reasons: ['manual.confirmation'],
        pending: { session: 1, feature, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.confirm' },
      };
    case 'partial':
      return { kind: 'partial', reasons: [move.reason], wip };
    case 'not_started':
      return { kind: 'not_started', reasons: ['agent.failed'] };
    case 'cut_off':
      return { kind: 'cut_off', wip };
  }
}

function fresh(): ProjectState {
  return initialState('1.0.0', '2026-01-01T00:00:00.000Z');
}

function flightOf(session: number, feature: number | null): Flight {
  return newFlight({ session, feature, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW });
}

function accepted(tree: string, verdict: string): ProjectEvent {
  return { type: 'judged', verdict, decision: 'accepted', reasons: [], message: '', tree, answerable: false };
}

function settled(ending: Ending): ProjectEvent {
  return { type: 'settled', ending };
}

function apply(state: ProjectState, event: ProjectEvent): ProjectState {
  return transition(state, event, RULES, NOW).state;
}

function fly(
  state: ProjectState,
  feature: number | null,
  ending: Ending,
  rules: MachineRules = RULES,
  prompt: Flight['prompt'] = 'coding',
): { state: ProjectState; settlement: Settlement } {
  const flying = transition(state, { type: 'planned', flight: { ...flightOf(state.last_session + 1, feature), prompt } }, rules, NOW).state;
  const end = transition(flying, settled(ending), rules, NOW);
  return { state: end.state, settlement: end.settlement! };
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
