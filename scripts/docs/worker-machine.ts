/** The page about the machine, printed from what it does with one event of each kind: `npm run docs` writes it, the checks compare it. */
import { stateDiagram, type Edge } from './diagram.ts';
import { MOST_CONSULTATIONS } from '../../src/flows/worker/machine/advice.ts';
import { MOST_FIXES, MOST_RETURNS, transition, type TaskEvent } from '../../src/flows/worker/machine/machine.ts';
import { newTask, type Ground, type Proof, type TaskState } from '../../src/flows/worker/machine/state.ts';

export function generatedFiles(): Record<string, string> {
  return { 'docs/worker-machine.md': page() };
}

const GROUND: Ground = {
  validation: [],
  test: null,
  tdd: { enforced: false, required: false, skipped: null, note: null },
  dod: [],
  plans: 'Plans.md',
};
const PROOF: Proof = { tree: '', files_changed: [], preflight: [], rules: [], failures: [], verdict: null, validation: [], broken: null };
const SEEN = { turns: 1, stalls: 0, agents: [], effort: null, limits: [] };
const HEAD = { commit: '', tree: '', branch: 'main' };
const RULE = { rule: 'r', verified: false, evidence: '', mendable: true };
const REQUEST = {
  schema_version: 'advisor-request.v1',
  task_id: '1',
  reason_code: 'needs-spike',
  trigger_hash: '1:needs-spike:x',
  question: 'q',
  attempt: 0,
  last_error: null,
  context_summary: [],
} as const;

function task(phase: TaskState['phase'], more: Partial<TaskState> = {}): TaskState {
  const input = { task: 'x', task_id: '1', files: ['src'], mode: 'solo' } as const;
  return { ...newTask({ ...input, files: [...input.files] }, ''), ground: GROUND, base: HEAD, phase, ...more };
}

const proved = (proof: Partial<Proof>): TaskEvent => ({ type: 'proved', proof: { ...PROOF, ...proof } });
const halted = (kind: 'limit' | 'stalled' | 'stuck'): TaskEvent => ({
  type: 'halted',
  started: true,
  tree: null,
  findings: [],
  seen: SEEN,
  why: { kind, message: 'm' },
});
const failure = { signature: 'other', count: 1, summary: 's' };
const asked = { request: { ...REQUEST, context_summary: [] }, advice: null };

const SAMPLES: readonly [TaskState, TaskEvent, string][] = [
  [task('examining'), { type: 'asked', request: { ...REQUEST, context_summary: [] } }, 'an advisor is needed first'],
  [task('examining'), { type: 'examined', base: HEAD, ground: GROUND }, 'examined'],
  [task('examining'), { type: 'ended', status: 'escalated', reason: 'r' }, 'one question too many'],
  [task('ready'), { type: 'begun', session: 1 }, 'begun'],
  [task('working'), { type: 'worked', tree: '', findings: [], claim: null, seen: SEEN }, 'worked'],
  [task('working'), halted('limit'), 'a limit (the command ends)'],
  [task('working'), halted('stuck'), 'stuck'],
  [task('working'), halted('stalled'), 'silent twice'],
  [task('working'), { type: 'reopened' }, 'cut off'],
  [task('salvaging'), { type: 'salvaged', tree: null, findings: [] }, 'salvaged'],
  [task('proving'), proved({}), 'all proved'],
  [task('proving'), proved({ rules: [RULE] }), `a rule not met (${MOST_RETURNS} times)`],
  [task('proving'), proved({ failures: ['f'] }), `a run failed (${MOST_FIXES} times)`],
  [task('proving', { failures: [failure, failure] }), proved({ failures: ['f'] }), 'no fewer failures'],
  [task('proving', { returns: MOST_RETURNS }), proved({ rules: [RULE] }), 'not proved'],
  [task('proving'), proved({ broken: 'b' }), 'a rule of the mode broken'],
  [task('committing'), { type: 'committed', commit: 'c' }, 'committed'],
  [task('branching'), { type: 'branched', branch: null }, 'branched'],
  [task('waiting', { consultations: [asked] }), { type: 'advised', advice: {} }, 'advised'],
  [task('waiting', { consultations: [asked], ground: null }), { type: 'advised', advice: {} }, 'advised before the start'],
  [task('waiting', { consultations: [asked] }), { type: 'advised', advice: { decision: 'STOP' } }, 'STOP'],
  [task('finished'), { type: 'changes.wanted', text: 't' }, 'REQUEST_CHANGES'],
  [task('finished'), { type: 'approved' }, 'APPROVE in solo'],
  [task('landing'), { type: 'rebased', base: HEAD, commit: 'c', proof: PROOF }, 'put on top and proved again'],
  [task('landing'), { type: 'landing.refused', reason: 'r' }, 'refused'],
  [task('landing'), { type: 'landed', branch: 'main' }, 'landed'],
];

function page(): string {
  const edges = SAMPLES.map(([state, event, label]): Edge => ({ from: state.phase, to: transition(state, event).phase, label }));
  return `${[
    '# The machine of the worker',
    '',
    'Generated from `src/flows/worker/machine/machine.ts` by `npm run docs`: each arrow is what the machine does with that event. Every event is one write of the task in',
    `\`.harness/workers/\`. An advisor is asked at most ${MOST_CONSULTATIONS} times for a task. \`finished\` is completed, failed or escalated; \`waiting\` and \`finished\` end the command.`,
    '',
    ...stateDiagram('examining', edges, ['finished', 'landed']),
  ].join('\n')}\n`;
}
