import { expect, test } from 'vitest';
import type { Gate } from '../../../domain/gate.ts';
import type { RoleRecord } from '../../../domain/session-record.ts';
import { newSession } from '../test-support.ts';
import { summariseWorkflow, type RecordedStep, type WorkflowPast } from './summary.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 16, 3, minute)).toISOString();

function step(minute: number, name: string, facts: Partial<RecordedStep> = {}): RecordedStep {
  return { at: at(minute), task: 'add a button', step: name, round: 1, result: 'done', note: '', commit: null, ...facts };
}

function session(id: number, minute: number, role: string, cost_usd: number | null): RoleRecord {
  return {
    session_id: id,
    started_at: at(minute),
    ended_at: at(minute + 1),
    duration_seconds: 60,
    outcome: 'complete',
    reasons: [],
    termination_reason: 'complete',
    feature_id: null,
    feature_completed: false,
    tokens_used: { input: 1, output: 1, cached: 0 },
    cost_usd,
    backend: 'command',
    model: 'sonnet',
    prompt: role,
    role: `workflow/${role}`,
  };
}

const question: Gate = {
  id: 'workflow.verify',
  header: 'Verify',
  question: 'What now?',
  options: [],
  context: [],
  non_negotiable: false,
  asked_at: at(9),
};

const PAST: WorkflowPast = {
  session: null,
  steps: [
    step(0, 'begin', { task: 'an earlier task' }),
    step(2, 'land', { task: 'an earlier task', commit: 'aaa' }),
    step(3, 'begin'),
    step(4, 'plan'),
    step(6, 'verify', { result: 'failed', note: 'FAIL — test' }),
    step(8, 'verify'),
    step(9, 'evaluate'),
    step(10, 'land', { commit: 'bbb', note: 'yes' }),
  ],
  records: [
    session(1, 1, 'planner-single', 5),
    session(2, 3, 'planner-single', 0.1),
    session(3, 5, 'generator-single', 0.2),
    session(3, 5, 'generator-single', 0.25),
    session(4, 7, 'generator-single', null),
  ],
  questions: [],
};

test('the last task is told, with what failed, what it cost and what landed', () => {
  const summary = summariseWorkflow(PAST)!;
  expect(summary).toMatchObject({
    task: 'add a button',
    phase: null,
    stage: null,
    sessions: 3,
    seconds: 180,
    cost_usd: 0.35,
    sessions_without_cost: 1,
    commits: ['bbb'],
    refused: [{ step: 'verify', round: 1, note: 'FAIL — test' }],
    next: null,
  });
  expect(summary.by_role.map(({ what, sessions, cost_usd }) => [what, sessions, cost_usd])).toEqual([
    ['workflow/planner-single', 1, 0.1],
    ['workflow/generator-single', 2, 0.25],
  ]);
});

test.each([
  ['a question comes first', { under_way: true, step: null }, [question], 'harness gates'],
  ['a command that was cut off is given again', { under_way: true, step: null }, [], "harness workflow 'add a button'"],
  ['and so is a step', { under_way: true, step: 'verify' as const }, [], 'harness workflow verify'],
  ['a part that ended leads to the next', { under_way: false, step: 'verify' as const }, [], 'harness workflow evaluate'],
])('what to type next: %s', (_name, own, questions, next) => {
  const base = newSession();
  const open = { ...base, phase: 'verify_done' as const, harness: { ...base.harness, ...own }, task: 'add a button', user_lang: 'en' };
  expect(summariseWorkflow({ ...PAST, session: open, questions })).toMatchObject({ phase: 'verify_done', next });
});

test('after a failed layer 1 the code comes next, not its evaluation', () => {
  const base = newSession();
  const told = (layer1_result: 'PASS' | 'FAIL'): ReturnType<typeof summariseWorkflow> =>
    summariseWorkflow({
      ...PAST,
      session: { ...base, phase: 'verify_done', task: 'add a button', user_lang: 'en', verify: { ...base.verify, layer1_result } },
    });
  expect(told('FAIL')).toMatchObject({ next: 'harness workflow generate', stage: 'verify_failed' });
  expect(told('PASS')).toMatchObject({ next: 'harness workflow evaluate', stage: 'verify_done' });
});

test('nothing is told where no workflow was', () => {
  expect(summariseWorkflow({ session: null, steps: [], records: [], questions: [] })).toBeNull();
});
