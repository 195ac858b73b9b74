/** Random walks: whatever is due is done in any order, with any outcome, and cut off anywhere. Nothing is lost, and nothing gets stuck. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { featureKey } from '../../../domain/feature-name.ts';
import type { Reason } from '../../../domain/reasons.ts';
import type { Flight, FlightEnd } from '../../../domain/session.ts';
import { freeLane } from '../../../kernel/lanes/air.ts';
import { fly, KNOWN_IN, type FlightEvent } from '../../../kernel/flight/machine.ts';
import { MissionStateSchema, type MissionState } from '../../../kernel/mission-schema.ts';
import { policy } from './decisions.ts';
import { nameOf } from './flying.ts';
import { ripeIssues } from './issues.ts';
import { due, undocumented } from './machine.ts';
import type { Rules } from './rules.ts';
import type { MissionEvent, MissionStep } from './state.ts';
import { claim, feature, flight, RULES, working } from './test-support.ts';
import { transition } from './transition.ts';

interface Move {
  /** Which of the due steps comes to its end first, and what came of it. */
  pick: number;
  outcome: number;
  /** The process dies instead. */
  dies: boolean;
}

const moves = fc.array(
  fc.record<Move>({ pick: fc.nat(9), outcome: fc.nat(999), dies: fc.constantFrom(...Array<boolean>(19).fill(false), true) }),
  {
    minLength: 20,
    maxLength: 80,
  },
);

const SETTINGS: [string, Partial<Rules>][] = [
  ['one lane', { lanes: 1 }],
  ['lanes', {}],
  ['a competition', { mode: 'competition', busy: (flights) => flights.length > 0 }],
  ['branches that a person merges', { onPass: 'keep' as Rules['onPass'] }],
  [
    'checkpoints, documents and a smoke run',
    {
      checkpoints: [{ name: 'half', description: '', trigger_on: 'half-done' }] as Rules['checkpoints'],
      documents: 'feature',
      smoke: { onDone: true, onPass: true },
    },
  ],
];

describe.each(SETTINGS)('a mission with %s', (_, change) => {
  const rules = { ...RULES, maxIterations: 1_000, ...change };

  test('loses no feature and no step of it, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        let mission = working([feature(1), feature(2, { depends_on: ['F-001'] }), feature(3)]);
        for (const move of sequence) {
          const steps = due({ mission, run: { from: 0 } }, rules);
          expect(new Set(steps.map(({ key }) => key)).size).toBe(steps.length);
          if (steps.length === 0) expect(mission).toSatisfy(isAtRest);
          const event =
            move.dies || steps.length === 0 ? wakeUp(mission) : outcomeOf(mission, steps[move.pick % steps.length]!, move.outcome, rules);
          const next = transition(mission, event, rules);
          expectKept(mission, next, event);
          mission = next;
        }
        expect(MissionStateSchema.parse(JSON.parse(JSON.stringify(mission)))).toEqual(mission);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});

/** Why nothing may be due. */
function isAtRest({ stop, checkpoint, stage }: MissionState): boolean {
  return stop !== null || checkpoint !== null || stage === 'done' || stage === 'rejected';
}

function wakeUp({ checkpoint }: MissionState): MissionEvent {
  return checkpoint === null ? { type: 'reopened' } : { type: 'granted', name: checkpoint };
}

function expectKept(before: MissionState, after: MissionState, event: MissionEvent): void {
  const lanes = after.flights.flatMap(({ lane }) => (lane === null ? [] : [lane]));
  expect(new Set(lanes).size).toBe(lanes.length);
  expect(after.flights.every((one) => after.features.some(({ id }) => id === nameOf(one)))).toBe(true);
  for (const old of before.features) {
    const now = after.features.find(({ id }) => id === old.id);
    expect(now).toBeDefined();
    if (event.type !== 'answered') expect(now!.attempts).toBeGreaterThanOrEqual(old.attempts);
    if (old.status === 'passed' && event.type !== 'unproved') expect(now!.status).toBe('passed');
    if (old.status === 'skipped') expect(now!.status).toBe('skipped');
  }
  expect(after.claims.length).toBeGreaterThanOrEqual(before.claims.length);
  expect(after.iteration).toBeGreaterThanOrEqual(before.iteration);
}

function one<Value>(values: readonly Value[], at: number): Value {
  return values[at % values.length]!;
}

function outcomeOf(mission: MissionState, step: MissionStep, at: number, rules: Rules): MissionEvent {
  const { session } = step;
  if (step.name === 'validate') {
    const issues =
      at % 5 === 0 ? [{ title: `Issue ${at}`, text: 't', proof: null, by: 'validator', feature: 'F-001', state: 'open' as const }] : [];
    return {
      type: 'validated',
      session: session!,
      holds: one([null, null, 'x fails'], at),
      issues,
      counts: { believed: 1, unquoted: 0, contradicted: 0 },
    };
  }
  if (session !== undefined)
    return flightOutcome(
      mission.flights.find((flown) => flown.session === session)!,
      at,
    );
  return OWN[step.name]!(mission, at, rules, step);
}

/** Any event that the flight's machine knows in this phase; its end is told with a random reason. */
function flightOutcome(flown: Flight, at: number): MissionEvent {
  const { session } = flown;
  if (flown.phase === 'settling') return settledOf(flown, at);
  if (flown.phase === 'preparing' && at % 7 === 0) return { type: 'dropped', session, failure: { reason: 'env.unhealthy', message: 'm' } };
  const possible = FLIGHT_EVENTS.filter((event) => KNOWN_IN[event.type].includes(flown.phase) && fly(flown, event) !== null);
  return { type: 'flown', session, event: one(possible, at) };
}

const judged = (decision: 'accepted' | 'rejected' | 'needs_human'): FlightEvent => ({
  type: 'judged',
  verdict: 'v',
  decision,
  reasons: decision === 'accepted' ? [] : ['test.failed'],
  message: 'm',
  tree: 't',
  answerable: true,
});

const FLIGHT_EVENTS: readonly FlightEvent[] = [
  { type: 'prepared', workspace: '/copy', checkpoint: 'c' },
  { type: 'conversed', stop: null, evidence: null, word: { claims: true, message: '' } },
  { type: 'captured', tree: 't', findings: [] },
  { type: 'nothing.left' },
  judged('accepted'),
  judged('accepted'),
  judged('rejected'),
  judged('needs_human'),
  { type: 'unclaimed', reason: 'claim.none', message: 'm' },
  { type: 'committed', commit: 'k' },
  { type: 'landed', pushes: false },
  { type: 'landed', pushes: false },
  { type: 'moved', message: 'm' },
  { type: 'stranded', reason: 'git.moved', message: 'm', conflict: ['a.js'] },
  { type: 'rebased', base: 'b2', tree: 't2' },
];

function settledOf({ session, end, conflict }: Flight, at: number): MissionEvent {
  const limits: Reason[][] = [['usage_limit'], ['interrupted'], ['api.unavailable'], ['budget.project'], ['git.moved']];
  const reasons = end!.kind === 'partial' && at % 3 === 0 ? one(limits, at) : end!.reasons;
  const blocked = end!.kind === 'partial' && at % 11 === 0 ? 'what is zero?' : null;
  const told: FlightEnd = { ...end!, reasons };
  return {
    type: 'settled',
    session,
    end: told,
    evidence: { message: told.message, reasons, conflict, blocked, outage: told.outage, retryAt: null },
  };
}

type Outcome = (mission: MissionState, at: number, rules: Rules, step: MissionStep) => MissionEvent;

const OWN: Readonly<Record<string, Outcome>> = {
  decide: (mission, at, rules) => {
    if (at % 40 === 0) return { type: 'misdecided', kind: 'ghost', why: 'w' };
    const decision = policy(mission, rules)!;
    if (decision.kind === 'CONVERTED') return { type: 'converted', promoted: [], noted: ripeIssues(mission) };
    return { type: 'decided', decision, flights: decision.kind === 'NEXT_WORKER' ? begun(mission, decision.feature, rules) : [] };
  },
  debug: (_mission, _at, _rules, step) => ({ type: 'debugged', feature: step.feature!, cause: 'c' }),
  convert: (mission, at) => {
    const open = ripeIssues(mission);
    const name = `F-FIX-${String(mission.features.length).padStart(3, '0')}`;
    if (at % 2 === 0 || mission.features.length > 6) return { type: 'converted', promoted: [], noted: open };
    const added = claim(mission.claims.length + 100);
    return { type: 'converted', promoted: [{ issue: open[0]!, feature: name, title: 'Fix', claim: added }], noted: open.slice(1) };
  },
  resolve: (mission, at) => {
    const { feature: id } = mission.question!;
    const own = mission.features.find((known) => known.id === id)!.claims;
    return at % 3 === 0
      ? { type: 'unresolved', feature: id, question: 'q' }
      : { type: 'resolved', feature: id, claims: mission.claims.filter((known) => own.includes(known.id)), reason: 'r' };
  },
  referee: (mission, at, _rules, step) => {
    const raced = mission.flights.filter((flown) => nameOf(flown) === step.feature);
    return { type: 'refereed', winner: one(raced, at).session };
  },
  'ask about candidate': (mission, at) => ({
    type: 'candidate.answered',
    feature: mission.candidates[0]!.feature,
    accepted: at % 2 === 0,
    text: at % 3 === 0 ? 'words' : null,
  }),
  'leave question': (_mission, _at, _rules, step) => ({ type: 'candidate.told', feature: step.feature! }),
  'look for merges': (mission) => ({ type: 'merged', features: mission.kept.slice(0, 1) }),
  'ask about escalation': (mission, at) => ({
    type: 'answered',
    option: mission.escalation!.feature !== null && at % 3 === 0 ? 'Skip it' : 'Try again',
    text: null,
  }),
  wait: (mission) => ({ type: 'waited', until: mission.wait!.until ?? 1 }),
  prove: (mission, at) =>
    at % 3 === 0
      ? { type: 'unproved', claims: [{ id: one(mission.claims, at).id, why: 'w' }] }
      : { type: 'proved', commit: 'k', tree: 't' },
  smoke: (_mission, at) => ({ type: 'smoked', failure: at % 6 === 0 ? 'no answer' : null }),
  document: (mission, _at, rules) => ({ type: 'documented', features: undocumented(mission, rules) }),
  curate: () => ({ type: 'curated' }),
};

function begun(mission: MissionState, id: string, { lanes, mode }: Rules): Flight[] {
  const flights: Flight[] = [];
  for (let count = mode === 'competition' ? lanes : 1; count > 0; count--) {
    const free = freeLane([...mission.flights, ...flights], lanes)!;
    const session = mission.iteration * 10 + flights.length + 1;
    flights.push(flight(session, id, { ...free, phase: 'preparing', checkpoint: null, tree: null, verdict: null }));
  }
  expect(flights.every((flown) => featureKey(flown.feature!) === id)).toBe(true);
  return flights;
}
