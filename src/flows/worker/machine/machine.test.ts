import { expect, test } from 'vitest';
import type { TaskInput } from '../contract.ts';
import { transition, type TaskEvent } from './machine.ts';
import { newTask, type Proof, type TaskState } from './state.ts';

const INPUT: TaskInput = { task: 'x', task_id: '7', files: ['src'], mode: 'solo', spec_skip_reason: 'mechanical-change' };
const GROUND = {
  validation: [],
  test: 'sh test.sh',
  tdd: { enforced: false, required: false, skipped: null, note: null },
  dod: [],
  plans: 'Plans.md',
};
const SEEN = { turns: 1, stalls: 0, agents: [], effort: null, limits: [] };

function after(...events: TaskEvent[]): TaskState {
  return events.reduce(transition, newTask(INPUT, 'hash'));
}

function proof(more: Partial<Proof> = {}): Proof {
  return {
    tree: 't',
    files_changed: ['src/a'],
    preflight: [],
    rules: [],
    failures: [],
    verdict: null,
    validation: [],
    broken: null,
    ...more,
  };
}

const EXAMINED: TaskEvent = { type: 'examined', base: { commit: 'c', tree: 't', branch: 'main' }, ground: GROUND };
const WORKED: TaskEvent[] = [
  { type: 'begun', session: 1 },
  { type: 'worked', tree: 't2', findings: [], claim: null, seen: SEEN },
];
const failing = (failure: string): TaskEvent[] => [...WORKED, { type: 'proved', proof: proof({ failures: [failure] }) }];
const open = (mendable: boolean): TaskEvent[] => [
  ...WORKED,
  { type: 'proved', proof: proof({ rules: [{ rule: 'r', verified: false, evidence: 'missing', mendable }] }) },
];

test('work that is proved becomes a commit, a branch, and the end', () => {
  const state = after(EXAMINED, ...WORKED, { type: 'proved', proof: proof() });
  expect(state.phase).toBe('committing');
  expect(
    after(EXAMINED, ...WORKED, { type: 'proved', proof: proof() }, { type: 'committed', commit: 'c2' }, { type: 'branched', branch: null }),
  ).toMatchObject({
    phase: 'finished',
    commit: 'c2',
    ending: { status: 'completed' },
  });
});

test('a rule that is not met goes back twice, then it is escalated; what nobody can mend goes back not at all', () => {
  expect(after(EXAMINED, ...open(true))).toMatchObject({
    phase: 'ready',
    returns: 1,
    feedback: expect.stringContaining('r is not verified: missing'),
  });
  expect(after(EXAMINED, ...open(true), ...open(true))).toMatchObject({ phase: 'ready', returns: 2 });
  expect(after(EXAMINED, ...open(true), ...open(true), ...open(true)).ending).toMatchObject({
    status: 'escalated',
    reason: expect.stringContaining('r: missing'),
  });
  expect(after(EXAMINED, ...open(false)).ending).toMatchObject({ status: 'escalated' });
});

test('the same failure twice asks, whatever its numbers and paths say; other failures end after three tries', () => {
  const twice = after(EXAMINED, ...failing('a.test.js: 3 ms at /tmp/x/y/z/a.js'), ...failing('a.test.js: 9 ms at /tmp/q/r/s/a.js'));
  expect(twice).toMatchObject({ phase: 'waiting', consultations: [{ request: { reason_code: 'retry-threshold', attempt: 2 } }] });
  const fewer = (count: number): TaskEvent[] => [
    ...WORKED,
    { type: 'proved', proof: proof({ failures: Array.from({ length: count }, (_, at) => `f${'abcd'[count]}${'abcd'[at]}`) }) },
  ];
  const converging = after(EXAMINED, ...fewer(3), ...fewer(2), ...fewer(1));
  expect(converging.phase).toBe('ready');
  expect(
    transition(transition(transition(converging, WORKED[0]!), WORKED[1]!), { type: 'proved', proof: proof({ failures: ['another'] }) })
      .ending?.reason,
  ).toContain('Did not converge');
  expect(after(EXAMINED, ...failing('one'), ...failing('two'), ...failing('three'))).toMatchObject({
    phase: 'waiting',
    consultations: [{ request: { reason_code: 'pivot-required' } }],
  });
});

test('a stuck agent asks, a silent one is given up, a limit goes on with the files that are there', () => {
  const halted = (why: Extract<TaskEvent, { type: 'halted' }>['why']): TaskEvent => ({
    type: 'halted',
    started: true,
    tree: 'kept',
    findings: [],
    seen: { ...SEEN, stalls: 2 },
    why,
  });
  expect(after(EXAMINED, WORKED[0]!, halted({ kind: 'stuck', message: 'no progress' }))).toMatchObject({
    phase: 'waiting',
    consultations: [{ request: { reason_code: 'pivot-required' } }],
  });
  expect(after(EXAMINED, WORKED[0]!, halted({ kind: 'stalled', message: 'nothing heard' }))).toMatchObject({
    ending: { status: 'escalated' },
    seen: { stalls: 2 },
  });
  expect(after(EXAMINED, WORKED[0]!, halted({ kind: 'limit', message: 'usage limit' }))).toMatchObject({
    phase: 'ready',
    tree: 'kept',
    feedback: expect.stringContaining('usage limit'),
  });
});

test('opened again: only somebody who died while an agent worked leaves something to salvage', () => {
  expect(after(EXAMINED, WORKED[0]!, { type: 'reopened' }).phase).toBe('salvaging');
  expect(after(EXAMINED, WORKED[0]!, { type: 'reopened' }, { type: 'salvaged', tree: 'kept', findings: [] })).toMatchObject({
    phase: 'ready',
    tree: 'kept',
  });
  for (const events of [[], [EXAMINED], [EXAMINED, ...WORKED], [EXAMINED, ...WORKED, { type: 'proved', proof: proof() } as const]])
    expect(after(...events, { type: 'reopened' })).toEqual(after(...events));
});

test('a broken rule of the mode ends the task, and a change request opens it again', () => {
  const broken = after(EXAMINED, ...WORKED, { type: 'proved', proof: proof({ broken: 'markers' }) });
  expect(broken.ending).toEqual({ status: 'failed', reason: 'markers' });
  expect(transition(broken, { type: 'changes.wanted', text: 'put them back' })).toMatchObject({
    phase: 'ready',
    ending: null,
    feedback: 'put them back',
  });
});
