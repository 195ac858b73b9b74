/**
 * What a workflow came to: the one that is there, or the last that ended.
 *
 * 1. It tells of one task, over all commands that worked on it; what the journal no longer holds is not told.
 * 2. It ends with the one command that goes on.
 */
import type { Gate } from '../../../domain/gate.ts';
import { waitingGates } from '../../../gates/gate-files.ts';
import { isRoleRecord, onceEach, sumOf, sumsBy, type PastRecord, type Spent, type Sum } from '../../../kernel/books/sums.ts';
import type { Place } from '../../../kernel/place.ts';
import { readSession } from '../../../kernel/state-file.ts';
import type { Step } from '../contract.ts';
import type { Session as Recorded } from '../../../kernel/session-document.ts';
import { detectLanguage } from '../../../kernel/words/language.ts';
import { fromState, fromV1, newOwnState, type Session } from '../session.ts';
import { NEXT, stageOf } from './status.ts';

export interface WorkflowSummary extends Sum {
  task: string;
  language: string;
  /** Null: it has ended. */
  phase: Session['phase'] | null;
  /** The same, or that its checks failed. */
  stage: ReturnType<typeof stageOf> | null;
  round: number;
  since: string | null;
  until: string | null;
  steps: StepTold[];
  /** Steps that did not pass, and why. */
  refused: StepTold[];
  commits: string[];
  by_role: Spent[];
  questions: { id: string; question: string }[];
  next: string | null;
}

export interface StepTold {
  step: string;
  round: number;
  result: 'done' | 'failed';
  note: string;
}

/** A step as the journal has it. */
export interface RecordedStep extends StepTold {
  at: string;
  task: string;
  commit: string | null;
}

export interface WorkflowPast {
  session: (Pick<Session, 'task' | 'phase' | 'round' | 'user_lang' | 'harness'> & { verify?: Session['verify'] }) | null;
  steps: readonly RecordedStep[];
  records: readonly PastRecord[];
  questions: readonly Gate[];
}

/** Null: there is none, and none is remembered. */
export async function readWorkflowSummary({ documents, history }: Pick<Place, 'documents' | 'history'>): Promise<WorkflowSummary | null> {
  const recorded = await readSession(documents, { writer: false });
  const session = openSession(recorded);
  const [entries, records, questions] = await Promise.all([
    history.events('type=flow.step'),
    history.all(),
    waitingGates(documents.folder('gates')),
  ]);
  return summariseWorkflow({ session, steps: entries.map(stepIn), records, questions });
}

/** One whose set-up is not finished has not begun to plan. */
function openSession(recorded: Recorded): WorkflowPast['session'] {
  if (recorded.kind === 'workflow-v2') return fromState(recorded.state);
  if (recorded.kind === 'workflow-v1') return fromV1(recorded.state);
  if (recorded.kind !== 'workflow-draft') return null;
  const { task, user_lang, harness } = recorded.state;
  return { task, user_lang, phase: 'plan_ready', round: 1, harness: newOwnState(harness) };
}

type Entry = Awaited<ReturnType<Place['history']['events']>>[number];

function stepIn(entry: Entry): RecordedStep {
  return {
    at: entry.ts,
    task: String(entry['task'] ?? ''),
    step: String(entry['step'] ?? ''),
    round: Number(entry['round'] ?? 1),
    result: entry['result'] === 'failed' ? 'failed' : 'done',
    note: String(entry['note'] ?? ''),
    commit: typeof entry['commit'] === 'string' ? entry['commit'] : null,
  };
}

export function summariseWorkflow({ session, steps: all, records, questions }: WorkflowPast): WorkflowSummary | null {
  const begun = all.findLastIndex(({ step }) => step === 'begin');
  const task = session?.task ?? all.at(-1)?.task ?? null;
  if (task === null) return null;
  const steps = all.slice(begun + 1).filter((step) => step.task === task);
  const since = all[begun]?.at ?? null;
  const own = onceEach(records).filter(
    (record) => isRoleRecord(record) && record.role.startsWith('workflow/') && (since === null || record.started_at >= since),
  );
  const told = steps.map(({ step, round, result, note }) => ({ step, round, result, note }));
  const asked = questions.filter(({ id }) => id.startsWith('workflow.')).map(({ id, question }) => ({ id, question }));
  return {
    task,
    language: session?.user_lang ?? detectLanguage(task, null),
    phase: session?.phase ?? null,
    stage: session === null ? null : stageOf(session),
    round: session?.round ?? steps.at(-1)?.round ?? 1,
    since: own[0]?.started_at ?? since,
    until: own.at(-1)?.ended_at ?? null,
    steps: told,
    refused: told.filter(({ result }) => result === 'failed'),
    commits: [...new Set(steps.flatMap(({ commit }) => commit ?? []))],
    ...sumOf(own),
    by_role: sumsBy(own, (record) => record.role ?? record.prompt),
    questions: asked,
    next: asked.length > 0 ? 'harness gates' : session === null ? null : nextCommand(session),
  };
}

/** The same command where one was cut off; else the step that comes next. */
function nextCommand({ task, phase, harness, verify }: NonNullable<WorkflowPast['session']>): string {
  if (!harness.under_way) {
    if (phase === 'verify_done' && verify?.layer1_result === 'FAIL') return 'harness workflow generate';
    const next = NEXT[phase];
    return next === 'finish' || next === 'plan' ? 'harness workflow' : `harness workflow ${next}`;
  }
  const step: Step | null = harness.step;
  return step === null || step === 'plan' ? `harness workflow ${step === null ? '' : 'plan '}${quoted(task)}` : `harness workflow ${step}`;
}

function quoted(task: string): string {
  return `'${task.replaceAll("'", `'\\''`)}'`;
}
