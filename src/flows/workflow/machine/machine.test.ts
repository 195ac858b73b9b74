import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PHASES, type MachineState, type Phase } from '../contract.ts';
import { actionFor, offersAutofix, transition } from './machine.ts';
import type { EventType, Rules, WorkflowEvent } from './event.ts';
import { LAYER1_RETRIES, LAYER2_RETRIES, ROWS } from './table.ts';
import { newSession } from '../test-support.ts';

const V2: Rules = { legacy: null };
const CANDIDATE = { tree: 't', commit: 'c', findings: [] };
const ASKS = { gate: 'workflow.tampering' as const, findings: ['tamper.tests: changed'], subjects: ['test/a.test.js'] };
const FACTS = { spec: true, changes: true, conventions: true, verdict: null };

const EVENTS: Record<EventType, WorkflowEvent[]> = {
  reopened: [{ type: 'reopened' }],
  'scan.tried': [{ type: 'scan.tried', failed: 1 }],
  'scan.reset': [{ type: 'scan.reset' }],
  scanned: [{ type: 'scanned', conventions: 'skipped' }],
  begin: [{ type: 'begin' }],
  planned: [{ type: 'planned' }],
  modified: [{ type: 'modified' }],
  proceed: [{ type: 'proceed' }],
  generated: [{ type: 'generated', candidate: CANDIDATE }],
  advance: [{ type: 'advance' }],
  checked: [
    { type: 'checked', result: 'PASS', summary: 'PASS — fine', tree: 'tree' },
    { type: 'checked', result: 'FAIL', summary: 'FAIL — test', tree: 'tree' },
    { type: 'checked', result: 'FAIL', summary: 'FAIL — integrity', tree: 'tree', asks: ASKS },
  ],
  allow: [{ type: 'allow', accepted: [{ path: 'test/a.test.js', entry: { mode: '100644', oid: 'o' } }] }],
  deny: [{ type: 'deny', summary: 'FAIL — a person does not accept it' }],
  continue: [{ type: 'continue' }],
  propose: [{ type: 'propose', path: 'p', at: 'now' }],
  proposed: [{ type: 'proposed', confidence: 'High' }],
  apply: [{ type: 'apply', candidate: CANDIDATE }],
  reject: [{ type: 'reject' }],
  evaluated: [
    { type: 'evaluated', verdict: 'PASS', summary: '' },
    { type: 'evaluated', verdict: 'FAIL L2', summary: '' },
    { type: 'evaluated', verdict: 'FAIL L3', summary: '' },
  ],
  fix: [{ type: 'fix' }],
  accept: [{ type: 'accept' }],
  'landing.refused': [{ type: 'landing.refused' }],
  finish: [{ type: 'finish', landing: { choice: 'code', commit: null } }],
  stop: [{ type: 'stop' }],
  requested: [
    { type: 'requested', step: 'generate', style: 'phase' },
    { type: 'requested', step: 'verify', style: 'step' },
    { type: 'requested', step: 'evaluate', style: 'step' },
  ],
  resumed: [
    { type: 'resumed', facts: FACTS },
    { type: 'resumed', facts: { spec: false, changes: false, conventions: false, verdict: null } },
  ],
};

/** Every pair that means something, in some state of that phase. Whatever is not here must be refused in every state. */
const MEANT: Record<Phase, EventType[]> = {
  plan_ready: ['scan.tried', 'scan.reset', 'scanned', 'begin', 'resumed', 'reopened'],
  planning: ['planned', 'resumed', 'reopened'],
  plan_done: ['modified', 'proceed', 'stop', 'requested', 'resumed', 'reopened'],
  generate_ready: ['begin', 'requested', 'resumed', 'reopened'],
  generating: ['generated', 'requested', 'resumed', 'reopened'],
  generate_done: ['advance', 'requested', 'resumed', 'reopened'],
  verify_ready: ['begin', 'requested', 'resumed', 'reopened'],
  verifying: ['checked', 'requested', 'resumed', 'reopened'],
  verify_done: [
    'advance',
    'allow',
    'deny',
    'continue',
    'propose',
    'proposed',
    'apply',
    'reject',
    'stop',
    'requested',
    'resumed',
    'reopened',
  ],
  evaluate_ready: ['begin', 'requested', 'resumed', 'reopened'],
  evaluating: ['evaluated', 'requested', 'resumed', 'reopened'],
  evaluate_done: ['advance', 'fix', 'accept', 'stop', 'requested', 'resumed', 'reopened'],
  completed: ['finish', 'landing.refused', 'stop', 'requested', 'resumed', 'reopened'],
};

/** States of a phase that differ in what the machine looks at. */
function statesIn(phase: Phase): MachineState[] {
  const states = plainStatesIn(phase);
  const failed = states.filter((state) => state.verify.layer1_result === 'FAIL' && state.autofix?.applied !== 'proposed');
  return [
    ...states,
    ...failed.filter(({ round }) => round === 1).map((state) => ({ ...state, harness: { ...state.harness, asks: ASKS } })),
  ];
}

function plainStatesIn(phase: Phase): MachineState[] {
  const base = { ...newSession(), phase };
  const results = [null, 'PASS', 'FAIL'] as const;
  const patches = [null, 'proposed', 'applied', 'rejected', 'stopped'] as const;
  const verdicts = [null, 'PASS', 'FAIL L2', 'FAIL L3'] as const;
  return results.flatMap((layer1_result) =>
    patches.flatMap((applied) =>
      verdicts.flatMap((verdict) =>
        [0, 2, 3].flatMap((retries) =>
          [1, 3].map((round) => ({
            ...base,
            round,
            autofix: applied === null ? null : { last_patch_path: 'p', applied, triggered_at: 'now' },
            verify: {
              ...base.verify,
              layer1_result,
              layer1_retries: retries,
              layer2_retries: Math.min(retries, LAYER2_RETRIES),
              autofix_attempted: applied !== null && applied !== 'proposed',
            },
            harness: { ...base.harness, base_commit: 'b', verdict },
          })),
        ),
      ),
    ),
  );
}

describe.each(PHASES.map((phase) => [phase] as const))('in the phase %s', (phase) => {
  test.each((Object.keys(EVENTS) as EventType[]).map((type) => [type] as const))(
    '%s is carried out where it means something, and refused elsewhere',
    (type) => {
      const meant = MEANT[phase].includes(type);
      let known = 0;
      const broken: string[] = [];
      for (const state of statesIn(phase)) {
        for (const event of EVENTS[type]) {
          if (refuses(state, event)) continue;
          known += 1;
          broken.push(...violations(transition(state, event, V2).state));
        }
      }
      expect(broken).toEqual([]);
      expect(known > 0).toBe(meant);
    },
  );
});

test('every row of the table is reached by some state, so that none is dead', () => {
  const states = PHASES.flatMap(statesIn).flatMap((state) => [
    state,
    { ...state, run_style: 'phase' as const },
    { ...state, harness: { ...state.harness, base_commit: null, candidate: CANDIDATE } },
  ]);
  const facts = [FACTS, { ...FACTS, verdict: 'PASS' as const }, { spec: false, changes: false, conventions: false, verdict: null }];
  const events = [...Object.values(EVENTS).flat(), ...facts.map((one): WorkflowEvent => ({ type: 'resumed', facts: one }))];
  const rules: Rules[] = [V2, { legacy: { verify: false } }];
  const reached = new Set<number>();
  for (const rule of rules)
    for (const state of states)
      for (const event of events) {
        const at = ROWS.findIndex(
          (row) => row.event === event.type && row.from.includes(state.phase) && (row.holds === undefined || row.holds(state, event, rule)),
        );
        if (at >= 0) reached.add(at);
      }
  expect(ROWS.map((_, at) => at).filter((at) => !reached.has(at))).toEqual([]);
});

test('a plain run goes through every phase in order to the commit', () => {
  const seen: Phase[] = [];
  const end = play(newSession(), (state) => {
    seen.push(state.phase);
    return goodAnswer(state);
  });
  expect([...new Set(seen)]).toEqual(PHASES);
  expect(end.harness.landing).toEqual({ choice: 'code', commit: 'c' });
});

test('layer 1 sends the implementer back three times, then a person is asked', () => {
  let repairs = 0;
  const end = play(newSession(), (state) => {
    const action = actionFor(state, V2);
    if (action.kind === 'repair') repairs += 1;
    if (action.kind === 'verify') return { type: 'checked', result: 'FAIL', summary: 'FAIL — test', tree: 'tree' };
    return action.kind === 'ask' && action.gate === 'workflow.verify' ? null : goodAnswer(state);
  });
  expect(repairs).toBe(LAYER1_RETRIES);
  expect(end).toMatchObject({ phase: 'verify_done', verify: { layer1_retries: 3, layer1_result: 'FAIL' } });
});

test('what only a person can accept is asked about at once; accepted it is checked again, refused the implementer goes back', () => {
  const checking = { ...newSession(), phase: 'verifying' as const };
  const asked = transition(checking, { type: 'checked', result: 'FAIL', summary: 'FAIL — integrity', tree: 't', asks: ASKS }, V2);
  expect(asked.actions).toEqual([{ kind: 'ask', gate: 'workflow.tampering' }]);
  expect(transition(asked.state, { type: 'reopened' }, V2).actions).toEqual(asked.actions);
  const [allow] = EVENTS.allow;
  const allowed = transition(asked.state, allow!, V2);
  expect(allowed.state).toMatchObject({
    phase: 'verify_ready',
    verify: { layer1_result: null, layer1_retries: 0 },
    harness: { asks: null, checked: null, allowed: [{ path: 'test/a.test.js' }] },
  });
  const denied = transition(asked.state, { type: 'deny', summary: 'FAIL — no' }, V2);
  expect(denied.actions).toEqual([{ kind: 'send', event: { type: 'advance' } }]);
  expect(transition(denied.state, { type: 'advance' }, V2).state).toMatchObject({
    phase: 'generating',
    verify: { layer1_retries: 1 },
    harness: { retry: { layer: 1, failure: 'FAIL — no' } },
  });
  const last = { ...asked.state, verify: { ...asked.state.verify, layer1_retries: LAYER1_RETRIES } };
  expect(transition(last, { type: 'deny', summary: 'FAIL — no' }, V2).actions).toEqual([{ kind: 'ask', gate: 'workflow.verify' }]);
  const step = { ...asked.state, run_style: 'step' as const };
  expect(transition({ ...checking, run_style: 'step' }, { ...EVENTS.checked[2]! }, V2).actions).toEqual(asked.actions);
  expect(transition(step, { type: 'deny', summary: 'FAIL — no' }, V2).actions).toEqual([{ kind: 'halt' }]);
});

test('another version of an accepted file takes the place of the first', () => {
  const asked = { ...newSession(), phase: 'verify_done' as const };
  const at = (oid: string): MachineState['harness']['allowed'] => [{ path: 'test/a.test.js', entry: { mode: '100644', oid } }];
  const state = { ...asked, harness: { ...asked.harness, asks: ASKS, allowed: at('1') } };
  expect(transition(state, { type: 'allow', accepted: at('2') }, V2).state.harness.allowed).toEqual(at('2'));
});

test('layer 2 sends the implementer back twice, and each time layer 1 runs again', () => {
  let checks = 0;
  const end = play(newSession(), (state) => {
    const action = actionFor(state, V2);
    if (action.kind === 'verify') checks += 1;
    if (action.kind === 'evaluate') return { type: 'evaluated', verdict: 'FAIL L2', summary: 'FAIL L2 — x' };
    return action.kind === 'ask' && action.gate === 'workflow.qa' ? null : goodAnswer(state);
  });
  expect(checks).toBe(1 + LAYER2_RETRIES);
  expect(end).toMatchObject({ phase: 'evaluate_done', round: 1, verify: { layer2_retries: 2, layer2_result: 'FAIL' } });
});

test('layer 3 asks in every round but the last, which ends by itself', () => {
  let asked = 0;
  const end = play(newSession(), (state) => {
    const action = actionFor(state, V2);
    if (action.kind === 'evaluate') return { type: 'evaluated', verdict: 'FAIL L3', summary: 'FAIL L3 — x' };
    if (action.kind !== 'ask' || action.gate !== 'workflow.qa') return goodAnswer(state);
    asked += 1;
    return { type: 'fix' };
  });
  expect(asked).toBe(2);
  expect(end).toMatchObject({ phase: 'completed', round: 3, harness: { verdict: 'FAIL L3', accepted: [] } });
});

test('a proposed patch leads back to its own question, a rejected or stopped one to the first without auto-fix', () => {
  const failed = { ...newSession(), phase: 'verify_done' as const };
  const at3 = { ...failed, verify: { ...failed.verify, layer1_result: 'FAIL' as const, layer1_retries: 3 } };
  expect(offersAutofix(at3)).toBe(true);
  const proposed = transition(at3, { type: 'propose', path: 'p', at: 'now' }, V2);
  expect(proposed.actions).toEqual([{ kind: 'auto-fix' }]);
  expect(offersAutofix(proposed.state)).toBe(false);
  expect(transition(proposed.state, { type: 'resumed', facts: FACTS }, V2).actions).toEqual([{ kind: 'auto-fix' }]);
  const rejected = transition(proposed.state, { type: 'reject' }, V2);
  expect(rejected.actions).toEqual([{ kind: 'ask', gate: 'workflow.verify' }]);
  expect(offersAutofix(rejected.state)).toBe(false);
  const applied = transition(proposed.state, { type: 'apply', candidate: CANDIDATE }, V2).state;
  const checking = transition(applied, { type: 'begin' }, V2).state;
  const stopped = transition(checking, { type: 'checked', result: 'FAIL', summary: 'FAIL', tree: 'tree' }, V2);
  expect(stopped.state).toMatchObject({ autofix: { applied: 'stopped' }, verify: { layer1_retries: 3, autofix_attempted: true } });
  expect(stopped.actions).toEqual([{ kind: 'ask', gate: 'workflow.verify' }]);
  const passed = transition(checking, { type: 'checked', result: 'PASS', summary: 'PASS', tree: 'tree' }, V2);
  expect(passed.actions).toEqual([{ kind: 'send', event: { type: 'advance' } }]);
});

test('outside of auto a run ends at every done phase, and a step sends nobody back', () => {
  for (const style of ['phase', 'step'] as const) {
    const session = { ...newSession(), run_style: style };
    const ends = (phase: Phase, event: WorkflowEvent) => transition({ ...session, phase }, event, V2).actions;
    expect(ends('planning', { type: 'planned' })).toEqual([{ kind: 'halt' }]);
    expect(ends('generating', { type: 'generated', candidate: CANDIDATE })).toEqual([{ kind: 'halt' }]);
    expect(ends('verifying', { type: 'checked', result: 'PASS', summary: '', tree: 'tree' })).toEqual([{ kind: 'halt' }]);
    expect(ends('evaluating', { type: 'evaluated', verdict: 'FAIL L2', summary: '' })).toEqual([{ kind: 'halt' }]);
    expect(ends('verifying', { type: 'checked', result: 'FAIL', summary: '', tree: 'tree' })).toEqual(
      style === 'step' ? [{ kind: 'halt' }] : [{ kind: 'send', event: { type: 'advance' } }],
    );
  }
});

test('a session of the first format knows no layer 2, and skips layer 1 where its file has no verify', () => {
  const rules: Rules = { legacy: { verify: false } };
  const generated = { ...newSession(), phase: 'generate_done' as const };
  expect(transition(generated, { type: 'advance' }, rules).state.phase).toBe('evaluate_ready');
  const evaluating = { ...newSession(), phase: 'evaluating' as const };
  expect(transition(evaluating, { type: 'evaluated', verdict: 'FAIL L2', summary: '' }, rules).state.harness.verdict).toBe('FAIL L3');
});

test('whatever people and agents answer, the invariants hold and a run comes to its end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 30 }), { minLength: 80, maxLength: 80 }),
      fc.constantFrom('auto', 'phase', 'step'),
      (choices, style) => {
        let at = 0;
        let state: MachineState = { ...newSession(), run_style: style };
        for (let steps = 0; steps < 400; steps += 1) {
          const event = anyAnswer(state, choices[at++ % choices.length]!);
          if (event === null) return;
          state = transition(state, event, V2).state;
          expect(violations(state)).toEqual([]);
          if (state.harness.landing !== null) return;
        }
        throw new Error('the run does not end');
      },
    ),
    { numRuns: 150 },
  );
});

function refuses(state: MachineState, event: WorkflowEvent): boolean {
  try {
    transition(state, event, V2);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.includes(`${event.type} cannot happen in the phase ${state.phase}`);
  }
}

/** The invariants that a state breaks. */
function violations(state: MachineState): string[] {
  const { verify, autofix } = state;
  const decided = autofix !== null && autofix.applied !== 'proposed';
  const proposed = state.phase === 'verify_done' && autofix?.applied === 'proposed';
  const checks: [string, boolean][] = [
    ['I1', verify.autofix_attempted === decided],
    ['I2', !offersAutofix(state) || autofix === null],
    ['I3', !proposed || actionFor(state, V2).kind === 'auto-fix'],
    ['I4', verify.layer1_retries <= LAYER1_RETRIES],
    ['layer 2 retries', verify.layer2_retries <= LAYER2_RETRIES],
    ['rounds', state.round <= state.max_rounds],
  ];
  return checks.filter(([, holds]) => !holds).map(([name]) => name);
}

function play(start: MachineState, answer: (state: MachineState) => WorkflowEvent | null): MachineState {
  let state = start;
  for (let steps = 0; steps < 200; steps += 1) {
    const event = answer(state);
    if (event === null) return state;
    const next = transition(state, event, V2);
    if (next.actions[0]?.kind === 'halt') throw new Error(`the run ends in ${next.state.phase}`);
    state = next.state;
    if (state.harness.landing !== null) return state;
  }
  throw new Error('the run does not end');
}

function goodAnswer(state: MachineState): WorkflowEvent | null {
  return anyAnswer(state, 0);
}

/** What may happen in a state: a machine's own step, or one of the answers that its question allows. */
function anyAnswer(state: MachineState, choice: number): WorkflowEvent | null {
  const pick = (...events: WorkflowEvent[]): WorkflowEvent => events[choice % events.length]!;
  const action = actionFor(state, V2);
  switch (action.kind) {
    case 'send':
      return action.event;
    case 'scan':
      return { type: 'scanned', conventions: 'skipped' };
    case 'plan':
      return { type: 'planned' };
    case 'generate':
    case 'repair':
      return { type: 'generated', candidate: CANDIDATE };
    case 'verify':
      return pick(...EVENTS.checked.slice(0, state.harness.allowed.length === 0 ? 3 : 2));
    case 'evaluate':
      return pick(...EVENTS.evaluated);
    case 'auto-fix':
      return pick({ type: 'apply', candidate: CANDIDATE }, { type: 'reject' }, { type: 'stop' });
    case 'halt':
    case 'land':
      return null;
    case 'ask':
      if (action.gate === 'workflow.spec') return pick({ type: 'proceed' }, { type: 'modified' });
      if (action.gate === 'workflow.tampering' || action.gate === 'workflow.dependencies') return pick(...EVENTS.allow, ...EVENTS.deny);
      if (action.gate === 'workflow.commit') return { type: 'finish', landing: { choice: 'code', commit: 'c' } };
      if (action.gate === 'workflow.verify')
        return offersAutofix(state) ? pick({ type: 'propose', path: 'p', at: 'now' }, { type: 'continue' }) : { type: 'continue' };
      return pick({ type: 'fix' }, { type: 'accept' });
  }
}
