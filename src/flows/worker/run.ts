/**
 * `harness worker`: one task in, one answer out.
 *
 * 1. The same command again goes on where the last one was cut off; once a task is finished it gives the same answer again.
 * 2. A task document that differs under the same id is a new task; one whose commit waits for a review is not thrown away for it.
 * 3. Whatever happens, there is one answer; only a defect of the harness has none.
 */
import { createHash } from 'node:crypto';
import { HarnessError, usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { checkObjects, type NamedObject } from '../../kernel/check-objects.ts';
import { refuseInPlace } from '../../kernel/flight/in-place.ts';
import { clearIndexLock } from '../../kernel/flight/leftovers.ts';
import { clearTask, taskRef, taskWorkspace } from '../../kernel/flight/task-candidate.ts';
import { holdTask, type TaskHold } from '../../kernel/hold-task.ts';
import { answerFor, failureWithout } from './answer.ts';
import { TaskInputSchema, type Advice, type Review, type TaskInput, type WorkerAnswer, AdviceSchema, ReviewSchema } from './contract.ts';
import { driveTask, writeTask } from './flow.ts';
import { transition, type TaskEvent } from './machine/machine.ts';
import { newTask, TaskStateSchema, type TaskState } from './machine/state.ts';
import type { Rest, WorkerPlace } from './place.ts';
import type { z } from 'zod';
import { groupOf } from '../../domain/text-parts.ts';

export interface WorkerRequest {
  /** The task document, as it was handed in. */
  task: string;
  /** The review and the advice, as they were handed in; null: none. */
  review: string | null;
  advice: string | null;
}

export type WorkerHold = Omit<TaskHold, 'taskId' | 'command'>;

export async function runWorker(
  platform: WorkerPlace['platform'],
  root: string,
  request: WorkerRequest,
  hold: WorkerHold,
): Promise<WorkerAnswer> {
  let given: unknown = null;
  try {
    if (Buffer.byteLength(request.task) > LARGEST) throw usageError(`The task is larger than ${LARGEST} bytes.`, 'Name files instead.');
    given = parseJson('The task', request.task);
    const input = checkInput(given);
    const review = request.review === null ? null : readReview(request.review, input.task_id);
    const advice = request.advice === null ? null : readAdvice(request.advice, input.task_id);
    const options = { ...hold, ...(input.mode === 'codex' ? { agent: 'codex', agentCommand: null } : {}) };
    return await holdTask(platform, root, { ...options, taskId: input.task_id, command: `harness worker ${input.task_id}` }, (place) =>
      workAt(place, input, { review, advice }),
    );
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return failureWithout(given, error.exitCode, [error.message, ...error.details].join(' '));
  }
}

const LARGEST = 1024 * 1024;

function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(`${what} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function checkInput(given: unknown): TaskInput {
  const parsed = TaskInputSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the task'}: ${issue.message}`);
  throw usageError(`The task cannot be used: ${issues.join('; ')}.`, 'schemas/worker-task.v1.schema.json says what a task holds.');
}

async function workAt(place: WorkerPlace, input: TaskInput, said: { review: Review | null; advice: Advice | null }): Promise<WorkerAnswer> {
  refuseInPlace(place, 'a worker has its own lane');
  await checkRoot(place);
  const silence_seconds = place.config.worker.silence_seconds;
  const own: WorkerPlace = { ...place, config: { ...place.config, session: { ...place.config.session, silence_seconds } } };
  const state = await takenUp(own, input, said.review !== null || said.advice !== null);
  if (state.phase === 'landing') await own.project(() => clearIndexLock(own));
  const next = said.review === null ? state : reviewed(state, said.review);
  const begun = said.advice === null ? next : advised(next, said.advice);
  if (begun !== state) await writeTask(own, begun);
  const { state: after, rest } = await driveTask(own, begun);
  if (after.phase === 'landed') await clearTask(own);
  return await answer(own, after, rest);
}

async function answer(place: WorkerPlace, state: TaskState, rest: Rest): Promise<WorkerAnswer> {
  return answerFor(state, rest, { worktree: await taskWorkspace(place), ref: taskRef(place) });
}

/** Trees and paths of the task are counted from the same place. */
async function checkRoot(place: WorkerPlace): Promise<void> {
  if (!place.hasGit || (await place.platform.files.realpath(place.root)) === place.home.root) return;
  throw usageError(`${place.root} is not the top of its repository.`, `Run it there: harness worker --cwd ${place.home.root} ...`);
}

async function takenUp(place: WorkerPlace, input: TaskInput, isAnswer: boolean): Promise<TaskState> {
  const hash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const document = await place.documents.read('task', { writer: true });
  const known = document === null ? null : understood(document.state, place.documents.where('task'));
  if (known?.input_hash === hash) {
    await checkNamed(place, known);
    return known;
  }
  if (known !== null && isAnswer)
    throw usageError(
      `Task ${input.task_id} was begun with another task document.`,
      'Give the review or the advice with the document that the task was begun with.',
    );
  if (known !== null && known.phase !== 'finished' && known.phase !== 'landed' && known.phase !== 'waiting' && known.phase !== 'examining')
    throw usageError(
      `Task ${input.task_id} is under way with another task document.`,
      'Run it to its end with the document that it was begun with, or give the new one another task_id.',
    );
  const fresh = newTask(input, hash);
  // What an earlier document of this id left on the branch is this task's to replace.
  const state: TaskState = known === null ? fresh : { ...fresh, amends: known.input.mode === 'breezing' ? known.commit : null };
  await writeTask(place, state);
  return state;
}

async function checkNamed(place: WorkerPlace, state: TaskState): Promise<void> {
  const named: NamedObject[] = [
    { field: 'state.base.commit', value: state.base?.commit ?? null, kind: 'commit' },
    { field: 'state.base.tree', value: state.base?.tree ?? null, kind: 'tree' },
    { field: 'state.tree', value: state.tree, kind: 'tree' },
    { field: 'state.proof.tree', value: state.proof?.tree ?? null, kind: 'tree' },
    { field: 'state.commit', value: state.commit, kind: 'commit' },
  ];
  await checkObjects(place, 'task', named, 'Put back what stood there, or move the file away to start the task over.');
}

function understood(value: unknown, where: string): TaskState {
  const parsed = TaskStateSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw usageError(
    `${where} cannot be understood: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    'It is left as it is. Move it away to start the task over.',
  );
}

function reviewed(state: TaskState, review: Review): TaskState {
  if (review.commit !== undefined && review.commit !== state.commit) return state;
  if (review.verdict === 'APPROVE') return approved(state);
  if (state.phase !== 'finished') return state;
  const text = review.text?.trim() ?? '';
  if (text === '') throw usageError('The review asks for changes but does not say which.', 'Say it in "text".');
  return apply(state, { type: 'changes.wanted', text });
}

function approved(state: TaskState): TaskState {
  if (state.phase === 'landed' || state.phase === 'landing') return state;
  if (state.phase !== 'finished' || state.commit === null || state.ending?.status !== 'completed')
    throw new HarnessError(`Task ${state.input.task_id} is not completed, so there is nothing to approve.`, {
      exitCode: EXIT.usage,
      details: ['Only a completed report can be approved.'],
    });
  return state.input.mode === 'solo' ? apply(state, { type: 'approved' }) : state;
}

function advised(state: TaskState, advice: Advice): TaskState {
  const open = state.consultations.find((one) => one.advice === null);
  const answered = state.consultations.some((one) => one.request.trigger_hash === advice.trigger_hash && one.advice !== null);
  if (answered) return state;
  if (state.phase !== 'waiting' || open === undefined)
    throw usageError(`Task ${state.input.task_id} is not waiting for advice.`, 'Run it without --advice.');
  if (advice.trigger_hash !== undefined && advice.trigger_hash !== open.request.trigger_hash)
    throw usageError(`The advice is for ${advice.trigger_hash}; the task waits for ${open.request.trigger_hash}.`);
  return apply(state, { type: 'advised', advice });
}

function apply(state: TaskState, event: TaskEvent): TaskState {
  return transition(state, event);
}

/** A lead's review and an advisor's answer, as they come: JSON, or for a review a plain text whose first word decides. */
function readReview(text: string, taskId: string): Review {
  const word = /^\s*(APPROVE|REQUEST_CHANGES)\b[:\s]*([\s\S]*)$/.exec(text);
  if (word !== null)
    return { verdict: word[1] as Review['verdict'], ...(groupOf(word, 2).trim() === '' ? {} : { text: groupOf(word, 2).trim() }) };
  return checked(ReviewSchema, 'The review', text, taskId);
}

function readAdvice(text: string, taskId: string): Advice {
  return checked(AdviceSchema, 'The advice', text, taskId);
}

function checked<Value extends { task_id?: string | undefined }>(
  schema: z.ZodType<Value>,
  what: string,
  text: string,
  taskId: string,
): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`${what} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw usageError(
      `${what} cannot be used: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}.`,
    );
  if (parsed.data.task_id !== undefined && parsed.data.task_id !== taskId)
    throw usageError(`${what} is for task ${parsed.data.task_id}, not for ${taskId}.`);
  return parsed.data;
}
