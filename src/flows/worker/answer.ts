/**
 * The one object that a lead gets, from the state of the task. Pure.
 *
 * 1. What the harness saw stands in the fields of the contract; what the agent said in `claim`, `summary`, `memory_updates`.
 * 2. Fields of the input that nobody knows come back under their own names; names that answers use go below `extra`.
 */
import { counted } from '../../domain/counted.ts';
import { EXIT, type ExitCode } from '../../domain/reasons.ts';
import { AdvisorRequestSchema, FailureSchema, ReportSchema, TaskInputSchema, type SelfReview, type WorkerAnswer } from './contract.ts';
import type { TaskState } from './machine/state.ts';
import type { Rest } from './place.ts';

export interface AnswerFacts {
  worktree: string | null;
  ref: string;
}

export function answerFor(state: TaskState, rest: Rest, facts: AnswerFacts): WorkerAnswer {
  const known = handedBack(state.input);
  if (rest.message !== null) return { exitCode: rest.exitCode, value: { ...known, ...failure(state, 'failed', rest.message, facts) } };
  if (state.phase === 'waiting') return { exitCode: EXIT.waiting, value: { ...known, ...advisorRequest(state) } };
  const { ending } = state;
  if (ending === null || ending.status === 'completed') return { exitCode: EXIT.done, value: { ...known, ...report(state, facts) } };
  return { exitCode: exitOf(state), value: { ...known, ...failure(state, ending.status, ending.reason ?? '', facts) } };
}

/** A broken rule of the mode is refused work; a landing that cannot be is one too. */
function exitOf({ ending }: TaskState): ExitCode {
  return ending?.status === 'escalated' ? EXIT.escalated : EXIT.rejected;
}

/** Before there is a state: input that cannot be used, a place that cannot be opened. */
export function failureWithout(input: unknown, exitCode: ExitCode, reason: string): WorkerAnswer {
  const task = isEntry(input) && typeof input['task'] === 'string' ? input['task'] : '';
  const value = {
    schema_version: 'worker-failure.v1',
    status: 'failed',
    task,
    files_changed: [],
    commit: null,
    memory_updates: [],
    escalation_reason: reason,
  };
  return { exitCode, value: { ...(isEntry(input) ? handedBack(input) : {}), ...value } };
}

function advisorRequest(state: TaskState): Record<string, unknown> {
  const open = state.consultations.find((one) => one.advice === null);
  if (open === undefined) throw new Error('the task is not waiting for advice');
  return { ...open.request, ...(state.proof === null ? {} : { self_review: selfReview(state), preflight: state.proof.preflight }) };
}

function report(state: TaskState, facts: AnswerFacts): Record<string, unknown> {
  const { seen, claim, proof, ground, input } = state;
  const landed = state.phase === 'landed';
  return {
    schema_version: 'worker-report.v1',
    status: 'completed',
    task: input.task,
    task_id: input.task_id,
    mode: input.mode,
    files_changed: proof?.files_changed ?? [],
    commit: state.commit,
    branch: state.branch,
    worktreePath: facts.worktree,
    summary: claim?.summary || `${input.task_id}: ${counted(proof?.files_changed.length ?? 0, 'file')} changed`,
    memory_updates: claim?.memory_updates ?? [],
    effort_applied: seen.effort,
    effort_sufficient: state.returns === 0 && state.failures.length === 0 && seen.stalls === 0 && seen.limits.length === 0,
    turns_used: seen.turns,
    task_complexity_note: complexityNote(state),
    self_review: selfReview(state),
    preflight: proof?.preflight ?? [],
    validation: (ground?.validation ?? []).map(({ command, reason }) => ({
      ...(proof?.validation.find((run) => run.command === command) ?? { command }),
      reason,
    })),
    verdict: proof?.verdict ?? null,
    landing: { landed, ref: facts.ref, how: landed ? `on ${state.branch ?? ''}` : howToLand(state) },
  };
}

export function howToLand({ input, commit, branch }: TaskState): string {
  if (input.mode === 'solo') return 'harness worker --task TASK --review FILE, where FILE is {"verdict":"APPROVE"}';
  if (input.mode === 'breezing') return `git merge --ff-only ${branch ?? ''}, or cherry-pick ${commit ?? ''}`;
  return `git cherry-pick ${commit ?? ''}`;
}

function failure(state: TaskState, status: 'failed' | 'escalated', reason: string, facts: AnswerFacts): Record<string, unknown> {
  return {
    schema_version: 'worker-failure.v1',
    status,
    task: state.input.task,
    task_id: state.input.task_id,
    mode: state.input.mode,
    files_changed: state.proof?.files_changed ?? [],
    commit: null,
    memory_updates: state.claim?.memory_updates ?? [],
    escalation_reason: reason,
    effort_applied: state.seen.effort,
    effort_sufficient: false,
    turns_used: state.seen.turns,
    task_complexity_note: complexityNote(state),
    self_review: selfReview(state),
    preflight: state.proof?.preflight ?? [],
    validation: state.proof?.validation ?? [],
    verdict: state.proof?.verdict ?? null,
    worktreePath: facts.worktree,
  };
}

function selfReview({ proof, claim }: TaskState): SelfReview[] {
  return (proof?.rules ?? []).map(({ rule, verified, evidence }) => ({ rule, verified, evidence, claim: claim?.rules[rule] ?? null }));
}

function complexityNote({ seen, failures, returns, claim, ground }: TaskState): string {
  return [
    `${seen.sessions.length} agent session${seen.sessions.length === 1 ? '' : 's'}`,
    ...(seen.stalls === 0 ? [] : [`the agent was silent for too long ${seen.stalls === 1 ? 'once' : `${seen.stalls} times`} (stall)`]),
    ...(failures.length === 0 ? [] : [counted(failures.length, 'failed run')]),
    ...(returns === 0 ? [] : [`${returns} returns`]),
    ...seen.limits.slice(-2),
    ...(ground?.tdd.note === null || ground === null ? [] : [`TDD: ${ground.tdd.note}`]),
    ...(claim === null || claim.note === '' ? [] : [`the agent says: ${claim.note}`]),
  ].join('; ');
}

const OWN_NAMES: ReadonlySet<string> = new Set([
  ...[ReportSchema, AdvisorRequestSchema, FailureSchema].flatMap((schema) => Object.keys(schema.shape)),
  'task_id',
  'mode',
  'preflight',
  'validation',
  'verdict',
  'landing',
  'extra',
]);

function handedBack(input: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.entries(input).filter(([name]) => !Object.hasOwn(TaskInputSchema.shape, name));
  const taken = unknown.filter(([name]) => OWN_NAMES.has(name));
  const free = unknown.filter(([name]) => !OWN_NAMES.has(name));
  return { ...Object.fromEntries(free), ...(taken.length === 0 ? {} : { extra: Object.fromEntries(taken) }) };
}

function isEntry(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
