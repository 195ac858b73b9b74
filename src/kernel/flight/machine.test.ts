import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FLIGHT_PHASES, FlightSchema, type Flight, type FlightPhase } from '../../domain/session.ts';
import { flightStep, fly, isAcceptedByPerson, KNOWN_IN, MOST_ANSWERS, MOST_MOVES, STEPS, type FlightEvent } from './machine.ts';

const STARTED = '2026-01-02T03:04:05.000Z';

describe('a flight', () => {
  test('goes from base to settlement, one step for each phase', () => {
    const seen: string[] = [];
    let flight = inPhase('preparing');
    for (const event of [
      { type: 'prepared', workspace: '/copy', checkpoint: 'c' },
      { type: 'conversed', stop: null, evidence: null },
      { type: 'captured', tree: 't1', findings: [] },
      judged({ decision: 'accepted', tree: 't2' }),
      { type: 'committed', commit: 'k' },
      { type: 'landed', pushes: true },
      { type: 'pushed', note: '', paused: false },
    ] satisfies FlightEvent[]) {
      seen.push(flightStep(flight));
      flight = fly(flight, event)!;
    }
    expect([...seen, flightStep(flight)]).toEqual(['prepare', 'converse', 'capture', 'judge', 'commit', 'land', 'push', 'settle']);
    expect(flight).toMatchObject({ workspace: '/copy', tree: 't2', verdict: 'v', commit: 'k', end: { kind: 'verified' } });
  });

  test.each<[FlightPhase, FlightPhase | null]>([
    ['preparing', null],
    ['working', 'salvaging'],
    ['salvaging', 'salvaging'],
    ['capturing', 'capturing'],
    ['captured', 'captured'],
    ['landing', 'landing'],
    ['moving', 'moving'],
    ['pushing', 'pushing'],
    ['settling', 'settling'],
  ])('that somebody died over while %s goes on with %s', (phase, next) => {
    const reopened = fly(inPhase(phase), { type: 'reopened' });
    expect(reopened?.phase ?? null).toBe(next);
    if (reopened !== null) expect(fly(reopened, { type: 'reopened' })).toEqual(reopened);
    if (reopened !== null) expect(reopened.cut_off).toBe(phase);
  });

  test('that somebody died over twice is known by where it was the second time', () => {
    const salvaged = fly(fly(inPhase('working'), { type: 'reopened' })!, { type: 'captured', tree: 't', findings: [] })!;
    expect(salvaged.cut_off).toBe('working');
    expect(fly(salvaged, { type: 'reopened' })).toMatchObject({ phase: 'settling', cut_off: 'settling' });
    const landing = fly(fly(inPhase('captured'), { type: 'reopened' })!, judged({ decision: 'accepted', reasons: [] }))!;
    expect(fly(landing, { type: 'reopened' })).toMatchObject({ phase: 'landing', cut_off: 'landing' });
  });

  test('whose agent was cut off keeps what it left and is never judged', () => {
    const salvaged = fly(fly(inPhase('working'), { type: 'reopened' })!, { type: 'captured', tree: 't', findings: [] })!;
    expect(salvaged).toMatchObject({ phase: 'settling', tree: 't', end: { kind: 'cut_off' } });
    expect(fly(inPhase('salvaging'), { type: 'nothing.left' })).toMatchObject({ tree: null, end: { kind: 'cut_off' } });
  });

  test('that was cut off after the agent had ended is judged like any other', () => {
    const captured = fly(inPhase('captured'), { type: 'reopened' })!;
    expect(fly(captured, judged({ decision: 'rejected', reasons: ['test.failed'] }))).toMatchObject({
      end: { kind: 'rejected', reasons: ['test.failed'] },
      verdict: 'v',
    });
    expect(fly(captured, { type: 'unclaimed', reason: 'claim.none', message: '' })).toMatchObject({ end: { kind: 'cut_off' } });
  });
});

describe('what the examiner objects to', () => {
  const doubted = judged({ decision: 'needs_human', reasons: ['hidden.failed'], answerable: true });

  test('goes to the agent once, then to a person with what the agent said', () => {
    const told = fly(inPhase('captured'), doubted)!;
    expect(told).toMatchObject({ phase: 'working', examined: true, answers: 0, refused: { tree: 't', verdict: 'v' } });
    const answered = fly(told, { type: 'conversed', stop: null, evidence: null, said: 'It does so already.' })!;
    const again = fly({ ...answered, phase: 'captured' }, doubted);
    expect(again).toMatchObject({ phase: 'settling', end: { kind: 'needs_human' }, said: 'It does so already.' });
  });

  test.each<[string, Partial<Flight>, Partial<Judged>]>([
    ['where no conversation is open', {}, { answerable: false }],
    ['where there are other questions', {}, { reasons: ['tamper.tests', 'hidden.failed'] }],
    ['after a limit', { stop: stopped('timeout') }, {}],
  ])('goes to a person at once %s', (_, state, verdict) => {
    expect(fly({ ...inPhase('captured'), ...state }, { ...doubted, ...verdict })).toMatchObject({ end: { kind: 'needs_human' } });
  });
});

describe('a refused claim', () => {
  const refused = judged({ decision: 'rejected', reasons: ['test.failed'], answerable: true });

  test('goes back to the open conversation a few times, then it is refused', () => {
    let flight = inPhase('captured');
    for (let answers = 1; answers <= MOST_ANSWERS; answers++) {
      flight = fly(flight, refused)!;
      expect(flight).toMatchObject({ phase: 'working', answers, refused: { tree: 't', verdict: 'v' } });
      flight = { ...flight, phase: 'captured' };
    }
    expect(fly(flight, refused)).toMatchObject({ phase: 'settling', end: { kind: 'rejected' } });
  });

  test.each<[string, Partial<Flight>, Partial<Judged>]>([
    ['where no conversation is open', {}, { answerable: false }],
    ['after a regression', {}, { reasons: ['test.failed', 'regression'] }],
    ['after tampering', {}, { reasons: ['tamper.tests'] }],
    ['after a limit', { stop: stopped('timeout') }, {}],
  ])('does not go back %s', (_, state, verdict) => {
    const event = judged({ decision: 'rejected', reasons: ['test.failed'], answerable: true, ...verdict });
    expect(fly({ ...inPhase('captured'), ...state }, event)).toMatchObject({ phase: 'settling', end: { kind: 'rejected' } });
  });

  test('names the limit that ended its session last, but not a failed agent', () => {
    const end = (stop: Flight['stop']): unknown => fly({ ...inPhase('captured'), stop }, refused)?.end?.reasons;
    expect(end(stopped('timeout'))).toEqual(['test.failed', 'timeout']);
    expect(end(stopped('agent.failed'))).toEqual(['test.failed']);
  });
});

describe('work whose branch moved', () => {
  test('is judged on the new commit, and left for the next session after a few moves', () => {
    let flight = inPhase('landing');
    for (let moves = 1; moves <= MOST_MOVES; moves++) {
      flight = fly(fly(flight, { type: 'moved', message: 'm' })!, { type: 'rebased', base: `b${moves}`, tree: 't' })!;
      expect(flight).toMatchObject({ phase: 'captured', base: `b${moves}`, moves, verdict: null, commit: null });
      flight = fly(fly(flight, judged({ decision: 'accepted' }))!, { type: 'committed', commit: 'k' })!;
    }
    expect(fly(flight, { type: 'moved', message: 'm' })).toMatchObject({ end: { kind: 'partial', reasons: ['git.moved'] } });
  });

  test('is kept, not refused, where it does not stand there', () => {
    const moved = { ...inPhase('captured'), moves: 1 };
    for (const decision of ['rejected', 'needs_human'] as const)
      expect(fly(moved, judged({ decision, reasons: ['regression'] }))).toMatchObject({ end: { kind: 'partial', reasons: ['git.moved'] } });
  });

  test('moves with it where a person accepted it, as long as it is known what they saw', () => {
    const unknown = { ...inPhase('landing'), checkpoint: null };
    expect(isAcceptedByPerson(unknown)).toBe(true);
    expect(fly(unknown, { type: 'moved', message: 'm' })).toMatchObject({ phase: 'settling', end: { reasons: ['git.moved'] } });
    const accepted = { ...unknown, accepted: { verdict: 'v', base: 'b', tree: 't' } };
    expect(fly(accepted, { type: 'moved', message: 'm' })).toMatchObject({ phase: 'moving', accepted: { tree: 't' } });
  });
});

test('a commit that was made again for the remote and cannot land here is pushed as it was', () => {
  const replayed = fly(inPhase('pushing'), { type: 'replayed', base: 'k', tree: 't2', commit: 'k2' })!;
  expect(replayed).toMatchObject({ phase: 'landing', base: 'k', commit: 'k2', pushes: 1 });
  expect(fly(replayed, { type: 'turned.back' })).toMatchObject({ phase: 'pushing', commit: 'k', pushes: 1 });
});

test('flights of earlier versions are read as flights that did not come so far', () => {
  const old = {
    session: 1,
    feature: 2,
    prompt: 'coding',
    phase: 'landing',
    base: 'b',
    branch: 'main',
    checkpoint: 'c',
    started_at: STARTED,
  };
  const read = FlightSchema.parse({ ...old, tree: 't', verdict: 'v', commit: 'k', stop: { reason: 'timeout', message: 'm' } });
  expect(read).toMatchObject({ answers: 0, refused: null, moves: 0, pushes: 0, cut_off: null, end: null });
  expect(flightStep(read)).toBe('land');
});

test('whatever happens in whatever order: known events only, the state stays a document, and every phase has a step', () => {
  fc.assert(
    fc.property(fc.constantFrom(...FLIGHT_PHASES), fc.array(anyEvent(), { maxLength: 40 }), (phase, events) => {
      let flight = inPhase(phase);
      for (const event of events) {
        if (!KNOWN_IN[event.type].includes(flight.phase)) {
          expect(() => fly(flight, event)).toThrow(/cannot happen/);
          continue;
        }
        const next = fly(flight, event);
        if (next === null) return;
        expect(FlightSchema.parse(JSON.parse(JSON.stringify(next)))).toEqual(next);
        expect(STEPS[next.phase]).toBeDefined();
        expect(next.phase === 'settling').toBe(next.end !== null);
        expect(next.moves).toBeLessThanOrEqual(MOST_MOVES);
        expect(next.answers).toBeLessThanOrEqual(MOST_ANSWERS);
        flight = next;
      }
    }),
  );
});

type Judged = Extract<FlightEvent, { type: 'judged' }>;

function judged(change: Partial<Judged>): Judged {
  return { type: 'judged', verdict: 'v', decision: 'accepted', reasons: [], message: '', tree: 't', answerable: false, ...change };
}

function stopped(reason: NonNullable<Flight['stop']>['reason']): Flight['stop'] {
  return { reason, message: '', retry_at: null, never_started: false, died_at_once: false };
}

function inPhase(phase: FlightPhase): Flight {
  const start = { session: 1, feature: 2, prompt: 'coding', base: 'b', branch: 'main', started_at: STARTED, phase };
  const end = phase === 'settling' ? { kind: 'partial', reasons: ['claim.none'], message: '', outage: false } : null;
  return FlightSchema.parse({ ...start, checkpoint: phase === 'preparing' ? null : 'c', tree: 't', verdict: 'v', commit: 'k', end });
}

function anyEvent(): fc.Arbitrary<FlightEvent> {
  const decision = fc.constantFrom('accepted' as const, 'rejected' as const, 'needs_human' as const);
  return fc.oneof(
    fc.constantFrom<FlightEvent>(
      { type: 'prepared', workspace: '/copy', checkpoint: 'c' },
      { type: 'conversed', stop: null, evidence: null },
      { type: 'captured', tree: 't', findings: [] },
      { type: 'nothing.left' },
      { type: 'unclaimed', reason: 'claim.none', message: '' },
      { type: 'committed', commit: 'k' },
      { type: 'stranded', reason: 'git.conflict', message: '' },
      { type: 'moved', message: '' },
      { type: 'rebased', base: 'b2', tree: 't' },
      { type: 'landed', pushes: true },
      { type: 'replayed', base: 'k', tree: 't', commit: 'k2' },
      { type: 'turned.back' },
      { type: 'pushed', note: '', paused: false },
      { type: 'reopened' },
    ),
    fc.record({ decision, answerable: fc.boolean() }).map((verdict) => judged(verdict)),
  );
}
