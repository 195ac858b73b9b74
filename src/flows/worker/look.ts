/** The tasks of workers as `harness status` and `harness summary` tell them. */
import { HarnessError } from '../../domain/errors.ts';
import { moneyOf, shownTotal } from '../../kernel/books/sums.ts';
import { listTasks, type ListedTask } from '../../kernel/list-tasks.ts';
import { taskLane } from '../../kernel/task-lane.ts';
import { howToLand } from './answer.ts';
import { TaskStateSchema, type TaskState } from './machine/state.ts';
import type { WorkerPlace } from './place.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

export interface WorkerRow {
  task_id: string;
  task: string;
  mode: string | null;
  /** `stopped`: nobody is at it, and the same command goes on. */
  status: 'running' | 'stopped' | 'waiting' | 'completed' | 'landed' | 'failed' | 'escalated' | 'unreadable';
  phase: string | null;
  running: { pid: number; since: string } | null;
  files_changed: string[];
  commit: string | null;
  branch: string | null;
  sessions: number;
  cost_usd: number | null;
  /** Their cost is unknown and therefore missing in the sum. */
  sessions_without_cost: number;
  /** What is asked, or why it ended. */
  reason: string | null;
  /** What a lead does now; null: nothing. */
  next: string | null;
}

/** In the order of their ids. */
export async function workerRows(platform: WorkerPlace['platform'], stateDir: string): Promise<WorkerRow[]> {
  const rows = await Promise.all((await listTasks(platform, stateDir)).map(rowOf));
  return rows.flat().toSorted((one, other) => one.task_id.localeCompare(other.task_id, 'en', { numeric: true }));
}

/** What its sessions since a time came to. */
export interface WorkerSummary extends WorkerRow {
  seconds: number;
}

/** Those that were worked on since then; `since`: null for all of the time. */
export async function workerSummaries(platform: WorkerPlace['platform'], stateDir: string, since: string | null): Promise<WorkerSummary[]> {
  const histories = new Map((await listTasks(platform, stateDir)).map(({ lane, history }) => [lane, history]));
  const summaries: WorkerSummary[] = [];
  for (const row of await workerRows(platform, stateDir)) {
    const records = (await histories.get(taskLane(row.task_id))?.all()) ?? [];
    const recent = records.filter((record) => since === null || Date.parse(record.started_at) >= Date.parse(since));
    if (recent.length === 0 && (since !== null || row.sessions > 0)) continue;
    summaries.push({
      ...row,
      sessions: recent.length,
      seconds: recent.reduce((sum, record) => sum + record.duration_seconds, 0),
      ...moneyOf(recent),
    });
  }
  return summaries;
}

/** None where a task was not written down yet. */
async function rowOf(listed: ListedTask): Promise<WorkerRow[]> {
  const { lane, documents } = listed;
  try {
    const [document, costs, holder] = await Promise.all([
      documents.read('task', { writer: false }),
      documents.read('costs', { writer: false }),
      documents.holder(),
    ]);
    if (document === null) return [];
    const parsed = TaskStateSchema.safeParse(document.state);
    if (!parsed.success) return [unreadable(lane, `${documents.where('task')} cannot be understood`)];
    const running = holder === null ? null : { pid: holder.pid, since: holder.since };
    return [
      {
        ...told(parsed.data, running !== null),
        running,
        sessions: parsed.data.seen.sessions.length,
        cost_usd: costs === null ? 0 : shownTotal(costs),
        sessions_without_cost: costs?.cumulative.sessions_without_cost ?? 0,
      },
    ];
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return [unreadable(lane, error.message)];
  }
}

type Told = Omit<WorkerRow, 'running' | 'sessions' | 'cost_usd' | 'sessions_without_cost'>;

export function told(state: TaskState, isRunning: boolean): Told {
  const { input, phase, proof, ending } = state;
  const status = isRunning ? 'running' : statusOf(state);
  const open = state.consultations.find((one) => one.advice === null);
  return {
    task_id: input.task_id,
    task: beforeFirst(input.task, '\n').slice(0, LONGEST),
    mode: input.mode,
    status,
    phase,
    files_changed: proof?.files_changed ?? [],
    commit: status === 'completed' || status === 'landed' ? state.commit : null,
    branch: state.branch,
    reason: status === 'waiting' ? (open?.request.question ?? null) : (ending?.reason ?? null),
    next: nextFor(state, status),
  };
}

const LONGEST = 120;

function statusOf({ phase, ending }: TaskState): WorkerRow['status'] {
  if (phase === 'waiting' || phase === 'landed') return phase;
  return phase === 'finished' ? (ending?.status ?? 'completed') : 'stopped';
}

function nextFor(state: TaskState, status: WorkerRow['status']): string | null {
  if (status === 'waiting') return 'harness worker --task TASK --advice FILE';
  if (status === 'stopped') return 'harness worker --task TASK';
  return status === 'completed' ? howToLand(state) : null;
}

function unreadable(lane: string, reason: string): WorkerRow {
  return {
    task_id: lane,
    task: '',
    mode: null,
    status: 'unreadable',
    phase: null,
    running: null,
    files_changed: [],
    commit: null,
    branch: null,
    sessions: 0,
    cost_usd: 0,
    sessions_without_cost: 0,
    reason,
    next: null,
  };
}
